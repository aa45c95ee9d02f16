/// A moment, or a time of a clock, as a catalog has it (ISO 8601): `2003-12-14T12:01:44.25-03:30`, without an offset
/// where that is not known, and with as many digits behind the point as are wanted, six at most.
public struct WrittenTime {
  public let text: String

  /// Of the years 0 to 9999, which are all that ISO 8601 has without more ado; what is beyond becomes the nearest.
  private static let seconds = -62_167_219_200.0...253_402_300_799.0

  /// - Parameters:
  ///   - secondsSince1970: By the clock whose offset this is.
  ///   - offset: In seconds ahead of UTC.
  public init(secondsSince1970 seconds: Double, offset: Int?) {
    let clamped = min(max(seconds, Self.seconds.lowerBound), Self.seconds.upperBound)
    let microseconds = Int((clamped * 1e6).rounded())
    let (day, rest) = Self.divide(microseconds, by: 86_400_000_000)
    let (year, month, dayOfMonth) = Self.date(ofDay: day)
    func digits(_ value: Int, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let second = rest / 1_000_000
    var fraction = Substring(digits(rest % 1_000_000, 6))
    while fraction.last == "0" { fraction.removeLast() }
    text =
      "\(digits(year, 4))-\(digits(month, 2))-\(digits(dayOfMonth, 2))T\(digits(second / 3600, 2)):"
      + "\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2))\(fraction.isEmpty ? "" : ".\(fraction)")"
      + (offset.map { offset in
        if offset == 0 { return "Z" }
        let minutes = abs(offset) / 60
        return "\(offset < 0 ? "-" : "+")\(digits(minutes / 60, 2)):\(digits(minutes % 60, 2))"
      } ?? "")
  }

  /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`: years begin in March.
  private static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = divide(day + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  /// Rounds down.
  private static func divide(_ value: Int, by divisor: Int) -> (Int, Int) {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
