/// A change of the decisions about one photo.
///
/// The fields are independent of each other. darktable and digiKam read ``hierarchicalKeywords`` before ``keywords``, so a
/// caller that adds a keyword to a photo that has both should change both.
public struct SidecarChange: Hashable, Codable, Sendable {
  /// The change of one field.
  public enum Field<Value: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
    /// The field stays as it is.
    case keep
    /// The field gets this value.
    case set(Value)
    /// The field is removed.
    case remove

    fileprivate func applied(to value: Value?) -> Value? {
      switch self {
      case .keep: value
      case .set(let value): value
      case .remove: nil
      }
    }
  }

  /// The stars from 0 to 5, or -1 for a rejected photo.
  public var rating = Field<Int>.keep
  /// The label, in most cases the English name of a color.
  public var label = Field<String>.keep
  /// All keywords.
  public var keywords = Field<[String]>.keep
  /// All keywords with the levels above them, separated by `|`.
  public var hierarchicalKeywords = Field<[String]>.keep
  /// The caption in the default language. Captions in other languages stay.
  public var caption = Field<String>.keep
  /// The orientation from 1 to 8.
  public var orientation = Field<Int>.keep

  /// The exact former values of the properties that another change has written. Empty if a user made the change.
  ///
  /// The fields alone could not undo a change: a sidecar can say "red" with `xmp:Label` or with darktable's numbers, and the
  /// properties that are kept in step have former values, too.
  var formerValues: [SidecarProperty: XMPValue?] = [:]
  /// The lists that the other change has written. What a program has added to one since, or removed from it, stays so.
  var writtenLists: [SidecarProperty: XMPValue]?
  /// Whether the sidecar did not exist before the change that this one undoes. Such a sidecar is deleted if nothing but
  /// its date is left in it.
  var deletesEmptySidecar = false

  /// Creates a change that keeps every field.
  public init() {}

  /// Whether the change keeps every field.
  public var isEmpty: Bool { self == SidecarChange() }
}

extension SidecarDecisions {
  /// Returns the decisions that a sidecar will hold after a change.
  public func applying(_ change: SidecarChange) -> SidecarDecisions {
    var new = self
    new.rating = change.rating.applied(to: rating)
    new.label = change.label.applied(to: label)
    new.keywords = change.keywords.applied(to: keywords)
    new.hierarchicalKeywords = change.hierarchicalKeywords.applied(to: hierarchicalKeywords)
    new.caption = change.caption.applied(to: caption)
    new.orientation = change.orientation.applied(to: orientation)
    return new
  }
}

extension SidecarChange {
  /// Creates the inverse of a change.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - old: The sidecar before the change, or nil if there was none.
  ///   - new: The sidecar after the change, or nil if there is none.
  init(undoing change: SidecarChange, from old: XMPDocument?, to new: XMPDocument?) {
    var lists: [SidecarProperty: XMPValue] = [:]
    for property in SidecarProperty.allCases where property != .metadataDate {
      let former = old?.value(of: property)
      guard former != new?.value(of: property) || change.properties.contains(property) else { continue }
      formerValues.updateValue(former, forKey: property)
      if let list = new?.value(of: property), list.form != nil { lists[property] = list }
    }
    if !lists.isEmpty { writtenLists = lists }
    deletesEmptySidecar = old == nil && new != nil
    let former = old?.decisions ?? SidecarDecisions()
    rating = Self.inverse(of: change.rating, former.rating)
    label = Self.inverse(of: change.label, former.label)
    keywords = Self.inverse(of: change.keywords, former.keywords)
    hierarchicalKeywords = Self.inverse(of: change.hierarchicalKeywords, former.hierarchicalKeywords)
    caption = Self.inverse(of: change.caption, former.caption)
    orientation = Self.inverse(of: change.orientation, former.orientation)
  }

  /// The properties of the fields that do not stay.
  private var properties: [SidecarProperty] {
    let fields: [(isKept: Bool, property: SidecarProperty)] = [
      (rating == .keep, .rating), (label == .keep, .label), (keywords == .keep, .keywords),
      (hierarchicalKeywords == .keep, .hierarchicalKeywords), (caption == .keep, .caption),
      (orientation == .keep, .orientation),
    ]
    return fields.filter { !$0.isKept }.map(\.property)
  }

  private static func inverse<Value>(of field: Field<Value>, _ former: Value?) -> Field<Value> {
    field == .keep ? .keep : former.map(Field.set) ?? .remove
  }
}
