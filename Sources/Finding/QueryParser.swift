import FoundationEssentials
import Gallery

extension PhotoQuery {
  /// Parses a query as the user typed it.
  ///
  /// An incomplete term at the end (`camera:`, `rating:>`, `year:20`) matches every photo, because the user may still
  /// be typing it.
  ///
  /// - Throws: A ``QueryError`` if a field is unknown or does not take its value.
  public init(_ text: String) throws(QueryError) {
    var terms: [Term] = []
    for token in Token.tokens(of: text) {
      guard let field = try token.field() else {
        terms += Self.terms(words: token.value, in: nil, isNegated: token.isNegated)
        continue
      }
      if case .words(let textField) = field {
        terms += Self.terms(words: token.value, in: textField, isNegated: token.isNegated)
      } else if let test = try token.test(of: field) {
        terms.append(Term(isNegated: token.isNegated, test: test))
      }
    }
    self.terms = terms
  }

  private static func terms(words text: String, in field: TextField?, isNegated: Bool) -> [Term] {
    let words = Folding.words(of: text).map(WordPattern.init)
    if words.isEmpty { return [] }
    if isNegated { return [Term(isNegated: true, test: .words(words, in: field))] }
    return words.map { Term(test: .words([$0], in: field)) }
  }
}

/// A part of a query between spaces, such as `-camera:"fujifilm x100"`.
private struct Token {
  var isNegated = false
  /// The text before the first colon outside of quotes.
  var name: String?
  var value = ""
  /// Whether the query ends with this token, so that the user may still be typing it.
  var isLast = false

  static func tokens(of text: String) -> [Token] {
    var tokens: [Token] = []
    var rest = text[...]
    while true {
      rest = rest.drop(while: \.isWhitespace)
      if rest.isEmpty { return tokens }
      var token = Token(&rest)
      token.isLast = rest.isEmpty
      tokens.append(token)
    }
  }

  private init(_ rest: inout Substring) {
    if let first = rest.first, first == "-" || first == "!" {
      isNegated = true
      rest.removeFirst()
    }
    var isQuoted = false
    var hasQuotes = false
    while let character = rest.first, isQuoted || !character.isWhitespace {
      rest.removeFirst()
      if character == "\"" {
        isQuoted.toggle()
        hasQuotes = true
      } else if character == ":", !hasQuotes, name == nil, value.isFieldName {
        (name, value) = (value, "")
      } else {
        value.append(character)
      }
    }
  }

  /// Returns the field that the token names, or nil if it names none.
  func field() throws(QueryError) -> QueryField? {
    guard let name else { return nil }
    guard let field = QueryField(name: name.lowercased()) else { throw .unknownField(name) }
    return field
  }

  /// Returns the test for a field whose value is not a text, or nil if the value is still incomplete.
  func test(of field: QueryField) throws(QueryError) -> PhotoQuery.Test? {
    if value.isEmpty { return nil }
    let value = value.lowercased()
    let test: PhotoQuery.Test? =
      switch field {
      case .isForSale: ["sale": true, "no": false][value].map { .isForSale($0) }
      case .has: PhotoQuery.Feature.all.first { $0.name == value }.map { .has($0) }
      case .year: Comparison(value).flatMap { DateReader.range($0, yearsOnly: true) }.map { .date($0) }
      case .date: Comparison(value).flatMap { DateReader.range($0) }.map { .date($0) }
      case .after: DateReader.period(value).map { .date($0.lowerBound..<Double.infinity) }
      case .before: DateReader.period(value).map { .date(-Double.infinity..<$0.lowerBound) }
      case .number(let number, _): Comparison(value)?.numbers.map { .number(number, $0) }
      case .words: nil
      }
    if test == nil, !(isLast && field.mayBegin(with: value)) {
      throw .wrongValue(self.value, field: field.name, expected: field.expected)
    }
    return test
  }
}

/// A comparison such as `>=4` or `1..5`: the bounds of a range, and whether the range includes them.
private struct Comparison {
  var lower: Substring?
  var upper: Substring?
  var hasLower = true
  var hasUpper = true

  /// Parses a comparison. Returns nil if a value is missing or the operator is unknown.
  init?(_ text: String) {
    if let dots = text.firstRange(of: "..") {
      lower = text[..<dots.lowerBound].nonEmpty
      upper = text[dots.upperBound...].nonEmpty
      if lower == nil && upper == nil { return nil }
      return
    }
    let sign = text.prefix { "<>=".contains($0) }
    guard let value = text.dropFirst(sign.count).nonEmpty else { return nil }
    switch sign {
    case "", "=": (lower, upper) = (value, value)
    case ">=": lower = value
    case ">": (lower, hasLower) = (value, false)
    case "<=": upper = value
    case "<": (upper, hasUpper) = (value, false)
    default: return nil
    }
  }

  /// The integers in the range, or nil if a bound is not an integer or the range is empty.
  var numbers: ClosedRange<Int>? {
    var (first, last) = (Int.min, Int.max)
    if let lower {
      guard let number = Int(lower), hasLower || number < .max else { return nil }
      first = hasLower ? number : number + 1
    }
    if let upper {
      guard let number = Int(upper), hasUpper || number > .min else { return nil }
      last = hasUpper ? number : number - 1
    }
    return first <= last ? first...last : nil
  }
}

/// A parser for days, months, and years.
///
/// It returns the times at which a period begins and ends by the camera's clock (see ``Photo/clock``). So a photo is
/// found by the date that is shown for it, in any time zone.
private enum DateReader {
  static func range(_ comparison: Comparison, yearsOnly: Bool = false) -> Range<Double>? {
    var (first, last) = (-Double.infinity, Double.infinity)
    if let lower = comparison.lower {
      guard let period = period(String(lower), yearsOnly: yearsOnly) else { return nil }
      first = comparison.hasLower ? period.lowerBound : period.upperBound
    }
    if let upper = comparison.upper {
      guard let period = period(String(upper), yearsOnly: yearsOnly) else { return nil }
      last = comparison.hasUpper ? period.upperBound : period.lowerBound
    }
    return first <= last ? first..<last : nil
  }

  /// Returns the period of a year, a month, or a day, written as yyyy, yyyy-mm, or yyyy-mm-dd.
  static func period(_ text: String, yearsOnly: Bool = false) -> Range<Double>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let widths = [4, 2, 2]
    guard (1...(yearsOnly ? 1 : 3)).contains(parts.count),
      zip(parts, widths).allSatisfy({ part, width in part.utf8.count == width && part.utf8.allSatisfy(\.isDigit) })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    guard let start = start(of: numbers), let end = end(of: numbers) else { return nil }
    return start..<end
  }

  private static func end(of numbers: [Int]) -> Double? {
    switch numbers.count {
    case 1: numbers[0] == 9999 ? .infinity : start(of: [numbers[0] + 1])
    case 2: numbers[1] == 12 ? end(of: [numbers[0]]) : start(of: [numbers[0], numbers[1] + 1])
    default: start(of: numbers).map { $0 + 86_400 }
    }
  }

  /// Returns midnight at the beginning of a year, a month, or a day.
  private static func start(of numbers: [Int]) -> Double? {
    let parts = numbers + [1, 1].dropFirst(numbers.count - 1)
    return CalendarTime(year: parts[0], month: parts[1], day: parts[2])?.clock
  }
}

extension QueryField {
  /// Returns whether an invalid value may become valid when the user types on.
  fileprivate func mayBegin(with text: String) -> Bool {
    switch self {
    case .isForSale: ["sale", "no"].contains { $0.hasPrefix(text) }
    case .has: PhotoQuery.Feature.all.contains { $0.name.hasPrefix(text) }
    case .number: [".", "<", ">", "=", ">=", "<=", "-"].contains(text) || text.endsWithDots
    case .year, .date, .after, .before: text.beginsDate
    case .words: true
    }
  }
}

extension String {
  /// Whether the text before a colon is meant as the name of a field, unlike the hour of `12:30`.
  fileprivate var isFieldName: Bool { !isEmpty && allSatisfy(\.isLetter) }

  fileprivate var endsWithDots: Bool { hasSuffix(".") && dropLast().allSatisfy(\.isNumber) }

  /// Whether the text is the beginning of a date: the last part lacks digits, and all parts before it are complete.
  fileprivate var beginsDate: Bool {
    if hasSuffix(".") { return dropLast().utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") } }
    let signs = prefix { "<>=".contains($0) }
    guard ["", "<", ">", "=", ">=", "<="].contains(signs) else { return false }
    let date = dropFirst(signs.count).split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    let parts = date.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count <= 3, parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) else { return false }
    let missing = zip(parts, [4, 2, 2]).map { part, width in width - part.utf8.count }
    return missing.dropLast().allSatisfy { $0 == 0 } && (missing.last ?? 0) > 0
  }
}

extension Substring {
  fileprivate var nonEmpty: Substring? { isEmpty ? nil : self }
}
