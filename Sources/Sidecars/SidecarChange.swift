import Gallery

/// A change of the decisions about one photo, or the inverse of one.
///
/// The decisions are independent of each other. darktable and digiKam read hierarchical keywords before the flat ones, so a
/// caller that adds a keyword to a photo that has both should change both.
public struct SidecarChange: Hashable, Sendable {
  /// The edits of the decisions.
  public var edits = DecisionEdits()

  /// The exact former values of the properties that another change has written. Empty if a user made the change.
  ///
  /// The edits alone could not undo a change: a sidecar can say "red" with `xmp:Label` or with darktable's numbers, and the
  /// properties that are kept in step have former values, too.
  var formerValues: [SidecarProperty: XMPValue?] = [:]
  /// The lists that the other change has written. What a program has added to one since, or removed from it, stays so.
  var writtenLists: [SidecarProperty: XMPValue]?
  /// Whether the sidecar did not exist before the change that this one undoes. Such a sidecar is deleted if nothing but
  /// its date is left in it.
  var deletesEmptySidecar = false

  /// Creates a change that keeps every value.
  public init() {}

  /// The edit of a decision.
  public subscript(decision: Decision) -> DecisionEdit {
    get { edits[decision] }
    set { edits[decision] = newValue }
  }

  /// Whether the change keeps every value.
  public var isEmpty: Bool { self == SidecarChange() }
}

extension SidecarChange {
  /// Creates the inverse of a change.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - old: The sidecar before the change, or nil if there was none.
  ///   - new: The sidecar after the change, or nil if there is none.
  init(undoing change: SidecarChange, from old: XMPDocument?, to new: XMPDocument?) {
    let changed = change.edits.changed.map(SidecarProperty.init)
    var lists: [SidecarProperty: XMPValue] = [:]
    for property in SidecarProperty.allCases where property != .metadataDate {
      let former = old?.value(of: property)
      guard former != new?.value(of: property) || changed.contains(property) else { continue }
      formerValues.updateValue(former, forKey: property)
      if let list = new?.value(of: property), list.form != nil { lists[property] = list }
    }
    if !lists.isEmpty { writtenLists = lists }
    deletesEmptySidecar = old == nil && new != nil
    edits = change.edits.inverse(restoring: old?.decisions ?? PhotoDecisions())
  }
}

/// The journal holds each decision under its own name, as in `"rating":{"set":{"_0":4}}`.
extension SidecarChange: Codable {
  private enum Key: String, CodingKey {
    case formerValues, writtenLists, deletesEmptySidecar
  }

  private struct DecisionKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ decision: Decision) { stringValue = decision.rawValue }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Decodes a change from a journal.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    formerValues = try container.decode([SidecarProperty: XMPValue?].self, forKey: .formerValues)
    writtenLists = try container.decodeIfPresent([SidecarProperty: XMPValue].self, forKey: .writtenLists)
    deletesEmptySidecar = try container.decode(Bool.self, forKey: .deletesEmptySidecar)
    let decisions = try decoder.container(keyedBy: DecisionKey.self)
    for decision in Decision.allCases {
      edits[decision] = try decisions.decodeIfPresent(DecisionEdit.self, forKey: DecisionKey(decision)) ?? .keep
    }
  }

  /// Encodes a change for a journal.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(formerValues, forKey: .formerValues)
    try container.encodeIfPresent(writtenLists, forKey: .writtenLists)
    try container.encode(deletesEmptySidecar, forKey: .deletesEmptySidecar)
    // The first version of the program expects a value for every decision that it knows.
    var decisions = encoder.container(keyedBy: DecisionKey.self)
    let first: Set<Decision> = [.rating, .label, .keywords, .hierarchicalKeywords, .caption, .orientation]
    for decision in Decision.allCases where first.contains(decision) || edits[decision] != .keep {
      try decisions.encode(edits[decision], forKey: DecisionKey(decision))
    }
  }
}
