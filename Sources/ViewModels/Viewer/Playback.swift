/// The playback of a video: which frame is due, and when.
///
/// A frame is chosen while the ones before it are shown, and for the time at which it can be there. So a slow line or machine
/// shows fewer frames and never falls behind: frames are left out, not queued. Two are chosen ahead, so that one is decoded while
/// the other is drawn.
///
/// ```swift
/// var playback = Playback(duration: 20_000, frameInterval: 40, at: now)
/// // The frame at `playback.position` is requested. Once it is drawn:
/// playback.frameIsShown(at: now)
/// // The frames `playback.upcoming` follow, which are requested at once. When the first one is due:
/// playback.showNext(at: now)
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
  /// The frame that is wanted, by its position, or by a negative one if the key frame before it is enough for the moment.
  public var frame: Int { skips ? -position : position }
  /// The frames that follow, in their order; none until the frame at ``position`` is shown for the first time.
  public private(set) var upcoming: [Next] = []
  /// The frame that follows the shown one, or nil if none does.
  public var next: Next? { upcoming.first }
  /// Whether the frame at ``position`` is known to be on the screen.
  public private(set) var isFrameShown = false
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
  /// Whether the key frame before ``position`` is shown first, since many frames have to be decoded for that one.
  private var skips = false
  /// The time at which the frame at ``position`` is due; nil for one that the user has chosen.
  private var due: Duration?
  /// The least time from the choice of a frame until it is due.
  private var lead = Duration.zero

  /// The speed, such as `1.5`.
  public var speedText: String { speed.rounded() == speed ? "\(Int(speed))" : "\(speed)" }

  /// The speeds that the user can choose.
  public static let speeds = [0.25, 0.5, 1, 1.5, 2, 4]
  /// The time between the frames of a video that doesn't say it.
  private static let usualInterval = 40.0
  private static let longestLead = Duration.seconds(1)
  /// The number of frames that are requested before they are due.
  private static let mostAhead = 2
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

  /// Takes note that the wanted ``frame`` is on the screen, and chooses those that follow. If that was a key frame, the frame at
  /// ``position`` is wanted then.
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
    if skips {
      skips = false
      return
    }
    guard !isPaused, !isFrameShown else { return }
    isFrameShown = true
    if start == nil { start = (position, now) }
    if let due {
      // Only a late frame shows how much time was missing. After one that is in time, the next one gets less.
      lead = now > due + Self.tolerance ? min(Self.longestLead, lead + (now - due)) : lead * 7 / 8
    }
    while upcoming.count < Self.mostAhead, let frame = frame(after: now) { upcoming.append(frame) }
    if upcoming.isEmpty { isPaused = true }
  }

  /// Makes the next frame the current one when it is due.
  ///
  /// A timer that rings late says nothing about the time that a frame takes, so the frame is late from `now` on.
  public mutating func showNext(at now: Duration) {
    guard !upcoming.isEmpty else { return }
    let next = upcoming.removeFirst()
    due = max(next.time, now)
    if next.position < position { start = nil }
    position = next.position
    isFrameShown = false
  }

  private func frame(after now: Duration) -> Next? {
    let last = upcoming.last?.position ?? position
    // The time of a loop counts from its first frame on.
    guard let start, last >= position else { return nil }
    let clock = Double(start.position) + (now - start.time) / .milliseconds(1) * speed
    let earliest = clock + lead / .milliseconds(1) * speed
    let steps = max(1, ((earliest - Double(last)) / frameInterval).rounded(.up))
    let place = Double(last) + steps * frameInterval
    let time = start.time + .milliseconds((place - Double(start.position)) / speed)
    if duration == 0 || place < Double(duration) { return Next(position: Int(place.rounded()), time: time) }
    return isLoop ? Next(position: 1, time: time) : nil
  }
}

// MARK: - What the user does

extension Playback {
  /// Whether the last frame is shown.
  private var isAtEnd: Bool { duration > 0 && Double(position) + frameInterval >= Double(duration) }

  /// Pauses because a frame can't be shown. The next one could take as long, and without a duration there would be no end.
  public mutating func frameIsMissing() {
    isPaused = true
    restart()
  }

  /// Pauses or continues. After the last frame, the first one follows.
  public mutating func togglePause() {
    if isPaused, isAtEnd { position = 1 }
    isPaused.toggle()
    restart()
  }

  /// Moves by a number of seconds, back if it is negative.
  /// - Parameter showsKeyFrame: Whether a key frame is shown until the frame is there. Over a slow line, it would only be in the way.
  public mutating func wind(by seconds: Int, showsKeyFrame: Bool = true) {
    move(to: position + seconds * 1000)
    skips = showsKeyFrame && position > 1
  }

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
    upcoming = []
    due = nil
    skips = false
    isFrameShown = false
  }
}
