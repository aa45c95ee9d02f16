import Synchronization

/// A clock that records each sleep, which takes no time.
public final class RecordingClock: Clock {
  public struct Instant: InstantProtocol {
    var offset: Duration

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private let slept = Mutex<[Duration]>([])

  public init() {}

  /// The durations of the sleeps.
  public var sleeps: [Duration] { slept.withLock { $0 } }

  public var now: Instant { Instant(offset: sleeps.reduce(.zero, +)) }
  public var minimumResolution: Duration { .nanoseconds(1) }

  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let now = now
    slept.withLock { $0.append(now.duration(to: deadline)) }
  }
}
