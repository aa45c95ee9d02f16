import Gallery

/// A field of a query, which the user writes as a name before a colon.
enum QueryField {
  case words(PhotoQuery.SearchedText)
  case number(MetadataField.Number, name: String)
  case isForSale, year, date, after, before, near, `is`, has, `in`, smart

  /// The fields, in the order in which messages list them.
  static let all: [QueryField] =
    // Users guess the names of texts, but not those of times, which come first in a message that may be cut.
    [.date, .year, .after, .before] + PhotoQuery.SearchedText.all.filter { !$0.isGuess }.map(words)
    + numbers + [
      .near, .isForSale, .is, .has, .in, .smart,
    ]

  /// Other names of fields that users try.
  private static let otherNames = ["taken": "date", "keywords": "keyword", "shutter": "exposure", "ev": "bias"]

  /// The values of ``is``, each with the term that it is short for.
  static let conditions = [
    ("picked", "rating:>=1"), ("rejected", "rating:-1"), ("unrated", "rating:0"), ("labeled", "has:label"),
    ("marked", "has:mark"), ("duplicate", "has:duplicates"), ("for-sale", "for:sale"),
    ("video", "kind:4"), ("animation", "kind:3"), ("raw", "kind:2"),
    ("live", "movie:>0"), ("favorite", "has:favorite"),
  ]

  private static let numbers = MetadataField.numbers
    .compactMap { number in number.name.map { QueryField.number(number, name: $0) } }
    .inOrderOfMessages(by: \.name)

  /// Creates the field with a name, or returns nil if there is none.
  init?(name: String) {
    let name = Self.otherNames[name] ?? name
    guard let field = Self.all.first(where: { $0.name == name }) else { return nil }
    self = field
  }

  /// Returns the name of a field that is most like another name, or nil if none is like it.
  static func nearest(to name: String) -> String? {
    Spelling.nearest(to: name, among: all.map(\.name) + otherNames.keys.sorted())
  }

  /// Returns whether a text before a comparison is meant as the name of a field: it is one, or like one.
  static func isMeant(by name: String) -> Bool {
    QueryField(name: name.lowercased()) != nil || nearest(to: name) != nil
  }

  /// The name that the user writes.
  var name: String {
    switch self {
    case .words(let field): field.queryName
    case .number(_, let name): name
    case .isForSale: "for"
    case .year: "year"
    case .date: "date"
    case .after: "after"
    case .before: "before"
    case .near: "near"
    case .is: "is"
    case .has: "has"
    case .in: "in"
    case .smart: "smart"
    }
  }

  /// A description of the values that the field takes, for an error message.
  var expected: String {
    switch self {
    case .words, .smart: localized("a text")
    case .number(let number, _): number.expected.text
    case .isForSale: localized("sale or no")
    case .year: localized("a year such as 2017, or 2015..2017")
    case .date: localized("a date such as 2017, 2017-06, 2017-06-30, june, 2015..2017 or last-week")
    case .after, .before: localized("a date such as 2017, 2017-06, 2017-06-30, june or last-week")
    case .near: localized("latitude,longitude,distance such as 47.4,8.5,10km")
    case .is, .has: names.joined(separator: ", ")
    case .in: localized("the name of a collection")
    }
  }

  /// The values of a field that takes only certain ones, in the order in which messages list them.
  var names: [String] {
    switch self {
    case .isForSale: ["sale", "no"]
    case .is: Self.conditions.map(\.0)
    case .has: PhotoQuery.Feature.all.map(\.name)
    case .words, .number, .year, .date, .after, .before, .near, .in, .smart: []
    }
  }
}

extension PhotoQuery {
  /// Something that a photo has or lacks, which the user writes after `has:`.
  struct Feature: Hashable, Sendable {
    enum Source: Hashable, Sendable {
      /// The text contains a word.
      case words(SearchedText)
      /// The number is known and is not the one of photos without it.
      case number(MetadataField.Number)
      /// The photo is in a set.
      case set(PhotoSet)
    }

    let name: String
    let source: Source

    /// The features, in the order in which messages list them.
    static let all: [Feature] =
      (words + numbers).inOrderOfMessages(by: \.name) + sets

    private static let sets = PhotoSet.named.map { Feature(name: $0.name, source: .set($0.set)) }

    private static let words = SearchedText.all.compactMap { field in
      field.feature.map { Feature(name: $0, source: .words(field)) }
    }

    private static let numbers = MetadataField.numbers.compactMap { number in
      number.feature.map { Feature(name: $0, source: .number(number)) }
    }
  }
}

extension MetadataField {
  /// The numbers of all fields, in the order of the fields.
  fileprivate static let numbers = all.compactMap { field in
    if case .number(let number) = field.search { number } else { nil }
  }
}

extension MetadataField.Number {
  /// The parts of the place where a photo was taken.
  static let (latitude, longitude) = (named("latitude"), named("longitude"))

  private static func named(_ name: String) -> Self {
    guard let number = MetadataField.numbers.first(where: { $0.name == name }) else {
      preconditionFailure("no number is named \(name)")
    }
    return number
  }
}

extension Array {
  /// Returns the elements in the order in which messages list them: those that users need most come first. The others,
  /// such as those of a new metadata field, stay in their order.
  fileprivate func inOrderOfMessages(by name: (Element) -> String) -> [Element] {
    let first = [
      "gps", "rating", "label", "keywords", "description", "camera", "lens", "author", "iso", "aperture",
      "exposure", "focal", "date",
    ]
    return first.flatMap { wanted in filter { name($0) == wanted } } + filter { !first.contains(name($0)) }
  }
}
