import Gallery

extension PhotoQuery {
  /// Parses a query as the user typed it.
  ///
  /// An incomplete term at the end (`camera:`, `rating:>`, `year:20`) matches every photo, because the user may still
  /// be typing it.
  ///
  /// - Parameter now: The time that the user's clock shows, from which `last-week` is counted.
  /// - Throws: A ``QueryError`` if a field is unknown or does not take its value.
  public init(_ text: String, now: CalendarTime) throws(QueryError) {
    var terms: [Term] = []
    let periods = Periods(now: now)
    for token in Token.tokens(of: text) {
      guard let field = try token.field() else {
        terms += Self.terms(words: token.value, in: nil, isNegated: token.isNegated)
        continue
      }
      if case .words(let textField) = field {
        terms += Self.terms(words: token.value, in: textField, isNegated: token.isNegated)
      } else if let test = try token.test(of: field, periods) {
        terms.append(Term(isNegated: token.isNegated, test: test))
      }
    }
    self.terms = terms
  }

  /// Returns the terms of a query as the user typed them.
  public static func terms(of text: String) -> [String] { Token.tokens(of: text).map(\.source) }

  private static func terms(words text: String, in field: SearchedText?, isNegated: Bool) -> [Term] {
    let words = Folding.words(of: text).map(WordPattern.init)
    if words.isEmpty { return [] }
    let period = field == nil ? Periods.date(text[...]) : nil
    if isNegated { return [Term(isNegated: true, test: .words(words, in: field, orIn: period))] }
    return words.map { Term(test: .words([$0], in: field, orIn: period)) }
  }
}

/// A part of a query between spaces, such as `-camera:"fujifilm x100"`.
struct Token {
  /// The part as the user typed it.
  private(set) var source = ""
  private(set) var isNegated = false
  /// The text before the first colon outside of quotes, or before a comparison such as `>=4`.
  private(set) var name: String?
  private(set) var value = ""
  /// Whether the query ends with this token, so that the user may still be typing it.
  private(set) var isLast = false

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
    let start = rest
    defer { source = String(start[..<rest.startIndex]) }
    if let first = rest.first, first == "-" || first == "!" {
      isNegated = true
      rest.removeFirst()
    }
    var isQuoted = false
    var hasQuotes = false
    while let character = rest.first,
      isQuoted || isForServer || !character.isWhitespace || isInPlace || goesOn(with: rest)
    {
      rest.removeFirst()
      if character.isWhitespace, !isQuoted, !isForServer {
        continue
      } else if character == "\"" {
        isQuoted.toggle()
        hasQuotes = true
      } else if character == ":", !hasQuotes, name == nil, value.isFieldName {
        name = value
        value = ""
      } else if "<>=≤≥".contains(character), !hasQuotes, name == nil, value.isFieldName, QueryField.isMeant(by: value) {
        name = value
        value = Self.comparison(beginningWith: character, &rest)
      } else if "≤≥".contains(character), !hasQuotes, name != nil, value.isEmpty {
        value = Self.comparison(beginningWith: character, &rest)
      } else {
        value.append(character)
      }
    }
  }

  /// Returns a comparison as ``QueryRange`` reads it, however it is written: `≥`, `=>`, or nothing for `=`.
  private static func comparison(beginningWith first: Character, _ rest: inout Substring) -> String {
    switch first {
    case "≤": return "<="
    case "≥": return ">="
    case "=":
      guard let next = rest.first, "<>".contains(next) else { return "" }
      rest.removeFirst()
      return "\(next)="
    default: return String(first)
    }
  }

  /// Whether a comparison or its number follows after white space, as people write them: `rating >= 4`, `iso: 400`.
  private func goesOn(with rest: Substring) -> Bool {
    guard let next = rest.first(where: { !$0.isWhitespace }) else { return false }
    guard let name else {
      return "<>=≤≥".contains(next) && value.isFieldName && QueryField(name: value.lowercased()) != nil
    }
    if case .words? = QueryField(name: name.lowercased()) { return false }
    let isOperator = value.allSatisfy { "<>=".contains($0) }
    return isOperator && (next.isNumber || value.isEmpty && "<>=≤≥".contains(next))
  }

  /// Whether the next number of a place may follow after white space, as maps copy it: `near:47.4, 8.5`.
  private var isInPlace: Bool { value.last == "," && name?.lowercased() == QueryField.near.name }

  /// Whether all text that follows belongs to the value, as it is for the server.
  private var isForServer: Bool { name?.lowercased() == QueryField.smart.name }

  /// Returns the field that the token names, or nil if it names none.
  func field() throws(QueryError) -> QueryField? {
    guard let name else { return nil }
    guard let field = QueryField(name: name.lowercased()) else {
      throw .unknownField(name, nearest: QueryField.nearest(to: name))
    }
    return field
  }

  /// Returns the test for a field whose value is not a text, or nil if the value is still incomplete.
  func test(of field: QueryField, _ periods: Periods) throws(QueryError) -> PhotoQuery.Test? {
    if value.isEmpty { return nil }
    if case .smart = field {
      let text = String(
        value.trimmingPrefix(while: \.isWhitespace).reversed().trimmingPrefix(while: \.isWhitespace).reversed())
      return text.isEmpty ? nil : .has(PhotoQuery.Feature(name: field.name, source: .set(.fitting(text))))
    }
    if let collection = collection(in: field) {
      let name = collection.drop { $0.isWhitespace }
      return name.isEmpty
        ? nil : .has(PhotoQuery.Feature(name: QueryField.in.name, source: .set(.collection(String(name)))))
    }
    let value = value.lowercased()
    let test: PhotoQuery.Test? =
      switch field {
      case .isForSale: ["sale": true, "no": false][value].map { .isForSale($0) }
      case .is: QueryField.conditions.first { $0.0 == value }.flatMap { Self.test($0.1, periods) }
      case .has: PhotoQuery.Feature.all.first { $0.name == value }.map { .has($0) }
      case .year: QueryRange(value).flatMap { periods.range($0, yearsOnly: true) }.map { .date($0) }
      case .date: QueryRange(value).flatMap { periods.range($0) }.map { .date($0) }
      case .after: periods.period(value[...]).map { .date($0.lowerBound..<Double.infinity) }
      case .before: periods.period(value[...]).map { .date(-Double.infinity..<$0.lowerBound) }
      case .near: Area(value).map { .near($0) }
      case .number(let number, _): QueryRange(value)?.numbers.map { .number(number, $0) }
      case .words, .in, .smart: nil
      }
    if test == nil, !(isLast && field.mayBegin(with: value, periods)) {
      throw .wrongValue(self.value, field: field.name, expected: field.expected)
    }
    return test
  }

  /// Returns the name of the collection that the token asks for, as in `in:Portfolio` and `is:in:Portfolio`; nil for another one.
  private func collection(in field: QueryField) -> Substring? {
    switch field {
    case .in: return value[...]
    case .is where value.lowercased().hasPrefix("\(QueryField.in.name):"):
      return value.dropFirst(QueryField.in.name.count + 1)
    default: return nil
    }
  }

  /// Returns the test of a term such as `rating:>=1`.
  private static func test(_ term: String, _ periods: Periods) -> PhotoQuery.Test? {
    tokens(of: term).first.flatMap { token in (try? token.field()).flatMap { try? token.test(of: $0, periods) } }
  }
}

extension QueryField {
  /// Returns whether an invalid value may become valid when the user types on.
  fileprivate func mayBegin(with text: String, _ periods: Periods) -> Bool {
    switch self {
    case .isForSale, .is, .has: names.contains { $0.hasPrefix(text) }
    case .number: ["1", "."].contains { QueryRange(text + $0)?.numbers != nil }
    case .near: ["1", ",1", "1,1", "m"].contains { Area(text + $0) != nil }
    case .year: periods.mayBegin(range: text, yearsOnly: true)
    case .date: periods.mayBegin(range: text)
    case .after, .before: Periods.mayBegin(with: text[...])
    case .words, .in, .smart: true
    }
  }
}

extension String {
  /// Whether the text before a colon is meant as the name of a field, unlike the hour of `12:30`.
  fileprivate var isFieldName: Bool { !isEmpty && allSatisfy(\.isLetter) }
}
