import WorkerPool

/// A delay that runs only the newest of several actions, once no other has followed for a while.
@MainActor
final class Debounce {
  private let pause: Duration
  private let clock: any Clock<Duration>
  private var waiting: Task<Void, Never>?

  /// - Parameters:
  ///   - pause: How long an action waits for a newer one.
  ///   - clock: The clock that measures the pause.
  init(_ pause: Duration, clock: any Clock<Duration>) {
    self.pause = pause
    self.clock = clock
  }

  deinit { waiting?.cancel() }

  /// Replaces the action that is still waiting, if there is one, and runs `action` after the pause.
  func run(_ action: @escaping @MainActor () -> Void) {
    waiting?.cancel()
    waiting = Task.onMainActor { [pause, clock] in
      try? await clock.sleep(for: pause)
      // An action can be replaced between the end of its sleep and its turn on the main actor.
      if !Task.isCancelled { action() }
    }
  }

  /// Drops the action that is still waiting.
  func cancel() { waiting?.cancel() }
}
