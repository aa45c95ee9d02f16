import Gallery

/// A parser for days, months, years, and words such as `last-week`.
///
/// It returns the times at which a period begins and ends by the camera's clock (see ``Photo/clock``). So a photo is
/// found by the date that is shown for it, in any time zone.
struct Periods {
  /// The time that the user's clock shows.
  let now: CalendarTime

  /// A period that has a name, as `june` and `winter`, and begins in the same month of each year.
  struct Named {
    /// The first month, from 1 to 12.
    let month: Int
    /// The number of months.
    let count: Int
  }

  /// The months, and the seasons of the northern hemisphere as meteorologists count them. Winter begins in December of its
  /// year.
  static let named: [String: Named] = {
    let seasons = [("spring", 3), ("summer", 6), ("autumn", 9), ("fall", 9), ("winter", 12)]
    let months = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
      "december",
    ]
    let all =
      seasons.map { ($0, Named(month: $1, count: 3)) }
      + months.enumerated().map { ($1, Named(month: $0 + 1, count: 1)) }
    return Dictionary(uniqueKeysWithValues: all)
  }()
  private static let units = ["week", "month", "year"]
  private static let names =
    ["today", "yesterday"] + units.flatMap { ["this-\($0)", "last-\($0)"] } + named.keys.map { "last-\($0)" }

  /// Returns the times of a range such as `>=2017` or `2015..today`, or nil if a date is invalid or the range is
  /// empty.
  func range(_ range: QueryRange, yearsOnly: Bool = false) -> Range<Double>? {
    var (first, last) = (-Double.infinity, Double.infinity)
    if let lower = range.lower {
      guard let period = yearsOnly ? Self.year(lower) : period(lower) else { return nil }
      first = range.includesLower ? period.lowerBound : period.upperBound
    }
    if let upper = range.upper {
      guard let period = yearsOnly ? Self.year(upper) : end(upper, of: first) else { return nil }
      last = range.includesUpper ? period.upperBound : period.lowerBound
    }
    return first < last ? first..<last : nil
  }

  /// Returns the times of the end of a range. A name such as `august` is the first one behind the beginning.
  private func end(_ text: Substring, of beginning: Double) -> Range<Double>? {
    guard beginning.isFinite, let named = Self.named[String(text)] else { return period(text) }
    let year = CalendarTime(clock: beginning).year
    return (year...year + 1).lazy.compactMap { Self.months($0 * 12 + named.month - 1, named.count) }
      .first { $0.upperBound > beginning }
  }

  /// Returns the times of a date or of a word such as `yesterday`, or nil if it is neither.
  func period(_ text: Substring) -> Range<Double>? {
    let words = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    switch words[0] {
    case "today": return words.count == 1 ? days(0, 1) : nil
    case "yesterday": return words.count == 1 ? days(-1, 1) : nil
    case "this": return words.count == 2 ? unit(words[1], before: 0) : nil
    case "last": return words.count == 2 ? unit(words[1], before: 1) ?? last(words[1]) { $0.upperBound } : nil
    default:
      guard let named = Self.named[String(words[0])] else { return Self.date(text) }
      if words.count == 1 { return last(text) { $0.lowerBound } }
      return Self.year(words[1], from: named.month, months: named.count)
    }
  }

  // MARK: Words

  /// Returns the current week, month, or year, or the one before.
  private func unit(_ name: Substring, before: Int) -> Range<Double>? {
    switch name {
    case "week": days(-daysSinceMonday - 7 * before, 7)
    case "month": Self.months(now.year * 12 + now.month - 1 - before, 1)
    case "year": Self.months((now.year - before) * 12, 12)
    default: nil
    }
  }

  /// Returns the latest period with a name of which the given end is not in the future.
  private func last(_ name: Substring, _ end: (Range<Double>) -> Double) -> Range<Double>? {
    guard let named = Self.named[String(name)] else { return nil }
    return (0...2).lazy.compactMap { Self.months((now.year - $0) * 12 + named.month - 1, named.count) }
      .first { end($0) <= Double(today * 86_400) }
  }

  /// The days since 1970-01-01.
  private var today: Int { Int((now.clock / 86_400).rounded(.down)) }

  /// Weeks begin on Monday (ISO 8601), and 1970-01-01 was a Thursday.
  private var daysSinceMonday: Int { ((today + 3) % 7 + 7) % 7 }

  private func days(_ first: Int, _ count: Int) -> Range<Double> {
    Double((today + first) * 86_400)..<Double((today + first + count) * 86_400)
  }

  // MARK: Dates

  /// Returns the times of a year, a month, or a day, written as yyyy, yyyy-mm, or yyyy-mm-dd; nil for anything else.
  static func date(_ text: Substring) -> Range<Double>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let year = year(parts[0]) else { return nil }
    let numbers = parts.dropFirst().compactMap { number($0, digits: 2) }
    guard numbers.count == parts.count - 1 else { return nil }
    switch numbers.count {
    case 0: return year
    case 1: return Self.year(parts[0], from: numbers[0], months: 1)
    case 2:
      guard let number = number(parts[0], digits: 4),
        let day = CalendarTime(year: number, month: numbers[0], day: numbers[1])?.clock
      else { return nil }
      return day..<day + 86_400
    default: return nil
    }
  }

  /// Returns the times of some months from the given month of a year on, by default those of the whole year.
  private static func year(_ text: Substring, from month: Int = 1, months: Int = 12) -> Range<Double>? {
    guard let year = number(text, digits: 4), (1...12).contains(month) else { return nil }
    return Self.months(year * 12 + month - 1, months)
  }

  private static func number(_ text: Substring, digits: Int) -> Int? {
    text.utf8.count == digits && text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
  }

  /// Returns the times of some months. The first one is counted from January of the year 0.
  private static func months(_ first: Int, _ count: Int) -> Range<Double>? {
    func start(_ month: Int) -> Double? {
      CalendarTime(year: month / 12, month: month % 12 + 1, day: 1)?.clock
    }
    return start(first).map { $0..<(start(first + count) ?? .infinity) }
  }
}

// Dates that the user is still typing.
extension Periods {
  /// Returns whether a text may be the beginning of a range of dates: the last date lacks digits or letters, and
  /// what comes before it is complete.
  func mayBegin(range text: String, yearsOnly: Bool = false) -> Bool {
    func isComplete(_ text: Substring) -> Bool { (yearsOnly ? Self.year(text) : period(text)) != nil }
    if text.hasSuffix("."), isComplete(text.dropLast()) { return true }
    if let dots = text.firstRange(of: "..") {
      let (first, last) = (text[..<dots.lowerBound], text[dots.upperBound...])
      return (first.isEmpty || isComplete(first)) && Self.mayBegin(with: last, yearsOnly: yearsOnly)
    }
    let signs = text.prefix { "<>=".contains($0) }
    guard ["", "<", ">", "=", ">=", "<="].contains(signs) else { return false }
    return Self.mayBegin(with: text.dropFirst(signs.count), yearsOnly: yearsOnly)
  }

  /// Returns whether a text may be the beginning of a date, or of a year.
  static func mayBegin(with text: Substring, yearsOnly: Bool = false) -> Bool {
    beginsDate(text) && !(yearsOnly && text.contains("-")) || !yearsOnly && beginsName(text)
  }

  private static func beginsName(_ text: Substring) -> Bool {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    return names.contains { $0.hasPrefix(text) && $0 != text } || named.keys.contains { "\($0)-".hasPrefix(text) }
      || parts.count == 2 && named[String(parts[0])] != nil && beginsDate(parts[1]) && !parts[1].contains("-")
  }

  private static func beginsDate(_ text: Substring) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count <= 3, parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) else { return false }
    let missing = zip(parts, [4, 2, 2]).map { part, width in width - part.utf8.count }
    return missing.dropLast().allSatisfy { $0 == 0 } && (missing.last ?? 0) > 0
  }
}
