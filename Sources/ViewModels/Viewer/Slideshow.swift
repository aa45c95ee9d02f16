import WorkerPool

/// A slideshow: it asks for the next photo each time the time of a photo has passed.
///
/// A paused slideshow has no timer, so nothing wakes the program.
@MainActor
public final class Slideshow {
  /// Called when the time of the shown photo has passed.
  private let onNext: () -> Void
  private let clock: any Clock<Duration>
  /// The time of each photo.
  private let interval: Duration
  /// The seed of the photos' random order; nil for the order of the list.
  private var seed: UInt64?
  private var timer: Task<Void, Never>?

  /// Starts a slideshow.
  init(seconds: Double, isShuffled: Bool, clock: any Clock<Duration>, onNext: @escaping () -> Void) {
    interval = .seconds(seconds)
    self.clock = clock
    self.onNext = onNext
    if isShuffled { toggleShuffle() }
    startTimer()
  }

  isolated deinit { timer?.cancel() }

  /// Whether no photo follows until the user continues.
  public var isPaused: Bool { timer == nil }
  /// Whether the photos are in a random order.
  public var isShuffled: Bool { seed != nil }

  /// Returns the order of a number of photos; nil for the order of the list.
  func shuffle(of count: Int) -> Shuffle? { seed.map { Shuffle(count: count, seed: $0) } }

  /// Gives the shown photo its whole time, as after the user has turned to it.
  func restart() { if !isPaused { startTimer() } }

  /// Pauses, or continues with the whole time of the shown photo.
  public func togglePause() {
    if isPaused {
      startTimer()
    } else {
      timer?.cancel()
      timer = nil
    }
  }

  func toggleShuffle() { seed = isShuffled ? nil : .random(in: .min ... .max) }

  private func startTimer() {
    timer?.cancel()
    timer = Task.onMainActor { [weak self, clock, interval] in
      while (try? await clock.sleep(for: interval)) != nil { self?.onNext() }
    }
  }
}
