import Gallery

/// Texts and keywords that photos get together, such as the creator, the copyright notice and the place of an assignment.
///
/// The texts have fields of ``NamePattern``: `Lisbon, {date:%d.%m.%Y}`.
public struct MetadataTemplate: Hashable, Sendable {
  /// The name of the template.
  public let name: String
  private var texts: [Decision: NamePattern] = [:]
  private var keywords: [NamePattern] = []
  /// The decisions to whose values the template adds. It replaces the others.
  private var appended: Set<Decision> = [.keywords]

  /// The decisions that a template can make, with their names in the configuration file.
  public static let fields: [(name: String, decision: Decision)] =
    ([.caption, .keywords] + IPTCText.all.map(\.decision)).map { ($0.templateName, $0) }

  /// The name of the list of what the template adds to.
  private static let append = "append"

  /// Creates a template without texts.
  public init(name: String) { self.name = name }

  /// A reason why a line of a template is invalid, as a sentence in English.
  public struct Fault: Error, Hashable, Sendable {
    /// The sentence.
    public let reason: String
  }

  /// Sets the value of a line.
  ///
  /// - Parameter values: The text, or the items of a list.
  public mutating func set(_ field: String, to values: [String]) throws(Fault) {
    if field == Self.append {
      appended = []
      for name in values { appended.insert(try Self.decision(name)) }
      return
    }
    let decision = try Self.decision(field)
    var patterns: [NamePattern] = []
    for value in values {
      do throws(NamePattern.Fault) { patterns.append(try NamePattern(ofText: value)) } catch {
        throw Fault(reason: error.message)
      }
    }
    if decision == .keywords {
      keywords = patterns
    } else {
      guard patterns.count == 1 else { throw Fault(reason: "It takes one text.") }
      texts[decision] = patterns[0]
    }
  }

  private static func decision(_ name: String) throws(Fault) -> Decision {
    if let field = fields.first(where: { $0.name == name }) { return field.decision }
    throw Fault(
      reason:
        "There is no “\(name.printable)” here. There are \((fields.map(\.name) + [append]).joined(separator: ", ")).")
  }

  /// Whether the template has no line.
  public var isEmpty: Bool { texts.isEmpty && keywords.isEmpty }

  /// The decisions that the template makes, in the order of the table.
  public var decisions: [Decision] {
    Self.fields.map(\.decision).filter { $0 == .keywords ? !keywords.isEmpty : texts[$0] != nil }
  }

  /// Whether the outcome depends on what the photo has, in its file, too.
  public var dependsOnFile: Bool { decisions.contains(where: appended.contains) }

  /// Returns what a photo gets. A text that is empty for the photo, such as that of an unknown city, changes nothing, and what the photo
  /// has already is not added again.
  ///
  /// - Parameters:
  ///   - shown: The decisions about the photo, in whose place the new ones come.
  ///   - possible: The decisions that the source of the photo can keep.
  public func edits(of photo: NamePattern.Values, _ shown: PhotoDecisions, possible: Set<Decision>) -> DecisionEdits {
    var edits = DecisionEdits()
    for decision in decisions where possible.contains(decision) {
      let new: DecisionValue
      if decision == .keywords {
        let words = keywords.map { $0.text(of: photo) }.filter { !$0.allSatisfy(\.isWhitespace) }
        let former = appended.contains(.keywords) ? shown.keywords ?? [] : []
        new = .list(DecisionChange.keywords(former, adding: words, removing: []))
        if words.isEmpty { continue }
      } else {
        guard let text = texts[decision]?.text(of: photo), !text.allSatisfy(\.isWhitespace) else { continue }
        new = .text(appended.contains(decision) ? Self.added(text, to: shown[decision]?.text, decision) : text)
      }
      if shown[decision] != new { edits[decision] = .set(new) }
    }
    return edits
  }

  private static func added(_ text: String, to former: String?, _ decision: Decision) -> String {
    guard let former, !former.isEmpty else { return text }
    return former.contains(text) ? former : former + (decision == .caption ? "\n" : "; ") + text
  }
}

extension Decision {
  /// The name of the decision in a template: `alt-text`.
  fileprivate var templateName: String {
    rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
  }
}
