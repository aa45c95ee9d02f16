/// A change of the decisions about photos that the user makes in one step.
public enum DecisionChange: Hashable, Sendable {
  /// A decision gets a value, or loses it.
  case set(Decision, DecisionValue?)
  /// The photos get some keywords and lose others.
  case keywords(added: [String], removed: [String])
  /// The photos are rotated clockwise by a number of quarters.
  case rotation(quarters: Int)
  /// A photo gets the values that a plan has for it.
  case planned(DecisionEdits, by: Plan)

  /// A plan that has its own values for each photo.
  public enum Plan: Hashable, Sendable {
    /// A template of metadata with this name.
    case template(String)
    /// Texts that the user has written.
    case texts
    /// A correction of a camera's clock, in words such as `+1:00:00`.
    case clock(String)
    /// A track of positions, from a file with this name.
    case track(String)
  }

  /// The photos get stars from 0 to 5, or are rejected.
  public static func rating(_ rating: Int) -> DecisionChange { .set(.rating, .number(rating)) }
  /// The photos get a label, or none.
  public static func label(_ label: String?) -> DecisionChange { .set(.label, label.map(DecisionValue.text)) }
  /// The photos get a caption, or none.
  public static func caption(_ caption: String?) -> DecisionChange {
    .set(.caption, caption.map(DecisionValue.text))
  }

  /// Whether the change gives or takes stars, or rejects.
  public var isRating: Bool { if case .set(.rating, _) = self { true } else { false } }

  /// The decisions that the change is about.
  public var decisions: [Decision] {
    switch self {
    case .set(let decision, _): [decision]
    case .keywords: [.keywords]
    case .rotation: [.orientation]
    case .planned(let edits, _): edits.changed
    }
  }

  /// Whether the outcome depends on what the photo's own file contains.
  public var dependsOnFile: Bool {
    switch self {
    case .keywords, .rotation: true
    case .set, .planned: false
    }
  }

  /// Returns the change of named photos in words, such as `3 stars on Dune` or `Label Red: Dune`.
  public func title(for name: String) -> String {
    if case .set(.rating, .number(1...)) = self { return localized("\(text) on \(name)") }
    return "\(text): \(name)"
  }

  /// A remark for a change whose effect does not show by itself, or nil: a cropped photo is shown whole, with the rest darkened.
  public var remark: String? {
    if case .set(.crop, .some) = self { localized("exports leave out the dark part") } else { nil }
  }

  /// The change in words, such as `3 stars` or `Label Red`.
  public var text: String {
    switch self {
    case .set(let decision, let value): decision.text(of: value)
    case .keywords(let added, let removed):
      Decision.keywords.text(of: nil) + " "
        + (added.map { "+\($0)" } + removed.map { "-\($0)" }).joined(separator: " ")
    case .rotation: Decision.orientation.text(of: nil)
    case .planned(_, .template(let name)): localized("Template \(name.printable)")
    case .planned(_, .texts): localized("Texts")
    case .planned(_, .clock(let correction)): localized("Time \(correction.printable)")
    case .planned(_, .track(let name)): localized("Positions of \(name.printable)")
    }
  }

  /// Returns keywords after the change.
  public static func keywords(_ keywords: [String], adding added: [String], removing removed: [String]) -> [String] {
    let kept = keywords.filter { !removed.contains($0) }
    return kept + added.filter { !kept.contains($0) }
  }
}

/// The journal holds `{"stars":{"_0":4}}`, `{"label":{}}`, `{"keywords":{"added":["a"],"removed":[]}}`,
/// `{"rotation":{"quarters":1}}`, and `{"template":{"name":"press","edits":…}}` with the kind and the name of a plan.
extension DecisionChange: Codable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }

    init(_ decision: Decision) { self.init(decision == .rating ? "stars" : decision.rawValue) }

    static let value = Key("_0")
    static let added = Key("added")
    static let removed = Key("removed")
    static let rotation = Key("rotation")
    static let quarters = Key("quarters")
    static let name = Key("name")
    static let edits = Key("edits")
  }

  /// Decodes a change from a journal.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func nested(_ key: Key) throws -> KeyedDecodingContainer<Key> {
      try container.nestedContainer(keyedBy: Key.self, forKey: key)
    }
    if container.contains(.rotation) {
      self = .rotation(quarters: try nested(.rotation).decode(Int.self, forKey: .quarters))
    } else if let kind = Plan.kinds.first(where: { container.contains(Key($0.name)) }) {
      let plan = try nested(Key(kind.name))
      self = .planned(
        try plan.decode(DecisionEdits.self, forKey: .edits), by: kind.plan(try plan.decode(String.self, forKey: .name)))
    } else if container.contains(Key(.keywords)) {
      let lists = try nested(Key(.keywords))
      self = .keywords(
        added: try lists.decode([String].self, forKey: .added),
        removed: try lists.decode([String].self, forKey: .removed))
    } else if let decision = Decision.allCases.first(where: { container.contains(Key($0)) }) {
      self = .set(decision, try nested(Key(decision)).decodeIfPresent(DecisionValue.self, forKey: .value))
    } else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: container.codingPath, debugDescription: "The change is unknown."))
    }
  }

  /// Encodes a change for a journal.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .set(let decision, let value):
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: Key(decision))
      try nested.encodeIfPresent(value, forKey: .value)
    case .keywords(let added, let removed):
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: Key(.keywords))
      try nested.encode(added, forKey: .added)
      try nested.encode(removed, forKey: .removed)
    case .rotation(let quarters):
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: .rotation)
      try nested.encode(quarters, forKey: .quarters)
    case .planned(let edits, let plan):
      var nested = container.nestedContainer(keyedBy: Key.self, forKey: Key(plan.parts.kind))
      try nested.encode(plan.parts.name, forKey: .name)
      try nested.encode(edits, forKey: .edits)
    }
  }
}

extension DecisionChange.Plan {
  /// The names of the kinds in the journal.
  fileprivate static let kinds: [(name: String, plan: @Sendable (String) -> DecisionChange.Plan)] = [
    ("template", { .template($0) }), ("texts", { _ in .texts }), ("clock", { .clock($0) }), ("track", { .track($0) }),
  ]

  fileprivate var parts: (kind: String, name: String) {
    switch self {
    case .template(let name): ("template", name)
    case .texts: ("texts", "")
    case .clock(let correction): ("clock", correction)
    case .track(let name): ("track", name)
    }
  }
}
