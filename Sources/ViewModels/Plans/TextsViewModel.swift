import Gallery
import Photos

/// The form for the texts of photos, such as their titles, creators and cities.
///
/// It begins with the texts that all of the photos have. A text that the user does not touch stays, one that is emptied is removed, and the
/// others can have the fields of a template, such as `{date:%Y}`.
@MainActor
public final class TextsViewModel: Form {
  public var onChange: () -> Void = {}
  public private(set) var fields: [FormField]

  private let decisions: [(name: String, decision: Decision)]
  private let former: [String]
  private let photoCount: Int
  private let onSubmit: (MetadataTemplate) -> Void

  /// The sign for a line break in a field of one line. No text has it.
  private let lineBreak: String

  /// - Parameters:
  ///   - photos: The decisions about the photos.
  ///   - possible: The decisions that the source of the photos can keep.
  ///   - onSubmit: Called with the new texts as a template without a name.
  public init(of photos: [PhotoDecisions], possible: Set<Decision>, onSubmit: @escaping (MetadataTemplate) -> Void) {
    decisions = MetadataTemplate.fields.filter { $0.decision != .keywords && possible.contains($0.decision) }
    photoCount = photos.count
    let texts = decisions.flatMap { field in photos.compactMap { $0[field.decision]?.text } }
    let signs = ["¶", "⏎", "␤"]
    let lineBreak = signs.first { sign in !texts.contains { $0.contains(sign) } } ?? signs[0]
    self.lineBreak = lineBreak
    self.onSubmit = onSubmit
    fields = decisions.map { _, decision in
      let values = Set(photos.map { $0[decision]?.text })
      let shared = values.count == 1 ? photos.first?[decision]?.text ?? "" : ""
      return FormField(
        decision.text(of: decision.form.empty), shared.replacing("\n", with: lineBreak).printable.bracesDoubled,
        hint: values.count > 1 ? localized("several texts, which stay") : "")
    }
    former = fields.map(\.value)
  }

  public var title: String {
    photoCount == 1 ? localized("Texts") : localized("Texts of \(photoCount.photosText)")
  }
  public let button = localized("Save")

  public func set(_ value: String, of field: Int) { fields[field].value = value }

  public var fault: String? {
    do throws(MetadataTemplate.Fault) {
      _ = try template()
      return nil
    } catch { return error.reason }
  }

  public var preview: [String] {
    [
      localized("Texts can have fields: \(NamePattern.fields.map(\.field).joined(separator: " "))"),
      localized("\(lineBreak) begins a new line. What you do not change stays, and what you empty is removed."),
    ]
  }

  /// The texts that the user has changed.
  private func template() throws(MetadataTemplate.Fault) -> MetadataTemplate {
    var template = MetadataTemplate(name: "")
    for (place, (name, decision)) in decisions.enumerated() where fields[place].value != former[place] {
      let text = fields[place].value.replacing(lineBreak, with: "\n")
      if text.allSatisfy(\.isWhitespace) { template.remove(decision) } else { try template.set(name, to: [text]) }
    }
    return template
  }

  public func submit() { if let template = try? template(), !template.isEmpty { onSubmit(template) } }
}

extension String {
  /// The text as a pattern without fields has it.
  fileprivate var bracesDoubled: String { replacing("{", with: "{{").replacing("}", with: "}}") }
}
