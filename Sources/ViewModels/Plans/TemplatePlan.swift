import Gallery
import Photos

/// The changes that a metadata template makes of photos, before the user agrees.
public struct TemplatePlan: EditPlan {
  /// The template.
  public let template: MetadataTemplate
  /// The texts of the template that the source of the photos can't keep.
  public let leftOut: [Decision]
  public private(set) var photoCount = 0
  /// The number of photos that change of which the template replaces a text.
  public private(set) var replacedCount = 0
  /// The number of photos that have all of it already.
  public private(set) var unchangedCount = 0
  /// The number of photos that have not been read, and may have texts that the template adds to.
  public private(set) var unreadCount = 0
  public private(set) var changes: [(photo: Photo, edits: DecisionEdits)] = []

  /// Creates a plan, which takes some microseconds a photo.
  ///
  /// - Parameters:
  ///   - shots: The files of each photo.
  ///   - possible: The decisions that the source of the photos can keep.
  ///   - codes: The codes that the texts may have.
  public init(
    _ template: MetadataTemplate, forShots shots: [[ShownFile]], possible: Set<Decision>, codes: CodeList = CodeList()
  ) {
    self.template = template
    leftOut = template.decisions.filter { !possible.contains($0) }
    for (index, shot) in shots.enumerated() {
      if template.dependsOnFile, shot.contains(where: { $0.photo.metadata == nil }) {
        unreadCount += 1
        continue
      }
      var (isChanged, isReplaced) = (false, false)
      for (photo, decisions) in shot {
        let path = photo.file ?? photo.originalPath
        var values = NamePattern.Values(photo: photo, path: path, sequence: index + 1)
        values.metadata = values.metadata.with(decisions)
        let edits = template.edits(of: values, decisions, possible: possible, codes)
        if edits.isEmpty { continue }
        isChanged = true
        isReplaced = isReplaced || edits.changed.contains { !template.appends($0) && decisions[$0] != nil }
        changes.append((photo, edits))
      }
      photoCount += isChanged ? 1 : 0
      replacedCount += isReplaced ? 1 : 0
      unchangedCount += isChanged ? 0 : 1
    }
  }

  public var origin: DecisionChange.Plan { template.name.isEmpty ? .texts : .template(template.name) }
}

extension DecisionEdits {
  /// The new values, each behind the name of its decision: `City: Oslo`.
  public var lines: [String] {
    changed.compactMap { decision in
      guard let value = self[decision].value ?? nil else { return nil }
      let text = value.text ?? value.list?.joined(separator: ", ") ?? ""
      return "\(decision.text(of: value)): \(text.printable)"
    }
  }
}

extension [Decision] {
  /// The names of the decisions: `City, Country`.
  public var namesText: String {
    map { $0.text(of: $0.form.empty) }.joined(separator: ", ")
  }
}
