/// The decisions about a photo: its stars, label, keywords, caption, and orientation.
///
/// A part is nil if nothing is decided.
public struct PhotoDecisions: Hashable, Sendable {
  /// The stars from 1 to 5, 0 for none, or -1 for a rejected photo.
  public var stars: Int?
  /// The label, in most cases the English name of a color.
  public var label: String?
  /// All keywords.
  public var keywords: [String]?
  /// The caption, which may have several lines.
  public var caption: String?
  /// The orientation that replaces the photo's own.
  public var orientation: ImageOrientation?

  /// The stars of a rejected photo (XMP Specification, part 1, `xmp:Rating`).
  public static let rejected = -1

  /// Creates decisions.
  public init(
    stars: Int? = nil, label: String? = nil, keywords: [String]? = nil, caption: String? = nil,
    orientation: ImageOrientation? = nil
  ) {
    (self.stars, self.label, self.keywords) = (stars, label, keywords)
    (self.caption, self.orientation) = (caption, orientation)
  }

  /// Creates the decisions that a photo's metadata contains. They do not tell the photo's own from those of its sidecar.
  public init(_ metadata: PhotoMetadata?) {
    let keywords = metadata?.keywords ?? []
    self.init(
      stars: metadata?.rating, label: metadata?.label, keywords: keywords.isEmpty ? nil : keywords,
      caption: metadata?.caption,
      orientation: metadata?.chosenOrientation.flatMap(ImageOrientation.init(rawValue:)))
  }

  /// Copies the parts of other decisions that are missing here. Zero stars, which cameras write, are replaced by others.
  public mutating func fill(from other: PhotoDecisions) {
    if stars == nil || stars == 0 { stars = other.stars ?? stars }
    (label, keywords) = (label ?? other.label, keywords ?? other.keywords)
    (caption, orientation) = (caption ?? other.caption, orientation ?? other.orientation)
  }

  /// Whether the photo has at least one star.
  public var isPicked: Bool { (stars ?? 0) > 0 }
  /// Whether the photo is rejected.
  public var isRejected: Bool { stars == Self.rejected }
}

/// A change of the decisions about photos that the user makes in one step.
public enum DecisionChange: Hashable, Codable, Sendable {
  /// The photos get stars from 0 to 5, or are rejected.
  case stars(Int)
  /// The photos get a label, or none.
  case label(String?)
  /// The photos get some keywords and lose others.
  case keywords(added: [String], removed: [String])
  /// The photos get a caption, or none.
  case caption(String?)
  /// The photos are rotated clockwise by a number of quarters.
  case rotation(quarters: Int)

  /// Whether the change gives or takes stars, or rejects.
  public var isRating: Bool { if case .stars = self { true } else { false } }

  /// Whether the outcome depends on what the photo's own file contains.
  public var dependsOnFile: Bool {
    switch self {
    case .keywords, .rotation: true
    case .stars, .label, .caption: false
    }
  }

  /// The change in words, such as `★★★` or `Label Red`.
  public var text: String {
    switch self {
    case .stars(PhotoDecisions.rejected): localized("Rejected")
    case .stars(0): localized("No stars")
    case .stars(let count): String(repeating: "★", count: max(0, count))
    case .label(nil): localized("No label")
    case .label(let name?): localized("Label \(name.colorText)")
    case .keywords(let added, let removed):
      localized("Keywords") + " " + (added.map { "+\($0)" } + removed.map { "-\($0)" }).joined(separator: " ")
    case .caption(nil): localized("No caption")
    case .caption: localized("Caption")
    case .rotation: localized("Rotated")
    }
  }
}

extension String {
  /// The label in the language of the interface if it is the English name of a color, which programs write; otherwise the
  /// label itself.
  public var colorText: String {
    switch self {
    case "Red": localized("Red")
    case "Orange": localized("Orange")
    case "Yellow": localized("Yellow")
    case "Green": localized("Green")
    case "Blue": localized("Blue")
    case "Purple": localized("Purple")
    case "Gray": localized("Gray")
    case "Black": localized("Black")
    case "White": localized("White")
    default: self
    }
  }
}

extension DecisionChange {
  /// Returns keywords after the change.
  public static func keywords(_ keywords: [String], adding added: [String], removing removed: [String]) -> [String] {
    let kept = keywords.filter { !removed.contains($0) }
    return kept + added.filter { !kept.contains($0) }
  }
}
