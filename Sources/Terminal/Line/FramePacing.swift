/// Decides when a frame is drawn, and when an image that keeps a key's answer waiting is broken off.
///
/// A value that knows neither time nor terminal: its functions return what has to be done.
struct FramePacing {
  enum TimerChange {
    /// Call ``timeIsUp()`` when an answer has waited for as long as it may.
    case start
    case stop
  }

  private var isFrameDue = false
  private var isTurnScheduled = false
  private var hasAnswer = false
  private var isTimerRunning = false

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
  mutating func receiveKeys() { hasAnswer = true }

  /// Begins the frame that is due.
  /// - Parameter isReady: Whether the terminal has the last frame and is the program's own.
  /// - Returns: Whether the frame answers a key; nil if none can be drawn now.
  mutating func beginFrame(isReady: Bool) -> Bool? {
    guard isFrameDue, isReady else { return nil }
    defer { (isFrameDue, hasAnswer) = (false, false) }
    return hasAnswer
  }

  /// Returns what becomes of the timer.
  /// - Parameter isHeldUp: Whether an answer waits behind an image.
  mutating func watch(isHeldUp: Bool) -> TimerChange? {
    guard isHeldUp != isTimerRunning else { return nil }
    isTimerRunning = isHeldUp
    return isHeldUp ? .start : .stop
  }

  /// Takes note that the timer has fired: the image is broken off now.
  mutating func timeIsUp() { isTimerRunning = false }
}
