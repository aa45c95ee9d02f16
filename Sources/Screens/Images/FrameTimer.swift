import WorkerPool

/// The timer of an animation's next frame.
@MainActor
final class FrameTimer {
  private let clock: any Clock<Duration>
  private var task: Task<Void, Never>?

  /// The time of a frame that specifies none, and the shortest time that is respected, in milliseconds. Browsers use the
  /// same.
  private static let (usualDelay, shortestDelay) = (100, 20)

  init(clock: any Clock<Duration>) { self.clock = clock }

  isolated deinit { task?.cancel() }

  /// Calls a closure when the time of the shown frame has passed, unless that is awaited already.
  ///
  /// - Parameter delay: The time of the frame in milliseconds, or 0 if it specifies none.
  func start(after delay: Int, _ onEnd: @escaping @MainActor () -> Void) {
    guard task == nil else { return }
    let time = Duration.milliseconds(delay > 0 ? max(Self.shortestDelay, delay) : Self.usualDelay)
    task = Task.onMainActor { [weak self, clock] in
      guard (try? await clock.sleep(for: time)) != nil, let self else { return }
      task = nil
      onEnd()
    }
  }

  func stop() {
    task?.cancel()
    task = nil
  }
}
