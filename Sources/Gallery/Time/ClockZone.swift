#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A time zone: an offset from UTC, or a zone of the system's database, whose offset changes in the course of the year.
///
/// Foundation's named zones come with ICU, which a statically linked program leaves out, and those of the C library are one for the
/// whole process. So the files of the database are read here (RFC 9636, "The Time Zone Information Format").
public struct ClockZone: Hashable, Sendable {
  /// The zone as the user writes it: `+02:00` or `Europe/Lisbon`.
  public let name: String
  private let rules: ZoneRules

  private static let folder = "/usr/share/zoneinfo"
  /// The longest file in bytes. The longest one of the database has some 4 kB.
  private static let longestFile = 1 << 16

  private init(name: String, rules: ZoneRules) {
    self.name = name
    self.rules = rules
  }

  /// Creates a zone of an offset from UTC in seconds.
  public init(offset: Int) {
    self.init(name: offset == 0 ? "UTC" : CalendarTime.offsetText(offset), rules: ZoneRules(offset: offset))
  }

  /// Reads a zone as the user writes it: `Z`, `UTC`, `+02:00`, `+0530`, `-3`, or a name of the database. Returns nil if there is none. It
  /// reads a file.
  public init?(_ text: String) {
    if ["z", "utc", "gmt"].contains(text.lowercased()) {
      self.init(offset: 0)
    } else if let offset = Self.offset(text) {
      self.init(offset: offset)
    } else {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      // A name leads to no other folder.
      guard let first = text.first, first.isLetter, parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }),
        text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "/_+-".contains($0)) }),
        let rules = Self.contents(of: "\(Self.folder)/\(text)").flatMap(ZoneRules.init(file:))
      else { return nil }
      self.init(name: text, rules: rules)
    }
  }

  /// Returns the offset from UTC at a moment, in seconds.
  ///
  /// - Parameter moment: The seconds since 1970-01-01 00:00:00 UTC.
  public func offset(at moment: Double) -> Int { rules.offset(at: moment) }

  /// Returns the offset from UTC of a clock that shows a time, in seconds. A time that the clock shows twice, when it is set back, is the
  /// first one. A time that it skips has the offset before it was set forward.
  ///
  /// - Parameter clock: The seconds since 1970-01-01 00:00:00 of the same clock.
  public func offset(ofClock clock: Double) -> Int {
    // The offsets of a day before and a day later are those on both sides of a change.
    let (before, after) = (offset(at: clock - 86_400), offset(at: clock + 86_400))
    return [before, after].first { offset(at: clock - Double($0)) == $0 } ?? before
  }

  private static func offset(_ text: String) -> Int? {
    guard let sign = text.first, sign == "+" || sign == "-" || sign == "\u{2212}" else { return nil }
    let digits = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    var parts = digits.map { $0.allSatisfy { $0.isASCII && $0.isNumber } ? Int($0) : nil }
    if digits.count == 1, digits[0].count == 4, let both = parts[0] { parts = [both / 100, both % 100] }
    guard (1...2).contains(parts.count), let hours = parts[0], hours <= 14,
      let minutes = parts.count == 2 ? parts[1] : 0,
      minutes < 60
    else { return nil }
    let seconds = (hours * 60 + minutes) * 60
    return sign == "+" ? seconds : -seconds
  }

  private static func contents(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: longestFile) { buffer, count in
      count = fread(buffer.baseAddress, 1, longestFile, file)
    }
    return bytes.isEmpty ? nil : bytes
  }
}
