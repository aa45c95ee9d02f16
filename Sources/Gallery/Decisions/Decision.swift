/// The table of the decisions about a photo. Storing, merging, undoing and journaling go through it, so a new decision is a
/// case here, a property of ``PhotoDecisions`` and a property of XMP in `SidecarProperty`.
///
/// The raw values are the names in the journal.
public enum Decision: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
  case rating, label, keywords, hierarchicalKeywords, caption, orientation, crop, favorite
  // The texts of ``IPTCText``.
  case title, altText, creator, copyright, credit, usageTerms, location, city, state, country, countryCode
  // What the camera has written, which can be wrong or missing. The texts are those of XMP.
  case takenAt, latitude, longitude, altitude

  /// The form of a value.
  public enum Form: Sendable {
    case number, text, list

    /// The value that hides the one of the photo's own file; nil if the form has none.
    public var empty: DecisionValue? {
      switch self {
      case .number: nil
      case .text: .text("")
      case .list: .list([])
      }
    }
  }

  /// The form of the values.
  public var form: Form {
    switch self {
    case .rating, .orientation, .favorite: .number
    case .keywords, .hierarchicalKeywords: .list
    default: .text
    }
  }

  /// The rating of a rejected photo (XMP Specification, part 1, `xmp:Rating`).
  static let rejectedRating = -1

  /// Returns a new value in words, such as `3 stars` or `Label Red`; nil means that the value is removed.
  public func text(of value: DecisionValue?) -> String {
    switch self {
    case .rating:
      switch value?.number ?? 0 {
      case Self.rejectedRating: localized("Rejected")
      case 0: localized("No stars")
      case let count: localized("\(count) star", plural: "\(count) stars", count: count)
      }
    case .label: value?.text.map { localized("Label \($0.colorText)") } ?? localized("No label")
    case .caption: value == nil ? localized("No caption") : localized("Caption")
    case .keywords, .hierarchicalKeywords: localized("Keywords")
    case .orientation: localized("Rotated")
    case .crop: value == nil ? localized("Crop removed") : localized("Cropped")
    case .favorite: value == nil ? localized("Not a favorite") : localized("Favorite")
    case .title: localized("Title")
    case .altText: localized("Alt text")
    case .creator: localized("Creator")
    case .copyright: localized("Copyright")
    case .credit: localized("Credit")
    case .usageTerms: localized("Usage terms")
    case .location: localized("Location")
    case .city: localized("City")
    case .state: localized("State")
    case .country: localized("Country")
    case .countryCode: localized("Country code")
    case .takenAt: localized("Time")
    case .latitude: localized("Latitude")
    case .longitude: localized("Longitude")
    case .altitude: localized("Altitude")
    }
  }
}

/// The value of a decision.
public enum DecisionValue: Hashable, Sendable {
  case number(Int)
  case text(String)
  case list([String])

  /// The number; nil of any other value.
  public var number: Int? { if case .number(let number) = self { number } else { nil } }
  /// The text; nil of any other value.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The list; nil of any other value.
  public var list: [String]? { if case .list(let list) = self { list } else { nil } }
}

extension DecisionValue: Codable {
  /// Decodes a plain number, text or list.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .list(try container.decode([String].self))
    }
  }

  /// Encodes a plain number, text or list.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    }
  }
}

extension DecisionValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  /// Creates a number.
  public init(integerLiteral value: Int) { self = .number(value) }
  /// Creates a text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Creates a list.
  public init(arrayLiteral elements: String...) { self = .list(elements) }
}

/// An edit of the value of one decision.
public enum DecisionEdit: Hashable, Codable, Sendable {
  /// The value stays as it is.
  case keep
  /// The decision gets this value.
  case set(DecisionValue)
  /// The value is removed.
  case remove

  /// Creates an edit that sets a value, or removes it if there is none.
  public init(_ value: DecisionValue?) { self = value.map(Self.set) ?? .remove }

  /// The new value, which is nil if the old one is removed. The whole is nil if the value stays.
  public var value: DecisionValue?? {
    switch self {
    case .keep: nil
    case .set(let value): .some(value)
    case .remove: .some(nil)
    }
  }
}

/// The edits that a change makes. The values of most decisions stay.
///
/// ```swift
/// var edits = DecisionEdits()
/// edits[.rating] = .set(4)
/// let new = old.applying(edits)
/// ```
public struct DecisionEdits: Hashable, Codable, Sendable {
  private var edits: [Decision: DecisionEdit] = [:]

  /// Creates edits that keep every value.
  public init() {}

  /// The edit of a decision.
  public subscript(decision: Decision) -> DecisionEdit {
    get { edits[decision] ?? .keep }
    set { edits[decision] = newValue == .keep ? nil : newValue }
  }

  /// The decisions whose values do not stay, in the order of the table.
  public var changed: [Decision] { Decision.allCases.filter { edits[$0] != nil } }
  /// Whether every value stays.
  public var isEmpty: Bool { edits.isEmpty }
}
