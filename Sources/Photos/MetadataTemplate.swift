import Gallery

/// Texts and keywords that photos get together, such as the creator, the copyright notice and the place of an assignment.
///
/// The texts have fields of ``NamePattern``: `Lisbon, {date:%d.%m.%Y}`.
public struct MetadataTemplate: Hashable, Sendable {
  /// The name of the template.
  public let name: String
  private var texts: [Decision: NamePattern] = [:]
  private var keywords: [NamePattern] = []
  /// The texts that photos lose.
  private var removed: Set<Decision> = []
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

  /// Has the template remove a text that photos have.
  public mutating func remove(_ decision: Decision) { removed.insert(decision) }

  private static func decision(_ name: String) throws(Fault) -> Decision {
    if let field = fields.first(where: { $0.name == name }) { return field.decision }
    throw Fault(
      reason:
        "There is no “\(name.printable)” here. There are \((fields.map(\.name) + [append]).joined(separator: ", ")).")
  }

  /// Whether the template has no line.
  public var isEmpty: Bool { texts.isEmpty && keywords.isEmpty && removed.isEmpty }

  /// The decisions that the template makes, in the order of the table.
  public var decisions: [Decision] {
    Self.fields.map(\.decision).filter {
      $0 == .keywords ? !keywords.isEmpty : texts[$0] != nil || removed.contains($0)
    }
  }

  /// Whether the outcome depends on what the photo has, in its file, too.
  public var dependsOnFile: Bool { decisions.contains(where: appended.contains) }

  /// Indicates whether the template adds to a text or a list that a photo has, and does not replace it.
  public func appends(_ decision: Decision) -> Bool { appended.contains(decision) }

  /// Returns what a photo gets. A text that is empty for the photo, such as that of an unknown city, changes nothing, and what the photo
  /// has already is not added again. The texts are as sources read them, so that the next time nothing changes.
  ///
  /// - Parameters:
  ///   - shown: The decisions about the photo, in whose place the new ones come.
  ///   - possible: The decisions that the source of the photo can keep.
  ///   - codes: The codes that the texts may have.
  public func edits(
    of photo: NamePattern.Values, _ shown: PhotoDecisions, possible: Set<Decision>, _ codes: CodeList = CodeList()
  ) -> DecisionEdits {
    var edits = DecisionEdits()
    for decision in decisions where possible.contains(decision) {
      let new: DecisionValue
      if removed.contains(decision) {
        // An empty value hides that of the photo's own file.
        if shown[decision] != nil { edits[decision] = DecisionEdit(decision.form.empty) }
        continue
      }
      if decision == .keywords {
        var words = appends(.keywords) ? shown.keywords ?? [] : []
        for word in keywords.flatMap({ Self.words($0, of: photo, codes) })
        where !words.contains(word) {
          words.append(word)
        }
        if words.isEmpty { continue }
        new = .list(words)
      } else {
        guard let text = texts[decision].flatMap({ Self.read($0.expanding(codes).text(of: photo), decision) }) else {
          continue
        }
        new = .text(appends(decision) ? Self.added(text, to: shown[decision]?.text, decision) : text)
      }
      if shown[decision] != new { edits[decision] = .set(new) }
    }
    return edits
  }

  /// Returns the keywords of a pattern. A code in it can become several keywords.
  private static func words(_ pattern: NamePattern, of photo: NamePattern.Values, _ codes: CodeList) -> [String] {
    let expanded = pattern.expanding(codes)
    let text = expanded.text(of: photo).printable
    return (expanded == pattern ? [text] : text.split(separator: ",").map(String.init)).compactMap(trimmed)
  }

  /// Returns a text as a source reads it, or nil if nothing is left of it.
  private static func read(_ text: String, _ decision: Decision) -> String? {
    guard let iptc = decision.iptcText else { return trimmed(text.printableLines) }
    if iptc.form == .names { return iptc.text(of: IPTCText.names(in: text.printable)) }
    return trimmed(iptc.hasLines ? text.printableLines : text.printable)
  }

  private static func trimmed(_ text: String) -> String? {
    guard let start = text.firstIndex(where: { !$0.isWhitespace }),
      let end = text.lastIndex(where: { !$0.isWhitespace })
    else { return nil }
    return String(text[start...end])
  }

  private static func added(_ text: String, to former: String?, _ decision: Decision) -> String {
    guard let former, !former.isEmpty else { return text }
    let separator = decision == .caption ? "\n" : "; "
    let isThere = (separator + former + separator).contains(separator + text + separator)
    return isThere ? former : former + separator + text
  }
}

extension Decision {
  /// The name of the decision in a template: `alt-text`.
  fileprivate var templateName: String {
    rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
  }
}
