import Gallery
import Photos

/// The changes that a metadata template makes of photos, before the user agrees.
public struct TemplatePlan: Sendable {
  /// The template.
  public let template: MetadataTemplate
  /// The number of photos that change.
  public private(set) var photoCount = 0
  /// The number of photos that change of which the template replaces a text.
  public private(set) var replacedCount = 0
  /// The number of photos that have all of it already.
  public private(set) var unchangedCount = 0
  /// The number of photos that have not been read, and may have texts that the template adds to.
  public private(set) var unreadCount = 0
  /// What the first photo gets: the names of the texts, and the texts.
  public private(set) var example: [(label: String, text: String)] = []
  /// The change of each file.
  public private(set) var changes: [(photo: Photo, change: DecisionChange)] = []

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - shots: The files of each photo.
  ///   - possible: The decisions that the source of the photos can keep.
  ///   - decisions: Returns the decisions about a file.
  public init(
    _ template: MetadataTemplate, forShots shots: [[Photo]], possible: Set<Decision>,
    decisions: (Photo) -> PhotoDecisions = { PhotoDecisions($0.metadata) }
  ) {
    self.template = template
    for (index, shot) in shots.enumerated() {
      if template.dependsOnFile, shot.contains(where: { $0.metadata == nil }) {
        unreadCount += 1
        continue
      }
      var (isChanged, isReplaced) = (false, false)
      for photo in shot {
        let shown = decisions(photo)
        var values = NamePattern.Values(
          photo: photo, path: photo.file ?? photo.originalPath, sequence: index + 1)
        values.metadata = values.metadata.with(shown)
        let edits = template.edits(of: values, shown, possible: possible)
        if edits.isEmpty { continue }
        isChanged = true
        isReplaced = isReplaced || edits.changed.contains { $0 != .keywords && shown[$0] != nil }
        if example.isEmpty { example = Self.lines(edits) }
        changes.append((photo, .template(template.name, edits)))
      }
      photoCount += isChanged ? 1 : 0
      replacedCount += isReplaced ? 1 : 0
      unchangedCount += isChanged ? 0 : 1
    }
  }

  /// Returns what a photo gets: the names of the texts, and the texts.
  public static func lines(_ edits: DecisionEdits) -> [(label: String, text: String)] {
    edits.changed.compactMap { decision in
      guard let value = edits[decision].value ?? nil else { return nil }
      let text = value.text ?? value.list?.joined(separator: ", ") ?? ""
      return (decision.text(of: value), text.printable)
    }
  }
}
