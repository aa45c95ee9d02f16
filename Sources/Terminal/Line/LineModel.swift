/// An estimate of the line to the terminal, such as an SSH connection: how long it takes there and back, and how many bytes it
/// carries in a second.
///
/// A program can only see when its bytes were handed to the kernel, which buffers them. So after an image the terminal is
/// asked a question that it answers at once (DA1). Everything that was written before the question has arrived when the
/// answer comes. The model is a value that neither writes nor waits; it is given the times.
public struct LineModel: Sendable {
  /// The time of a question and its answer on an idle line, or nil if it has not been measured. Nothing shorter was seen.
  public private(set) var roundTrip: Duration?
  /// The throughput in bytes per second, or nil if it has not been measured.
  public private(set) var throughput: Double?

  /// The last measurement of the throughput: the bytes, and the time that they took.
  public private(set) var last: (bytes: Int, time: Duration)?

  /// All bytes that were written.
  private var written = 0
  /// The bytes that have arrived, as far as is known.
  private var arrived = 0
  /// The time at which the first byte was written that may not have arrived.
  private var start: ContinuousClock.Instant?
  private var question: Question?
  /// Whether what is written too fast soon has to wait. A multiplexer takes everything, so a key's answer would wait there.
  var hasBackPressure = true
  /// Whether the throughput was measured too low because the round trip is not known.
  private var isRoundTripMissing = false
  /// The bytes that still wait in the line's buffers, by estimate.
  private var queue: Queue?
  /// The factor by which bytes are written faster than the line seems to carry them. As long as it keeps up, it grows.
  private var gain = steadyGain
  /// Whether the program runs at the far end of a connection, whose throughput is worth measuring.
  private let isRemote: Bool

  private struct Queue {
    /// The bytes if the line carries as many as are written.
    var bytes: Double
    /// The bytes if it carries as many as were measured.
    var mostBytes: Double
    var time: ContinuousClock.Instant
  }

  private struct Question: Equatable {
    var written: Int
    var time: ContinuousClock.Instant
  }

  /// The fewest bytes that say something about the throughput.
  private static let fewestBytes = 2048
  /// The throughput that is supposed until it has been measured, in bytes per second: that of a line on which images take
  /// noticeable time.
  private static let supposed = 250_000.0
  /// The largest share of a new measurement in the estimate.
  private static let weight = 0.6
  /// The seconds from which on a measurement has that share. Jitter makes the measurements of short times inexact.
  private static let weightyTime = 0.2
  /// The shortest time that is measured, in seconds.
  private static let shortestTime = 0.005
  /// The gain at the start, and after a lag.
  private static let steadyGain = 1.1
  /// The factor by which the gain grows while the line keeps up.
  private static let growth = 1.3
  private static let largestGain = 4.0
  /// The gain by which the model finds out without back-pressure that the line is faster.
  private static let gainIntoBuffer = 1.25
  /// The time of a question in the line, in seconds, up to which nothing else seems to have been waiting in it.
  private static let shortestLag = 0.04
  /// The most that may wait in the line's buffers, in seconds, unless that is less than ``smallestQueue``.
  private static let longestQueue = 0.1
  /// The number of bytes that may always wait in the line's buffers.
  private static let smallestQueue = 8192.0
  /// The most that may wait if the line has not become faster, in seconds. A long image would fill all buffers otherwise.
  private static let longestSteadyQueue = 0.2
  /// The time of the bytes after which the terminal is asked in the middle of an image, in seconds.
  private static let longestUnmeasuredTime = 0.15
  /// The largest frame that shows a part of an image in characters, in seconds, unless that is less than ``smallestFrame``.
  private static let longestFrame = 0.05
  /// The number of bytes that such a frame may always have.
  private static let smallestFrame = 4096.0
  /// The throughput below which images take a noticeable time, in bytes per second.
  private static let slow = 5e6
  /// The highest throughput that is measured, in bytes per second. Faster lines seem to be as fast.
  private static let fastest = 1e9

  /// Creates a model without measurements. SSH says in the environment that the line is remote.
  public init(environment: [String: String] = [:]) {
    isRemote = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains { environment[$0]?.isEmpty == false }
  }

  /// The throughput in bytes per second, measured or supposed, or nil if the line is not a remote one.
  public var usableThroughput: Double? { isRemote ? throughput ?? Self.supposed : nil }

  /// Whether a question has not been answered yet.
  var isAsking: Bool { question != nil }

  /// Whether an answer would measure the round trip, or the throughput by what was written since the last question.
  var isWorthAsking: Bool {
    isRemote && question == nil && (isRoundTripMissing || written - arrived >= Self.fewestBytes)
  }

  /// Returns whether the terminal is worth asking in the middle of an image of which about `rest` bytes have not been written.
  /// Without a question there, an estimate that is a little too high fills all buffers in the course of a long image.
  func isWorthAsking(before rest: Int) -> Bool {
    guard let usableThroughput, isWorthAsking else { return false }
    let fewest = max(Self.fewestBytes, Int(usableThroughput * Self.longestUnmeasuredTime))
    return written - arrived >= fewest && rest >= fewest
  }

  /// Whether images take a noticeable time on the line.
  var isSlow: Bool { pace.map { $0 < Self.slow } ?? false }

  /// Returns the time that `count` bytes take on the line, or nil if its throughput is not known.
  func time(of count: Int) -> Duration? { throughput.map { .seconds(Double(count) / $0) } }

  /// The number of bytes from which on a frame leaves the rest of its images to the next one, or nil on a fast line.
  var mostBytesOfFrame: Int? {
    guard let usableThroughput, usableThroughput < Self.slow else { return nil }
    return Int(max(Self.smallestFrame, usableThroughput * Self.longestFrame))
  }

  /// Whether all that is known to be written has arrived.
  public var isIdle: Bool { question == nil && written - arrived < Self.fewestBytes }

  /// Takes note that bytes were handed to the kernel.
  mutating func write(_ count: Int, at now: ContinuousClock.Instant) {
    guard count > 0 else { return }
    let queue = queued(at: now)
    if isIdle, queue.bytes == 0 {
      // The few bytes before these have left the line long ago.
      start = now
      arrived = written
    }
    if start == nil { start = now }
    written += count
    self.queue = Queue(bytes: queue.bytes + Double(count), mostBytes: queue.mostBytes + Double(count), time: now)
  }

  /// The rate at which bytes are written, in bytes per second, or nil if they are written as fast as the kernel takes them.
  private var pace: Double? { isRemote ? throughput.map { $0 * gain } : nil }

  private func queued(at now: ContinuousClock.Instant) -> Queue {
    guard let queue, let pace, let throughput else { return Queue(bytes: 0, mostBytes: 0, time: now) }
    let seconds = (now - queue.time) / .seconds(1)
    return Queue(
      bytes: max(0, queue.bytes - pace * seconds), mostBytes: max(0, queue.mostBytes - throughput * seconds), time: now)
  }

  /// Returns the number of bytes that may be written now. With more, they would wait in the line's buffers, and a key's answer
  /// would wait behind them.
  func room(at now: ContinuousClock.Instant) -> Int {
    guard let pace, let throughput else { return .max }
    let queue = queued(at: now)
    let room = max(Self.smallestQueue, pace * Self.longestQueue) - queue.bytes
    let steadyRoom = max(Self.smallestQueue, throughput * Self.longestSteadyQueue) - queue.mostBytes
    return Int(max(0, gain > Self.steadyGain ? room : min(room, steadyRoom)))
  }

  /// Returns the time until about half of the room is free again.
  func timeToRoom(at now: ContinuousClock.Instant) -> Duration {
    guard let pace else { return .zero }
    let most = max(Self.smallestQueue, pace * Self.longestQueue)
    return .seconds(max(0.005, (most / 2 - Double(room(at: now))) / pace))
  }

  /// Takes note that a question was written, as the last bytes so far.
  mutating func ask(at now: ContinuousClock.Instant) {
    guard question == nil else { return }
    question = Question(written: written, time: now)
  }

  /// Takes note that the last question will not be answered. Everything written before counts as arrived.
  mutating func forgetQuestion() {
    question = nil
    start = nil
    arrived = written
    isRoundTripMissing = false
  }

  /// Takes note that the question was answered.
  mutating func receiveAnswer(at now: ContinuousClock.Instant) {
    guard let question, let start else { return }
    self.question = nil
    let count = question.written - arrived
    let elapsed = now - start
    if count < Self.fewestBytes {
      roundTrip = min(roundTrip ?? elapsed, elapsed)
      isRoundTripMissing = false
    } else if let roundTrip, elapsed < roundTrip {
      // The round trip was measured while something else delayed its answer, since this took less with more bytes. Their
      // difference says nothing about the throughput.
      self.roundTrip = now - question.time
      isRoundTripMissing = true
    } else {
      isRoundTripMissing = roundTrip == nil
      let roundTrip = roundTrip ?? .zero
      // What a small question takes in any case says nothing about the throughput.
      let seconds = max((elapsed - min(roundTrip, elapsed)) / .seconds(1), Self.shortestTime)
      let measured = min(Double(count) / seconds, Self.fastest)
      last = (count, elapsed)
      // If the answer came as soon as the question could get there, the line had carried everything else before. Then the
      // measurement shows how fast the bytes were written, and the line may be faster.
      let lag = (now - question.time) / .seconds(1) - roundTrip / .seconds(1)
      if let old = throughput, lag < max(Self.shortestLag, roundTrip / .seconds(1) / 10) {
        throughput = max(old, measured)
        gain = hasBackPressure ? min(gain * Self.growth, Self.largestGain) : Self.gainIntoBuffer
      } else {
        let share = Self.weight * min(1, seconds / Self.weightyTime)
        throughput = throughput.map { $0 + (measured - $0) * share } ?? measured
        gain = hasBackPressure ? Self.steadyGain : 1
      }
      if !isRoundTripMissing { self.roundTrip = min(roundTrip, now - question.time) }
    }
    arrived = question.written
    // The answer shows that nothing older waits in the line, and while it came back the line has carried more.
    let onTheWay = (throughput ?? 0) * ((roundTrip ?? .zero) / .seconds(1))
    let waiting = max(0, Double(written - arrived) - onTheWay)
    queue = Queue(bytes: waiting, mostBytes: waiting, time: now)
    // Bytes that were written after the question follow it without a gap.
    self.start = written > arrived ? now - min(roundTrip ?? .zero, now - question.time) : nil
  }
}
