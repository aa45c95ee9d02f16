import Dispatch

/// A timer on the main queue that fires once.
@MainActor
final class Alarm {
  private var timer: (any DispatchSourceTimer)?

  /// Sets the alarm in place of the one that was set before.
  func set(after delay: DispatchTimeInterval, _ action: @escaping @MainActor () -> Void) {
    cancel()
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + delay)
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        self?.timer = nil
        action()
      }
    }
    timer.activate()
    self.timer = timer
  }

  /// Cancels the alarm if it is set.
  func cancel() {
    timer?.cancel()
    timer = nil
  }
}
