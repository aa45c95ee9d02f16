import WorkerPool

/// A delay that runs one of several actions that follow each other: the newest, once no other has followed for a while, or
/// the first one.
@MainActor
final class Debounce {
  private let pause: Duration
  private let clock: any Clock<Duration>
  private var waiting: Task<Void, Never>?
  private var isWaiting = false

  /// - Parameters:
  ///   - pause: How long an action waits for a newer one.
  ///   - clock: The clock that measures the pause.
  init(_ pause: Duration, clock: any Clock<Duration>) {
    self.pause = pause
    self.clock = clock
  }

  deinit { waiting?.cancel() }

  /// Runs `action` after the pause, unless another action is still waiting. Actions that follow each other closely, as while a
  /// key is held down, don't put off the first one.
  func runUnlessWaiting(_ action: @escaping @MainActor () -> Void) {
    if !isWaiting { run(action) }
  }

  /// Replaces the action that is still waiting, if there is one, and runs `action` after the pause.
  func run(_ action: @escaping @MainActor () -> Void) {
    waiting?.cancel()
    isWaiting = true
    waiting = Task.onMainActor { [pause, clock, weak self] in
      try? await clock.sleep(for: pause)
      // An action can be replaced between the end of its sleep and its turn on the main actor.
      if Task.isCancelled { return }
      self?.isWaiting = false
      action()
    }
  }

  /// Drops the action that is still waiting.
  func cancel() {
    waiting?.cancel()
    isWaiting = false
  }
}
