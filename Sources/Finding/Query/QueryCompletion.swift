import Gallery
import Photos

/// A way to go on with a query while the user types it.
///
/// ```swift
/// let completions = await QueryCompletion.completions(of: "river cam", in: photos, by: finder, now: now)
/// completions.map(\.term)   // ["camera:", "camp"]
/// ```
public struct QueryCompletion: Hashable, Sendable {
  /// The whole query.
  public let query: String
  /// The term that completes the last one, or the whole query if it replaces more.
  public let term: String
  /// The number of photos that the query finds; nil for the name of a field, whose value comes next, and for a set that is not
  /// known yet.
  public let count: Int?
}

extension QueryCompletion {
  /// The most completions that are offered at once, and the most that are tried for them.
  private static let (mostOffered, mostTried) = (6, 10)
  /// The fewest letters of a word that is no field's value: fewer begin nearly everything.
  private static let fewestLetters = 2

  /// Returns the ways to complete the last term of a query, those of most photos first.
  ///
  /// - Parameters:
  ///   - text: The query as the user typed it.
  ///   - now: The time that the user's clock shows.
  ///   - sets: The photos of the sets that the query may ask for.
  ///   - collections: The names of the user's collections.
  @concurrent
  public static func completions(
    of text: String, in photos: PhotoTable, by finder: PhotoFinder, now: CalendarTime, sets: PhotoSets = [:],
    collections: [String] = []
  ) async -> [QueryCompletion] {
    guard let token = Token.tokens(of: text).last, text.last?.isWhitespace == false else { return [] }
    let start = text.dropLast(token.source.count)
    let sign = token.isNegated ? String(token.source.prefix(1)) : ""
    let fields = token.name == nil ? fieldNames(beginningWith: token.value).map { "\(sign)\($0):" } : []
    var offered = fields.map { QueryCompletion(query: start + $0, term: $0, count: nil) }
    let terms = await terms(beginningAs: token, in: photos, by: finder, collections).map { sign + $0 }.filter {
      $0 != token.source
    }
    for term in terms where offered.count < mostOffered {
      if asksForUnknown(start + term, sets, now) {
        offered.append(QueryCompletion(query: start + term, term: term, count: nil))
        continue
      }
      guard let count = await count(start + term, in: photos, by: finder, now: now, sets) else { break }
      if count > 0 { offered.append(QueryCompletion(query: start + term, term: term, count: count)) }
    }
    return offered
  }

  /// Returns the ways to go on with a query that finds no photo: those to complete its last term, such as the name of a
  /// field, and then the queries that find photos in place of it.
  @concurrent
  public static func replacements(
    of text: String, by advice: QueryAdvice?, in photos: PhotoTable, by finder: PhotoFinder, now: CalendarTime,
    sets: PhotoSets = [:], collections: [String] = []
  ) async -> [QueryCompletion] {
    var offered = await completions(
      of: text, in: photos, by: finder, now: now, sets: sets, collections: collections)
    let others = advice?.replacements(of: text).filter { query in !offered.contains { $0.query == query } }
    for query in others ?? [] where offered.count < mostOffered {
      guard let count = await count(query, in: photos, by: finder, now: now, sets) else { break }
      if count > 0 { offered.append(QueryCompletion(query: query, term: query, count: count)) }
    }
    return offered
  }

  /// Counts the photos that a query finds. Returns nil if another search has begun.
  private static func count(
    _ text: String, in photos: PhotoTable, by finder: PhotoFinder, now: CalendarTime, _ sets: PhotoSets
  ) async -> Int? {
    guard let query = try? PhotoQuery(text, now: now), !query.isEmpty else { return 0 }
    return try? await finder.count(query, in: photos, sets: sets)
  }

  private static func asksForUnknown(_ text: String, _ sets: PhotoSets, _ now: CalendarTime) -> Bool {
    guard let query = try? PhotoQuery(text, now: now) else { return false }
    return query.sets.contains { sets[$0] == nil }
  }

  private static func fieldNames(beginningWith text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    return QueryField.all.map(\.name).filter { $0.hasPrefix(text.lowercased()) }
  }

  /// Returns the terms that begin as a token does, without its sign.
  private static func terms(
    beginningAs token: Token, in photos: PhotoTable, by finder: PhotoFinder, _ collections: [String]
  ) async -> [String] {
    let value = token.value.lowercased()
    guard let name = token.name else { return await words(beginningWith: value, by: finder) }
    guard let field = try? token.field() else { return [] }
    let values: [String]
    switch field {
    case .words(let text): values = await finder.words(beginningWith: Folding.word(value), in: text, most: mostTried)
    case .number(let number, _):
      let comparison = value.prefix { "<>=".contains($0) }
      // Compared with the number that a photo without one has, nearly all photos would be found.
      let all = await finder.values(of: number, most: .max)
      let compared = all.filter { comparison.isEmpty || !($0 <= Float(number.absent)) }
      let numbers = compared.map { "\(comparison)\($0.written)" }
      values = Array(numbers.filter { $0.hasPrefix(value) }.prefix(mostTried))
    case .year, .date, .after, .before:
      // A month is offered once its year is typed, and a day once its month is.
      let all = await PhotoCalendar(of: photos).periods.reversed()
      let months = value.count > 3 ? all.filter { $0.month != nil && $0.day == nil } : []
      let days = value.count > 6 ? all.filter { $0.day != nil } : []
      let periods = all.filter { $0.month == nil } + months + days
      values = Array(periods.map(\.text).filter { $0.hasPrefix(value) }.prefix(mostTried))
    case .isForSale, .is, .has: values = field.names.filter { $0.hasPrefix(value) }
    case .in:
      let named = collections.filter { $0.lowercased().hasPrefix(value) }
      values = named.map { $0.contains(where: \.isWhitespace) ? "\"\($0)\"" : $0 }
    case .near, .smart: values = []
    }
    return values.map { "\(name):\($0)" }
  }

  /// Returns the terms without a field: values of fields with a name of their own, and words of the photos.
  private static func words(beginningWith value: String, by finder: PhotoFinder) async -> [String] {
    guard value.count >= fewestLetters else { return [] }
    let named = [QueryField.is, .has].flatMap { field in
      field.names.filter { $0.hasPrefix(value) }.map { "\(field.name):\($0)" }
    }
    let words = await finder.words(beginningWith: Folding.word(value), in: nil, most: mostTried)
    return words.filter { !$0.contains { "\":<>=".contains($0) } } + named
  }
}

extension QueryAdvice {
  /// Returns the queries that the advice leads to, the nearest first.
  fileprivate func replacements(of text: String) -> [String] {
    let terms = PhotoQuery.terms(of: text)
    func replacing(_ part: String, by other: String) -> [String] {
      guard let place = terms.lastIndex(where: { $0.contains(part) }) else { return [] }
      var changed = terms
      changed[place] = terms[place].replacing(part, with: other)
      return [changed.joined(separator: " ")]
    }
    func without(_ place: Int) -> String {
      (terms[..<place] + terms[(place + 1)...]).joined(separator: " ")
    }
    switch self {
    case .term(let term, let word), .similar(let term, let word): return replacing(word, by: term)
    case .alone(let term): return terms.indices.filter { terms[$0] == term }.map(without)
    case .together: return terms.indices.reversed().map(without)
    case .days(let first, let last):
      return [last, first].map { "\(QueryField.year.name):\($0.prefix { $0 != "-" })" }
    case .field(let name, _): return replacing(name, by: "\(name):")
    }
  }
}

extension Folding {
  /// Returns the first word of a text in the form of the index; nothing if there is none.
  fileprivate static func word(_ text: String) -> [UInt8] { words(of: text).first ?? [] }
}

extension Float {
  /// The number as users write it: `400`, `2.8`.
  fileprivate var written: String { self == rounded() && abs(self) < 1e7 ? "\(Int(self))" : "\(self)" }
}
