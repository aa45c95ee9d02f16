import FoundationEssentials
import Gallery

/// What photos are looked for by: words, each of which has to be in a photo's texts, and fields.
///
///     harbor camera:x100 -for:sale after:2017-06 rating:>=4 has:gps
///
/// Words match in any order, without case and accents, and by their letters in order within one word of a text. Behind
/// `-` or `!` stands what a photo must not have; there a word counts only in one piece.
public struct PhotoQuery: Hashable, Sendable {
  /// A text that can be searched by itself. Words without a field look in all that are ``isSearchedByDefault``.
  public enum TextField: Int, CaseIterable, Sendable {
    case name, description, camera, lens, keyword, author, file

    public var isSearchedByDefault: Bool { self != .lens && self != .author }
  }

  struct Term: Hashable, Sendable {
    var isNegated = false
    var test: Test
  }

  enum Test: Hashable, Sendable {
    /// All words, in this field, or in any that is searched by default.
    case words([WordPattern], in: TextField?)
    case number(NumberField, ClosedRange<Int>)
    /// As ``Photo/clock``.
    case date(Range<Double>)
    case isForSale(Bool)
    case has(Feature)
  }

  enum NumberField: String, CaseIterable, Sendable {
    case rating, iso, width, height
  }

  enum Feature: String, CaseIterable, Sendable {
    case gps, rating, keywords, description, camera, lens, author, iso, date
  }

  /// In the order they were written; of words that have to match, one in each.
  let terms: [Term]

  private init(terms: [Term]) { self.terms = terms }

  /// A query for each of the words that have to match, by itself.
  public var words: [PhotoQuery] {
    terms.compactMap { term in
      if case .words = term.test, !term.isNegated { PhotoQuery(terms: [term]) } else { nil }
    }
  }

  /// Whether every photo matches.
  public var isEmpty: Bool { terms.isEmpty }

  /// Whether all that matches this matches `other`, which is so where one types on.
  func narrows(_ other: PhotoQuery) -> Bool {
    other.terms.allSatisfy { old in terms.contains { $0.narrows(old) } }
  }
}

extension PhotoQuery.Term {
  fileprivate func narrows(_ other: Self) -> Bool {
    if self == other { return true }
    guard !isNegated, !other.isNegated, case .words(let words, let field) = test,
      case .words(let others, let otherField) = other.test, field == otherField, words.count == others.count
    else { return false }
    return zip(words, others).allSatisfy { $0.bytes.starts(with: $1.bytes) }
  }
}

/// What is not understood in a query.
public enum QueryError: Error, Hashable, Sendable {
  case unknownField(String)
  /// A field's value is none that it takes.
  case wrongValue(String, field: String, expected: String)

  /// What is not understood and what can be written instead, in a printable sentence or two.
  public var message: String {
    switch self {
    case .unknownField(let name):
      "There is no field “\(name.printable)”. The fields are \(QueryField.allCases.map(\.rawValue).joined(separator: ", "));"
        + " a text with a colon is put in quotes."
    case .wrongValue(let value, let field, let expected):
      "\(field) does not take “\(value.printable)”; it takes \(expected)."
    }
  }
}

/// The fields by the names they are written with.
enum QueryField: String, CaseIterable {
  case name, description, camera, lens, keyword, author, file
  case isForSale = "for"
  case year, date, after, before, rating, iso, width, height, has

  /// What it takes, for who wrote something else; nil where that is any text.
  var expected: String? {
    switch self {
    case .name, .description, .camera, .lens, .keyword, .author, .file: nil
    case .isForSale: "sale or no"
    case .year: "a year such as 2017, or 2015..2017"
    case .date: "a date such as 2017, 2017-06 or 2017-06-30, or 2015..2017"
    case .after, .before: "a date such as 2017, 2017-06 or 2017-06-30"
    case .rating: "a number of stars such as 4, >=4 or 3..5"
    case .iso: "a sensitivity such as 400, >1600 or 100..400"
    case .width, .height: "a number of pixels such as 4000, >=4000 or 1000..4000"
    case .has: PhotoQuery.Feature.allCases.map(\.rawValue).joined(separator: ", ")
    }
  }
}
