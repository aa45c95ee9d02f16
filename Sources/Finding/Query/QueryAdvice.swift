import FoundationEssentials
import Gallery
import Photos

/// A suggestion for a query that finds no photo.
///
///     summer       Try taken:summer-2017.
///     brigde       Did you mean “bridge”?
///     2015-08      The photos are from 2009-03-14 to 2014-12-31.
public enum QueryAdvice: Hashable, Sendable {
  /// A word that no text has is meant as this term.
  case term(String, for: String)
  /// A word that no text has is the name of a field, which needs a value.
  case field(name: String, expected: String)
  /// A word that no text has is nearly one that the photos have.
  case similar(String, for: String)
  /// No photo is from the time. These are the days of the first and the last photo.
  case days(first: String, last: String)
  /// This term finds nothing even by itself.
  case alone(String)
  /// Each term finds photos, but none that match all terms.
  case together

  /// Printable sentences that say why nothing was found and what to write instead.
  public var message: String {
    switch self {
    case .term(let term, let word):
      localized("No text has “\(word.printable)”. Try \(term.printable).")
    case .field(let name, let expected):
      localized("“\(name)” is the name of a field. Write \(name): and \(expected).")
    case .similar(let other, let word):
      localized("No text has “\(word.printable)”. Did you mean “\(other.printable)”?")
    case .days(let first, let last):
      first == last
        ? localized("The photos are from \(first).") : localized("The photos are from \(first) to \(last).")
    case .alone(let term):
      localized("Nothing matches “\(term.printable)”, even by itself.")
    case .together:
      localized("Each word or field finds photos, but no photo matches all of them.")
    }
  }
}

extension QueryAdvice {
  /// Returns advice for a query that finds nothing, or nil if there is none.
  ///
  /// - Parameters:
  ///   - text: The query as the user typed it.
  ///   - now: The time that the user's clock shows.
  ///   - sets: The photos of the sets that the query may ask for.
  @concurrent
  public static func advice(
    for text: String, in photos: PhotoTable, by finder: PhotoFinder, now: CalendarTime, sets: PhotoSets = [:]
  ) async -> QueryAdvice? {
    guard !photos.isEmpty else { return nil }
    let tokens = Token.tokens(of: text)
    for token in tokens where !token.isNegated {
      guard let query = try? PhotoQuery(token.source, now: now), !query.isEmpty else { continue }
      guard let found = try? await finder.find(query, in: photos, sets: sets) else { return nil }
      if !found.isEmpty { continue }
      let advice = await advice(for: token, in: photos, by: finder, now: now)
      return advice ?? (tokens.count > 1 ? .alone(token.source) : nil)
    }
    return tokens.count > 1 ? .together : nil
  }

  /// Returns advice for a term that finds nothing by itself.
  private static func advice(
    for token: Token, in photos: PhotoTable, by finder: PhotoFinder, now: CalendarTime
  ) async -> QueryAdvice? {
    switch try? token.field() {
    case .date, .year, .after, .before: return days(of: photos)
    case .words(let field): return await similar(to: token.value, in: field, by: finder)
    case .some: return nil
    case nil: break
    }
    if let known = knownWord(token.value, in: photos, now: now) { return known }
    return await similar(to: token.value, in: nil, by: finder) ?? misspelledValue(token.value)
  }

  private static func similar(
    to word: String, in field: PhotoQuery.SearchedText?, by finder: PhotoFinder
  ) async -> QueryAdvice? {
    let words = Folding.words(of: word)
    guard words.count == 1, let other = await finder.nearestWord(to: words[0], in: field) else { return nil }
    return .similar(other, for: word)
  }
}

// Words that have a meaning in a query, but not without a field.
extension QueryAdvice {
  /// Returns advice for a word that looks like a time, a value or the name of a field, or nil if it doesn't.
  private static func knownWord(_ word: String, in photos: PhotoTable, now: CalendarTime) -> QueryAdvice? {
    let lowercased = word.lowercased()
    if Periods.date(lowercased[...]) != nil { return days(of: photos) }
    let term =
      time(lowercased, in: photos, now: now) ?? measurement(lowercased) ?? writtenDate(lowercased)
      ?? value(lowercased)
    if let term { return .term(term, for: word) }
    guard let field = QueryField(name: lowercased) else { return nil }
    return .field(name: lowercased, expected: field.expected)
  }

  private static func time(_ word: String, in photos: PhotoTable, now: CalendarTime) -> String? {
    guard let named = Periods.named[word] else {
      return Periods(now: now).period(word[...]) == nil ? nil : "taken:\(word)"
    }
    let (months, first) = (months(of: photos), named.month)
    // Winter begins in December of its year.
    let years = months.compactMap { month in
      (0..<named.count).contains { (month - $0) % 12 == first - 1 } ? (month - (month - first + 1 + 12) % 12) / 12 : nil
    }
    return "taken:\(word)-\(years.max() ?? now.year - 1)"
  }

  /// Returns the term for a date that is written in another way: `2015/08`, `8.2015`, `2015-8-9`.
  private static func writtenDate(_ word: String) -> String? {
    let parts = word.split(whereSeparator: { "-/.".contains($0) })
    guard (2...3).contains(parts.count), parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) else { return nil }
    let ordered = parts[0].count == 4 ? parts : parts.reversed()
    guard ordered[0].count == 4, ordered.dropFirst().allSatisfy({ $0.count <= 2 }) else { return nil }
    let date = ([ordered[0]] + ordered.dropFirst().map { $0.count == 1 ? "0\($0)" : $0 }).joined(separator: "-")
    return Periods.date(date[...]) == nil ? nil : "taken:\(date)"
  }

  /// Returns the term for a number as cameras show it: `f2.8`, `1/250`, `50mm`, `iso1600`.
  private static func measurement(_ word: String) -> String? {
    func number(_ text: Substring) -> Substring? { Double(written: text) == nil ? nil : text }
    let name = word.prefix(while: \.isLetter)
    let rest = word[name.endIndex...]
    if name == "f", let value = number(rest.drop { $0 == "/" }) { return "aperture:\(value)" }
    if case .number(_, let field) = QueryField(name: String(name)), let value = number(rest) {
      return "\(field):\(value)"
    }
    if word.hasSuffix("mm"), let value = number(word.dropLast(2)) { return "focal:\(value)" }
    return word.hasPrefix("1/") && number(word[...]) != nil ? "exposure:\(word)" : nil
  }

  /// Returns the term for a value of `is:`, `has:` or `for:`.
  private static func value(_ word: String) -> String? {
    // A name that is a field's, too, such as "rating", is explained as that.
    guard QueryField(name: word) == nil else { return nil }
    let fields: [QueryField] = [.is, .has, .isForSale]
    return fields.first { $0.names.contains(word) }.map { "\($0.name):\(word)" }
  }

  /// Returns advice for a word that is nearly a value of `is:`.
  private static func misspelledValue(_ word: String) -> QueryAdvice? {
    Spelling.nearest(to: word, among: QueryField.is.names).map { .term("\(QueryField.is.name):\($0)", for: word) }
  }

  // MARK: Times of the photos

  /// Returns the days of the first and the last photo.
  private static func days(of photos: PhotoTable) -> QueryAdvice? {
    let clocks = photos.clocks(in: photos.indices)
    guard let first = clocks.min(), let last = clocks.max() else { return nil }
    return .days(first: CalendarTime(clock: first).dayText, last: CalendarTime(clock: last).dayText)
  }

  /// Returns the months in which photos were taken, counted from January of the year 0.
  private static func months(of photos: PhotoTable) -> Set<Int> {
    Set(
      photos.clocks(in: photos.indices).map { clock in
        let time = CalendarTime(clock: clock)
        return time.year * 12 + time.month - 1
      })
  }
}
