/// The playback of a video: which frame is due, and when.
///
/// A frame is chosen when the one before it is shown, and for the time at which it can be there. So a slow line or machine
/// shows fewer frames and never falls behind: frames are left out, not queued.
///
/// ```swift
/// var playback = Playback(duration: 20_000, frameInterval: 40, at: now)
/// // The frame at `playback.position` is requested. Once it is drawn:
/// playback.frameIsShown(at: now)
/// // `playback.next` says which frame follows, which is requested at once, and when it is due:
/// playback.showNext()
/// ```
///
/// It has no clock and no timer. Positions are in milliseconds. Times are those since any one moment.
public struct Playback: Sendable {
  /// A frame that follows.
  public struct Next: Equatable, Sendable {
    /// The position of the frame.
    public let position: Int
    /// The time at which it takes the place of the frame before it.
    public let time: Duration
  }

  /// The duration, or 0 if it is unknown.
  public private(set) var duration: Int
  /// The position of the frame that is shown, or that will be as soon as it is there. The first one is 1.
  public private(set) var position: Int
  /// The frame that follows the shown one; nil if none does, and until the frame at ``position`` is shown.
  public private(set) var next: Next?
  /// Whether no frame follows until the user continues.
  public private(set) var isPaused = false
  /// The factor by which the video is faster than it was taken.
  public private(set) var speed = 1.0
  /// Whether the first frame follows the last one.
  public private(set) var isLoop = false

  /// The time between two frames; nil if it is unknown.
  private var knownInterval: Double?
  private var frameInterval: Double { knownInterval ?? Self.usualInterval }
  /// A position and the time at which it was shown, from which the others follow; nil until the next frame is shown.
  private var start: (position: Int, time: Duration)?
  /// The times at which the frame at ``position`` was requested and is due; nil for one that nothing was chosen for.
  private var schedule: (requested: Duration, due: Duration)?
  /// The time that is left to a frame from its request until it is shown.
  private var effort = Duration.zero

  /// The speed, such as `1.5`.
  public var speedText: String { speed.rounded() == speed ? "\(Int(speed))" : "\(speed)" }

  /// The speeds that the user can choose.
  public static let speeds = [0.25, 0.5, 1, 1.5, 2, 4]
  /// The time between the frames of a video that doesn't say it.
  private static let usualInterval = 40.0
  /// The longest time for which the choice of a frame looks ahead.
  private static let longestEffort = Duration.seconds(1)
  /// The time after which a frame is late.
  private static let tolerance = Duration.milliseconds(8)

  /// Starts a playback.
  ///
  /// - Parameters:
  ///   - duration: The duration, or 0 if it is unknown.
  ///   - frameInterval: The time between two frames; nil if it is unknown.
  ///   - position: The position of the first frame that is shown.
  public init(duration: Int, frameInterval: Double? = nil, from position: Int = 1) {
    self.duration = duration
    knownInterval = frameInterval.map { max(1, $0) }
    self.position = max(1, position)
  }

  /// Takes note that the frame at ``position`` is on the screen, and chooses the one that follows.
  ///
  /// - Parameters:
  ///   - duration: The duration as the decoder knows it, or 0.
  ///   - interval: The time between two frames as the decoder knows it, or 0.
  public mutating func frameIsShown(at now: Duration, duration: Int = 0, interval: Int = 0) {
    if knownInterval == nil, interval > 0 { knownInterval = Double(interval) }
    if self.duration == 0, duration > 0 {
      self.duration = duration
      // The user may have wound beyond the end before that was known.
      if position > duration { return move(to: position) }
    }
    guard !isPaused, next == nil else { return }
    if start == nil { start = (position, now) }
    if let schedule {
      // Only a late frame shows how long it takes. After one that is in time, the next one gets less time.
      let isLate = now > schedule.due + Self.tolerance
      effort = isLate ? min(Self.longestEffort, now - schedule.requested) : effort * 7 / 8
    }
    next = frame(after: now)
    schedule = next.map { (now, $0.time) }
    if next == nil { isPaused = true }
  }

  /// Makes the next frame the current one.
  public mutating func showNext() {
    guard let next else { return }
    if next.position < position { start = nil }
    position = next.position
    self.next = nil
  }

  private func frame(after now: Duration) -> Next? {
    guard let start else { return nil }
    let clock = Double(start.position) + (now - start.time) / .milliseconds(1) * speed
    let earliest = clock + effort / .milliseconds(1) * speed
    let steps = max(1, ((earliest - Double(position)) / frameInterval).rounded(.up))
    let place = Double(position) + steps * frameInterval
    let time = start.time + .milliseconds((place - Double(start.position)) / speed)
    if duration == 0 || place < Double(duration) { return Next(position: Int(place.rounded()), time: time) }
    return isLoop ? Next(position: 1, time: time) : nil
  }
}

// MARK: - What the user does

extension Playback {
  /// Whether the last frame is shown.
  private var isAtEnd: Bool { duration > 0 && Double(position) + frameInterval >= Double(duration) }

  /// Pauses or continues. After the last frame, the first one follows.
  public mutating func togglePause() {
    if isPaused, isAtEnd { position = 1 }
    isPaused.toggle()
    restart()
  }

  /// Moves by a number of seconds, back if it is negative.
  public mutating func wind(by seconds: Int) { move(to: position + seconds * 1000) }

  /// Pauses, and moves by a number of frames.
  public mutating func step(by frames: Int) {
    isPaused = true
    move(to: Int((Double(position) + Double(frames) * frameInterval).rounded()))
  }

  /// Plays faster or slower by some steps of ``speeds``.
  public mutating func changeSpeed(by steps: Int) {
    let place = Self.speeds.firstIndex(of: speed) ?? 0
    speed = Self.speeds[min(max(0, place + steps), Self.speeds.count - 1)]
    restart()
  }

  /// Plays once or again and again.
  public mutating func toggleLoop() {
    isLoop.toggle()
    restart()
  }

  private mutating func move(to position: Int) {
    let last = duration > 0 ? max(1, duration - Int(frameInterval)) : Int.max
    self.position = min(max(1, position), last)
    restart()
  }

  /// Counts the time from the next frame that is shown.
  private mutating func restart() {
    start = nil
    next = nil
    schedule = nil
  }
}
