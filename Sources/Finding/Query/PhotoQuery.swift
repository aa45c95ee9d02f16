import FoundationEssentials
import Gallery

/// A search query: words that must occur in a photo's texts, and conditions on its fields.
///
///     harbor camera:x100 -for:sale taken:last-summer rating:>=4 has:gps
///     rating:>=4 smart:a dog on the beach
///
/// Words match in any order, without case and accents. The letters of a word may be scattered within one word of a
/// text, as long as their order is the same. A term after `-` or `!` excludes the photos that match it. The letters of
/// an excluded word must be adjacent. All text after `smart:` is for the server of the photos.
public struct PhotoQuery: Hashable, Sendable {
  struct Term: Hashable, Sendable {
    var isNegated = false
    var test: Test
  }

  enum Test: Hashable, Sendable {
    /// All words must occur in the field, or in fields that are searched by default if it is nil. A word that is a
    /// date also finds the photos of its period, a range of times as in ``Photo/clock``.
    case words([WordPattern], in: SearchedText?, orIn: Range<Double>? = nil)
    case number(MetadataField.Number, ClosedRange<Float>)
    /// A range of times as in ``Photo/clock``.
    case date(Range<Double>)
    case near(Area)
    case isForSale(Bool)
    case has(Feature)
  }

  /// The terms in the order in which they were written. A term with words that must match has exactly one word.
  let terms: [Term]

  private init(terms: [Term]) { self.terms = terms }

  /// One query for each of the words that must match.
  public var words: [PhotoQuery] {
    terms.compactMap { term in
      if case .words = term.test, !term.isNegated { PhotoQuery(terms: [term]) } else { nil }
    }
  }

  /// The sets on which the result depends.
  var sets: [PhotoSet] {
    terms.compactMap { term in
      if case .has(let feature) = term.test, case .set(let set) = feature.source { set } else { nil }
    }
  }

  /// Returns whether the result depends on which photos are in a set.
  public func asks(for set: PhotoSet) -> Bool { sets.contains(set) }

  /// The names of the collections on which the result depends, as they were typed.
  public var collections: [String] { sets.compactMap { if case .collection(let name) = $0 { name } else { nil } } }

  /// The text for which the server of the photos is asked, or nil if the query does not ask it.
  public var textForServer: String? {
    sets.lazy.compactMap { if case .fitting(let text) = $0 { text } else { nil } }.first
  }

  /// Whether every photo matches.
  public var isEmpty: Bool { terms.isEmpty }

  /// Returns whether all photos that match this query match `other`, too, as while the user types on.
  func narrows(_ other: PhotoQuery) -> Bool {
    other.terms.allSatisfy { old in terms.contains { $0.narrows(old) } }
  }
}

extension PhotoQuery.Term {
  fileprivate func narrows(_ other: Self) -> Bool {
    if self == other { return true }
    guard !isNegated, !other.isNegated, case .words(let words, let field, let period) = test,
      case .words(let others, let otherField, let otherPeriod) = other.test, field == otherField,
      words.count == others.count, period.map({ otherPeriod?.contains($0) ?? false }) ?? true
    else { return false }
    return zip(words, others).allSatisfy { $0.bytes.starts(with: $1.bytes) }
  }
}
