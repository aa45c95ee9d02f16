/// The estimated speed of the line to the other machine: the time of a byte there and back, and the bytes in a second.
///
/// Both follow from acknowledgments, as in BBR ("BBR: Congestion-Based Congestion Control", ACM Queue 2016): the shortest time of
/// late, and the highest rate of late at which bytes arrived.
struct LineEstimate {
  typealias Instant = ContinuousClock.Instant

  /// Bytes that were sent at once.
  private struct Sent {
    /// The number of all bytes up to these.
    let end: UInt64
    let time: Instant
    /// The number of bytes that had been acknowledged then, and the time of that.
    let acknowledged: UInt64
    let acknowledgedAt: Instant
    /// Whether the line was empty.
    let isAlone: Bool
    /// Whether there was more to send. Otherwise, the rate is that of the program and not of the line.
    let isMore: Bool
  }

  /// The bytes per second, or 0 if that is not known.
  private(set) var rate = 0.0
  /// The shortest time of late between a byte and its acknowledgment, in seconds; nil if there was none.
  private(set) var roundTrip: Double?
  private var sent: [Sent] = []
  private var total: UInt64 = 0
  private var acknowledged: UInt64 = 0
  private var acknowledgedAt: Instant?
  /// The rates of the last rounds, and the times at which they were measured.
  private var rates: [(rate: Double, time: Instant)] = []
  private var roundTripTime: Instant?
  /// The rate when the window was last found to be too small, and the number of rounds since in which that gained nothing.
  private var startRate = 0.0
  private var roundsWithoutGain = 0
  private var roundEnd: UInt64 = 0

  /// Whether the round trip is measured again, for which the line has to be empty.
  private var isProbing = false

  /// The bytes that may be on their way before anything is known.
  private static let firstWindow = 8_192.0
  /// The time on the line, in seconds, of the bytes beyond those that it takes in a round trip, so that it is never idle, and the
  /// least number of these.
  private static let (reserveTime, leastReserve) = (0.03, 2_048.0)
  /// The rounds after which the window no longer grows unless the line does.
  private static let roundsUntilFull = 3
  /// The factor of the window until the line is full.
  private static let startGain = 2.5
  /// The time for which rates and round trips count.
  private static let memory = Duration.seconds(10)

  /// The number of bytes that are on their way.
  var inFlight: Int { Int(total - acknowledged) }

  /// The most bytes that may be on their way.
  var window: Double {
    guard rate > 0, let roundTrip else { return Self.firstWindow }
    let gain = roundsWithoutGain < Self.roundsUntilFull ? Self.startGain : 1
    return gain * rate * roundTrip + max(rate * Self.reserveTime, Self.leastReserve)
  }

  /// Whether more bytes may be sent.
  var hasRoom: Bool { isProbing ? inFlight == 0 : Double(inFlight) < window }

  /// Takes note of bytes that are sent.
  mutating func send(_ count: Int, at now: Instant, isMore: Bool = false) {
    // What was acknowledged before a pause says nothing about the line.
    let isAlone = inFlight == 0
    if isAlone { acknowledgedAt = now }
    total += UInt64(count)
    sent.append(
      Sent(
        end: total, time: now, acknowledged: acknowledged, acknowledgedAt: acknowledgedAt ?? now,
        isAlone: isAlone, isMore: isMore || !hasRoom))
  }

  /// Takes note of an acknowledgment of all bytes up to a number, which the other side may make up.
  mutating func acknowledge(_ count: UInt64, at now: Instant) {
    guard count > acknowledged, count <= total else { return }
    let arrived = sent.prefix { $0.end <= count }
    sent.removeFirst(arrived.count)
    acknowledged = count
    acknowledgedAt = now
    guard let last = arrived.last else { return }
    let time = (now - last.time) / .seconds(1)
    if roundTrip.map({ time <= $0 }) ?? true || last.isAlone {
      roundTrip = max(0.0001, time)
      roundTripTime = now
      isProbing = false
    } else if let roundTripTime, now - roundTripTime > Self.memory {
      isProbing = true
    }
    let elapsed = (now - last.acknowledgedAt) / .seconds(1)
    let measured = elapsed > 0 ? Double(count - last.acknowledged) / elapsed : 0
    // A rate at which there was nothing more to send counts only if it is a higher one.
    guard measured > 0, last.isMore || measured > rate else { return }
    rates.removeAll { now - $0.time > Self.memory || $0.rate <= measured }
    rates.append((measured, now))
    rate = rates[0].rate
    guard count >= roundEnd else { return }
    roundEnd = total
    if rate > startRate * 1.25 {
      startRate = rate
      roundsWithoutGain = 0
    } else {
      roundsWithoutGain += 1
    }
  }
}
