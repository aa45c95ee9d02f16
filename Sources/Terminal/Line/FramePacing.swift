import Dispatch

/// Decides when a frame is drawn, and when an image that keeps a key's answer waiting is broken off.
///
/// A value that neither waits nor knows the terminal: it is given the times, and its functions return what has to be done.
struct FramePacing {
  enum TimerChange {
    /// Call ``timeIsUp()`` when an answer has waited for as long as it may (``longestHoldUp(rest:on:)``).
    case start
    case stop
  }

  private var isFrameDue = false
  private var isTurnScheduled = false
  private var hasAnswer = false
  private var isTimerRunning = false
  private var lastKey: ContinuousClock.Instant?
  /// The time between the last two keys.
  private(set) var keyInterval = longestKeyInterval

  /// The time for which a key's answer waits for an image before the image is broken off. On a fast line it never waits so
  /// long.
  private static let longestHoldUp = DispatchTimeInterval.milliseconds(200)
  private static let longestHoldUpOnSlowLine = DispatchTimeInterval.milliseconds(20)
  /// The interval of keys below which one is held down.
  private static let heldKeyInterval = Duration.milliseconds(150)
  /// The longest rest of an image that may end while a key is held down.
  private static let longestRest = Duration.milliseconds(80)
  /// The interval of keys that are not pressed one after the other.
  private static let longestKeyInterval = Duration.seconds(10)

  /// Whether a frame that answers a key waits to be drawn.
  var isAnswerDue: Bool { isFrameDue && hasAnswer }

  /// Asks for a frame.
  /// - Returns: Whether ``endTurn()`` has to be called at the end of this turn of the event loop.
  mutating func requestFrame() -> Bool {
    isFrameDue = true
    defer { isTurnScheduled = true }
    return !isTurnScheduled
  }

  /// Takes note that the turn of the event loop has ended in which a frame was asked for.
  mutating func endTurn() { isTurnScheduled = false }

  /// Takes note that the user has pressed keys, which the next frame answers.
  mutating func receiveKeys(at now: ContinuousClock.Instant) {
    hasAnswer = true
    keyInterval = min(lastKey.map { now - $0 } ?? Self.longestKeyInterval, Self.longestKeyInterval)
    lastKey = now
  }

  /// Begins the frame that is due.
  /// - Parameter isReady: Whether the terminal has the last frame and is the program's own.
  /// - Returns: Whether the frame answers a key; nil if none can be drawn now.
  mutating func beginFrame(isReady: Bool) -> Bool? {
    guard isFrameDue, isReady else { return nil }
    defer {
      isFrameDue = false
      hasAnswer = false
    }
    return hasAnswer
  }

  /// Returns what becomes of the timer.
  /// - Parameter isHeldUp: Whether an answer waits behind an image.
  mutating func watch(isHeldUp: Bool) -> TimerChange? {
    guard isHeldUp != isTimerRunning else { return nil }
    isTimerRunning = isHeldUp
    return isHeldUp ? .start : .stop
  }

  /// Returns the time for which a key's answer may wait for an image.
  /// - Parameter rest: The number of the image's bytes that have not left.
  func longestHoldUp(rest: Int, on line: LineModel) -> DispatchTimeInterval {
    guard line.isSlow else { return Self.longestHoldUp }
    // While a key is held down, no image at all would be seen to its end.
    let isHeld = keyInterval < Self.heldKeyInterval && (line.time(of: rest) ?? .zero) < Self.longestRest
    return isHeld ? Self.longestHoldUp : Self.longestHoldUpOnSlowLine
  }

  /// Takes note that the timer has fired: the image is broken off now.
  mutating func timeIsUp() { isTimerRunning = false }
}
