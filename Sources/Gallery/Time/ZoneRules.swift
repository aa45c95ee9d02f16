/// The offsets of a time zone: those that a file of the database lists, and the rule for the years after them.
struct ZoneRules: Hashable, Sendable {
  /// The moments from which an offset applies, in seconds since 1970 UTC, in order.
  private var moments: [Int64] = []
  private var offsets: [Int] = []
  /// The offset before the first moment.
  private let first: Int
  /// The rule after the last moment; nil if its offset stays.
  private var rule: YearlyRule?

  init(offset: Int) { first = offset }

  func offset(at moment: Double) -> Int {
    let after = moments.partitioningIndex { Double($0) > moment }
    if after == moments.count, let rule { return rule.offset(at: moment) }
    return after == 0 ? first : offsets[after - 1]
  }

  /// Reads a file of RFC 9636, of version 2 or later; nil if it is damaged. The first part, whose numbers have 32 bits, is skipped.
  init?(file bytes: [UInt8]) {
    guard let old = Header(bytes, at: 0), old.version >= UInt8(ascii: "2"),
      let header = Header(bytes, at: old.end(numberBytes: 4)), header.types > 0,
      header.end(numberBytes: 8) <= bytes.count
    else { return nil }
    func number(at place: Int, _ count: Int) -> Int64 {
      let value = bytes[place..<place + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return count == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
    }
    let kinds = header.start + 8 * header.moments
    let types = (0..<header.types).map { Int(number(at: kinds + header.moments + 6 * $0, 4)) }
    guard types.allSatisfy({ abs($0) < 26 * 3600 }) else { return nil }
    for index in 0..<header.moments {
      let (moment, kind) = (number(at: header.start + 8 * index, 8), Int(bytes[kinds + index]))
      guard kind < types.count, moments.last.map({ $0 < moment }) ?? true else { return nil }
      moments.append(moment)
      offsets.append(types[kind])
    }
    first = types[0]
    let footer = bytes[header.end(numberBytes: 8)...].split(separator: 0x0A).first ?? []
    rule = YearlyRule(String(decoding: footer, as: UTF8.self))
  }

  private struct Header {
    let version: UInt8
    let start: Int
    let (utc, standard, leaps, moments, types, letters): (Int, Int, Int, Int, Int, Int)

    init?(_ bytes: [UInt8], at place: Int) {
      guard place >= 0, place + 44 <= bytes.count, bytes[place...].starts(with: "TZif".utf8) else { return nil }
      version = bytes[place + 4]
      start = place + 44
      let counts = (0..<6).map { index in
        bytes[(place + 20 + 4 * index)..<(place + 24 + 4 * index)].reduce(0) { $0 << 8 | Int($1) }
      }
      // More than a file can have would make the sums below overflow.
      guard counts.allSatisfy({ $0 < 1 << 20 }) else { return nil }
      (utc, standard, leaps, moments, types, letters) = (
        counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]
      )
    }

    func end(numberBytes: Int) -> Int {
      start + moments * (numberBytes + 1) + types * 6 + letters + leaps * (numberBytes + 4) + standard + utc
    }
  }
}

/// The rule by which a zone changes its offset each year, as POSIX writes it (IEEE 1003.1, section 8.3): `CET-1CEST,M3.5.0,M10.5.0/3`.
struct YearlyRule: Hashable, Sendable {
  private let standard: Int
  private var summer: (offset: Int, start: Change, end: Change)?

  /// A weekday of a month, such as the last Sunday of March, and the seconds after its midnight.
  struct Change: Hashable {
    let (month, week, weekday): (Int, Int, Int)
    let second: Int
  }

  init?(_ text: String) {
    var rest = text[...]
    guard Self.takeName(&rest), let west = Self.takeTime(&rest) else { return nil }
    standard = -west
    if rest.isEmpty { return }
    guard Self.takeName(&rest) else { return nil }
    let offset = rest.first == "," ? standard + 3600 : Self.takeTime(&rest).map { -$0 }
    let changes = rest.split(separator: ",").map(Self.change)
    guard let offset, changes.count == 2, let start = changes[0], let end = changes[1] else { return nil }
    summer = (offset, start, end)
  }

  func offset(at moment: Double) -> Int {
    guard let summer else { return standard }
    let year = CalendarTime(clock: moment + Double(standard)).year
    let start = summer.start.clock(in: year) - Double(standard)
    let end = summer.end.clock(in: year) - Double(summer.offset)
    let isSummer = start < end ? (start..<end).contains(moment) : !(end..<start).contains(moment)
    return isSummer ? summer.offset : standard
  }

  static func == (left: YearlyRule, right: YearlyRule) -> Bool {
    left.standard == right.standard && left.summer?.offset == right.summer?.offset
      && left.summer?.start == right.summer?.start && left.summer?.end == right.summer?.end
  }

  func hash(into hasher: inout Hasher) { hasher.combine(standard) }

  /// Takes letters, or any characters between angle brackets.
  private static func takeName(_ rest: inout Substring) -> Bool {
    if rest.first == "<" {
      guard let end = rest.firstIndex(of: ">") else { return false }
      rest = rest[rest.index(after: end)...]
      return true
    }
    let name = rest.prefix(while: \.isLetter)
    rest = rest.dropFirst(name.count)
    return name.count >= 3
  }

  /// Takes `-3:30` or `25:00:00`, and returns it in seconds.
  private static func takeTime(_ rest: inout Substring) -> Int? {
    let text = rest.prefix { $0.isNumber || "+-:".contains($0) }
    rest = rest.dropFirst(text.count)
    let parts = text.drop { "+-".contains($0) }.split(separator: ":").map { Int($0) ?? 1_000_000 }
    guard (1...3).contains(parts.count), parts.allSatisfy({ $0 < 200 }) else { return nil }
    let seconds = zip(parts, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
    return text.first == "-" ? -seconds : seconds
  }

  /// Reads `M10.5.0/3`. The other forms, which count days, are in no zone that has summer time today.
  private static func change(_ text: Substring) -> Change? {
    let halves = text.split(separator: "/", maxSplits: 1)
    guard let day = halves.first else { return nil }
    let numbers = day.dropFirst().split(separator: ".").map { Int($0) ?? 0 }
    guard day.first == "M", numbers.count == 3, (1...12).contains(numbers[0]), (1...5).contains(numbers[1]),
      (0...6).contains(numbers[2])
    else { return nil }
    var rest = halves.count == 2 ? halves[1] : "2"
    guard let second = takeTime(&rest) else { return nil }
    return Change(month: numbers[0], week: numbers[1], weekday: numbers[2], second: second)
  }
}

extension YearlyRule.Change {
  /// Returns the time of the clock before the change, in seconds since 1970 of the same clock.
  func clock(in year: Int) -> Double {
    guard let first = CalendarTime(year: year, month: month, day: 1) else { return 0 }
    let month = first.clocksOfMonth
    // 1970-01-01 was a Thursday.
    let weekdayOfFirst = (first.daysSince1970 % 7 + 11) % 7
    var day = first.clock + Double(((weekday - weekdayOfFirst + 7) % 7 + 7 * (week - 1)) * 86_400)
    while !month.contains(day) { day -= 7 * 86_400 }
    return day + Double(second)
  }
}

extension [Int64] {
  /// Returns the index of the first element of the second part of an array in which all elements of that part fulfill a condition.
  fileprivate func partitioningIndex(_ isInSecondPart: (Int64) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
