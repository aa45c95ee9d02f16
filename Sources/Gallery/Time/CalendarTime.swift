import FoundationEssentials

/// A time as a calendar and a clock show it, without a time zone.
///
/// Every date of the program is read and written here. The calendar is the proleptic Gregorian calendar of ISO 8601,
/// from year 0 to year 9999.
public struct CalendarTime: Hashable, Sendable {
  /// The year of the Gregorian calendar.
  public let year: Int
  /// The month, from 1 to 12.
  public let month: Int
  /// The day of the month, from 1 to 31.
  public let day: Int
  /// The seconds since midnight, with a fraction.
  public let secondOfDay: Double

  /// Creates a time, or returns nil if the calendar has no such day.
  public init?(year: Int, month: Int, day: Int, secondOfDay: Double = 0) {
    guard (0...9999).contains(year), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day) else {
      return nil
    }
    self.year = year
    self.month = month
    self.day = day
    self.secondOfDay = secondOfDay
  }

  /// Creates the time that a clock shows, rounded to microseconds.
  ///
  /// - Parameter clock: The seconds since 1970-01-01 00:00:00 of the same clock. A time before year 0 or after year
  ///   9999 becomes the first or the last second of that range.
  public init(clock: Double) {
    let range = CaptureTime.clocks
    let clamped = clock > range.lowerBound ? min(clock, range.upperBound - 1) : range.lowerBound
    let (days, microsecond) = Self.divide(Int((clamped * 1e6).rounded()), by: 86_400_000_000)
    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`. Its years begin in March.
    let (era, dayOfEra) = Self.divide(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    secondOfDay = Double(microsecond) / 1e6
  }

  /// The seconds since 1970-01-01 00:00:00 of the same clock.
  public var clock: Double { Double(daysSince1970 * 86_400) + secondOfDay }

  /// The times of the month from its start to that of the next one, as ``clock`` counts them.
  public var clocksOfMonth: Range<Double> {
    let start = clock - secondOfDay - Double((day - 1) * 86_400)
    return start..<start + Double(daysInMonth * 86_400)
  }

  /// The number of days in the month.
  public var daysInMonth: Int { Self.days(in: month, of: year) }

  /// The day of the week, from 0 for Monday to 6 for Sunday.
  public var dayOfWeek: Int { Self.divide(daysSince1970 + 3, by: 7).rest }  // 1970-01-01 was a Thursday.

  /// The days since 1970-01-01.
  var daysSince1970: Int {
    // Howard Hinnant, as above, `days_from_civil`. One era of 400 years is added to keep every term positive.
    let shifted = (month <= 2 ? year - 1 : year) + 400
    let (era, yearOfEra) = shifted.quotientAndRemainder(dividingBy: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return (era - 1) * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Divides, rounding down, so that the remainder is never negative.
  private static func divide(_ value: Int, by divisor: Int) -> (quotient: Int, rest: Int) {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}

// Writing.
extension CalendarTime {
  /// The day: `2003-12-14`.
  public var dayText: String { "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))" }

  /// The day with its weekday: `Sunday, 2003-12-14`.
  public var weekdayText: String {
    // Translators: a weekday, the year, the month and the day, in digits.
    localized("\(weekday), \(yearText)-\(Self.digits(month, 2))-\(Self.digits(day, 2))")
  }

  /// The month: `2003-12`.
  public var monthText: String { "\(Self.digits(year, 4))-\(Self.digits(month, 2))" }

  /// The year: `2003`.
  public var yearText: String { Self.digits(year, 4) }

  /// The minute: `12:01`.
  public var clockText: String {
    let minute = Int(secondOfDay) / 60
    return "\(Self.digits(minute / 60, 2)):\(Self.digits(minute % 60, 2))"
  }

  /// The day and the minute: `2003-12-14 12:01`.
  public var minuteText: String { "\(dayText) \(clockText)" }

  private var weekday: String {
    switch dayOfWeek {
    case 0: localized("Monday")
    case 1: localized("Tuesday")
    case 2: localized("Wednesday")
    case 3: localized("Thursday")
    case 4: localized("Friday")
    case 5: localized("Saturday")
    default: localized("Sunday")
    }
  }

  /// Returns the time as ISO 8601 writes it, with up to six digits of a fraction: `2003-12-14T12:01:44.25-03:30`.
  ///
  /// - Parameter offset: The clock's offset from UTC in seconds, or nil to leave it out.
  public func iso8601(offset: Int?) -> String {
    let microsecond = Int((secondOfDay * 1e6).rounded())
    let second = microsecond / 1_000_000
    var fraction = Substring(Self.digits(microsecond % 1_000_000, 6))
    while fraction.last == "0" { fraction.removeLast() }
    return "\(dayText)T\(Self.digits(second / 3600, 2)):\(Self.digits(second / 60 % 60, 2)):"
      + "\(Self.digits(second % 60, 2))\(fraction.isEmpty ? "" : ".\(fraction)")\(offset.map(Self.offsetText) ?? "")"
  }

  /// Returns an offset from UTC in seconds as ISO 8601 writes it: `+02:00`, or `Z`.
  static func offsetText(_ offset: Int) -> String {
    if offset == 0 { return "Z" }
    let minutes = abs(offset) / 60
    return "\(offset < 0 ? "-" : "+")\(digits(minutes / 60, 2)):\(digits(minutes % 60, 2))"
  }

  private static func digits(_ value: Int, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}

/// A moment, and the offset of the clock that showed it.
public struct Timestamp: Hashable, Sendable {
  /// The seconds since 1970-01-01 00:00:00 UTC.
  public let seconds: Double
  /// The clock's offset from UTC in seconds, positive in the east.
  public let offset: Int

  /// The moment, without the offset.
  public var date: Date { Date(timeIntervalSince1970: seconds) }

  /// Reads a time of ISO 8601 with its offset from UTC, in UTF-8: `2014-03-31T17:40:12-04:00`.
  ///
  /// The seconds may be missing or have a fraction, `Z` means no offset, and the basic forms of an offset are
  /// read, too (`-0400`, `-04`).
  public init?(iso8601 text: UnsafeBufferPointer<UInt8>) {
    var scanner = DateScanner(text)
    guard let time = scanner.iso8601(), let offset = scanner.offset(), scanner.isAtEnd else { return nil }
    self.offset = offset
    seconds = Double(time.daysSince1970 * 86_400 - offset) + time.secondOfDay
  }

  /// Reads a time of ISO 8601 with its offset from UTC.
  public init?(_ text: String) {
    var text = text
    guard let timestamp = text.withUTF8(Timestamp.init(iso8601:)) else { return nil }
    self = timestamp
  }
}

extension CaptureTime {
  /// Reads a time of ISO 8601, in UTF-8, with an offset from UTC or without.
  public init?(iso8601 text: UnsafeBufferPointer<UInt8>) {
    var scanner = DateScanner(text)
    guard let time = scanner.iso8601() else { return nil }
    let offset = scanner.isAtEnd ? nil : scanner.offset()
    guard scanner.isAtEnd else { return nil }
    self.init(clock: time.clock, offset: offset)
  }

  /// Reads a time as Exif writes it (`2003:12:14 12:01:44`) or as XMP does (`2008-03-15T09:52:01-04:00`).
  ///
  /// Parts that the writer does not know may be missing from the end. Cameras whose clock was never set write zeros or
  /// spaces, which are no time.
  ///
  /// - Parameter offset: The offset from UTC (`+09:00`) that applies if the text does not contain one.
  public init?(metadata text: String, offset: String? = nil) {
    var text = text
    guard
      let (time, own) = text.withUTF8({ utf8 in
        var scanner = DateScanner(utf8)
        return scanner.metadataTime().map { ($0, scanner.metadataOffset()) }
      })
    else { return nil }
    self.init(clock: time.clock, offset: own ?? offset.flatMap(Self.metadataOffset))
  }

  /// Reads a date and a time as IPTC writes them: `20031214` and `120144+0100` (IIM 4.2, datasets 2:55 and 2:60). Some programs
  /// write separators into the date.
  public init?(iptcDate date: String, time: String?) {
    let digits = date.filter { $0 != "-" && $0 != ":" }.map(\.self)
    guard digits.count == 8 else { return nil }
    var text = "\(String(digits[0..<4])):\(String(digits[4..<6])):\(String(digits[6..<8]))"
    if let time = time.map(Array.init), time.count >= 6 {
      text += " \(String(time[0..<2])):\(String(time[2..<4])):\(String(time[4..<6]))\(String(time[6...]))"
    }
    self.init(metadata: text)
  }

  /// The time in words: `2003-12-14 12:01:44`, and the offset unless that is nil.
  public var shownText: String {
    let text = iso8601
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))\(offset.map { " \(CalendarTime.offsetText($0))" } ?? "")"
  }

  /// The time as ISO 8601 writes it, with its offset if that is known.
  public var iso8601: String { CalendarTime(clock: clock).iso8601(offset: offset) }

  private static func metadataOffset(_ text: String) -> Int? {
    var text = text
    return text.withUTF8 { utf8 in
      var scanner = DateScanner(utf8)
      return scanner.metadataOffset()
    }
  }
}

/// A cursor that takes the parts of a date from UTF-8 text.
private struct DateScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }

  /// Takes a character if it comes next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// Takes a number of exactly `digits` digits if it is in `range`.
  mutating func number(digits: Int, in range: ClosedRange<Int>) -> Int? {
    guard index + digits <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[index..<index + digits] {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    guard range.contains(value) else { return nil }
    index += digits
    return value
  }

  /// Takes `2014-03-31T17:40:12.5`, of which the seconds may be missing.
  mutating func iso8601() -> CalendarTime? {
    guard let year = number(digits: 4, in: 0...9999), take("-"), let month = number(digits: 2, in: 1...12), take("-"),
      let day = number(digits: 2, in: 1...31), take("T") || take("t") || take(" "),
      let hour = number(digits: 2, in: 0...23), take(":"), let minute = number(digits: 2, in: 0...59)
    else { return nil }
    var seconds = Double(hour * 3600 + minute * 60)
    if take(":") {
      // A leap second is shown as the one after it.
      guard let second = number(digits: 2, in: 0...60) else { return nil }
      seconds += Double(second)
      if take(".") || take(",") {
        guard let fraction = fraction() else { return nil }
        seconds += fraction
      }
    }
    return CalendarTime(year: year, month: month, day: day, secondOfDay: seconds)
  }

  /// Takes `2003:12:14 12:01:44.25`, from which the last parts may be missing.
  mutating func metadataTime() -> CalendarTime? {
    guard let year = number(digits: 4, in: 1...9999) else { return nil }
    var (month, day, seconds) = (1, 1, 0.0)
    if take(":") || take("-") {
      guard let written = number(digits: 2, in: 1...12) else { return nil }
      month = written
      if take(":") || take("-") {
        guard let written = number(digits: 2, in: 1...31) else { return nil }
        day = written
      }
    }
    if take(" ") || take("T"), let hour = number(digits: 2, in: 0...23), take(":"),
      let minute = number(digits: 2, in: 0...59)
    {
      seconds = Double(hour * 3600 + minute * 60)
      // A leap second is shown as the one before it.
      if take(":"), let second = number(digits: 2, in: 0...60) { seconds += Double(min(second, 59)) }
      if take(".") { seconds += fraction() ?? 0 }
    }
    return CalendarTime(year: year, month: month, day: day, secondOfDay: seconds)
  }

  /// Takes the digits of a fraction, of which there must be one.
  private mutating func fraction() -> Double? {
    var (fraction, unit) = (0.0, 1.0)
    while let digit = number(digits: 1, in: 0...9) {
      // A Double is not exact with more digits, and no writer means them.
      if unit < 1e9 { (fraction, unit) = (fraction * 10 + Double(digit), unit * 10) }
    }
    return unit > 1 ? fraction / unit : nil
  }

  /// Takes `Z`, or the hours and minutes ahead of UTC (`-04:00`, `-0400`, `-04`), and returns them in seconds.
  mutating func offset() -> Int? {
    if take("Z") || take("z") { return 0 }
    let isBehind = take("-")
    guard isBehind || take("+"), let hours = number(digits: 2, in: 0...23) else { return nil }
    let hasColon = take(":")
    let minutes = number(digits: 2, in: 0...59)
    if hasColon, minutes == nil { return nil }
    let seconds = (hours * 60 + (minutes ?? 0)) * 60
    return isBehind ? -seconds : seconds
  }

  /// Takes an offset, or returns nil if no time zone has it: some cameras write nonsense.
  mutating func metadataOffset() -> Int? {
    offset().flatMap { abs($0) < 16 * 3600 ? $0 : nil }
  }
}
