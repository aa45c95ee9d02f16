/// A correction of the clock of a camera that was wrong, or that was in another time zone than the photos.
///
/// ```swift
/// var correction = ClockCorrection()
/// correction.difference = 3600                       // The clock was one hour late.
/// correction.cameraZone = ClockZone("Europe/Berlin") // It showed the time of home,
/// correction.zone = ClockZone("Asia/Tokyo")          // and the photos get that of the journey.
/// ```
public struct ClockCorrection: Hashable, Sendable {
  /// The seconds that are added to the time.
  public var difference = 0.0
  /// The zone whose time the clock showed; nil for the zone that the files say.
  public var cameraZone: ClockZone?
  /// The zone whose time the photos get; nil if they keep that of the clock.
  public var zone: ClockZone?

  /// Creates a correction that changes nothing.
  public init() {}

  /// Whether nothing is changed.
  public var isEmpty: Bool { difference == 0 && cameraZone == nil && zone == nil }

  /// Returns the right time of a photo. Returns nil if ``zone`` is known and that of the clock is not, or if no calendar has the time.
  public func corrected(_ time: CaptureTime) -> CaptureTime? {
    var right = CaptureTime(clock: time.clock + difference, offset: time.offset)
    if let cameraZone { right.offset = cameraZone.offset(ofClock: right.clock) }
    if let zone {
      guard let offset = right.offset else { return nil }
      let moment = right.clock - Double(offset)
      right.offset = zone.offset(at: moment)
      right.clock = moment + Double(zone.offset(at: moment))
    }
    return CaptureTime.clocks.contains(right.clock) ? right : nil
  }

  /// The correction in words, such as `+1:00:00, Asia/Tokyo`.
  public var text: String {
    let parts: [String?] = [
      difference == 0 ? nil : ClockDifference(seconds: difference).text, (zone ?? cameraZone)?.name,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

/// A difference between two times, as the user writes it: `+1:00:00`, `-0:05`, `+2d 3:00`, `90s`.
public struct ClockDifference: Hashable, Sendable {
  /// The difference in seconds.
  public let seconds: Double

  /// Creates a difference.
  public init(seconds: Double) { self.seconds = seconds }

  /// Reads a difference. Returns nil if it is invalid, or longer than some hundred years.
  public init?(_ text: String) {
    var parts = text.split(separator: " ").map(String.init)
    guard let first = parts.first?.first else { return nil }
    let isNegative = first == "-" || first == "\u{2212}"
    if isNegative || first == "+" { parts[0].removeFirst() }
    parts.removeAll(where: \.isEmpty)
    var seconds = 0.0
    for part in parts {
      guard let value = Self.seconds(part) else { return nil }
      seconds += value
    }
    guard !parts.isEmpty, seconds < 1e10 else { return nil }
    self.seconds = isNegative ? -seconds : seconds
  }

  /// Reads `1:02:03.5`, `1:02`, `2d`, `3h`, `5m` or `90s`.
  private static func seconds(_ text: String) -> Double? {
    func number(_ text: Substring) -> Double? {
      text.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") } ? Double(text) : nil
    }
    if let unit = text.last, let size = ["d": 86_400.0, "h": 3600, "m": 60, "s": 1][unit] {
      return number(text.dropLast()).map { $0 * size }
    }
    let values = text.split(separator: ":", omittingEmptySubsequences: false).map { number($0) ?? -1 }
    guard (2...3).contains(values.count), values.allSatisfy({ $0 >= 0 }), values.dropFirst().allSatisfy({ $0 < 60 })
    else {
      return nil
    }
    return zip(values, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// The difference with its sign: `+1:00:00`, or `−2d 3:00:00.5`.
  public var text: String {
    let hundredths = Int((abs(seconds) * 100).rounded())
    let (whole, rest) = (hundredths / 100, hundredths % 100)
    let (days, second) = (whole / 86_400, whole % 86_400)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let clock = "\(second / 3600):\(two(second / 60 % 60)):\(two(second % 60))"
    let fraction = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : ".\(two(rest))"
    return "\(seconds < 0 ? "−" : "+")\(days > 0 ? "\(days)d " : "")\(clock)\(fraction)"
  }
}
