/// The rating of a photo: stars and a label.
public struct PhotoRating: Hashable, Sendable {
  /// The stars from 1 to 5, 0 for none, or -1 for a rejected photo; nil if the photo has no rating.
  public var stars: Int?
  /// The label, in most cases the English name of a color.
  public var label: String?

  /// The stars of a rejected photo (XMP Specification, part 1, `xmp:Rating`).
  public static let rejected = -1

  /// Creates a rating.
  public init(stars: Int? = nil, label: String? = nil) { (self.stars, self.label) = (stars, label) }
}

/// A change of photos' ratings that the user makes in one step.
public enum RatingChange: Hashable, Sendable {
  /// The photos get stars from 0 to 5, or are rejected.
  case stars(Int)
  /// The photos get a label, or none.
  case label(String?)

  /// The change in words, such as `★★★` or `Label Red`.
  public var text: String {
    switch self {
    case .stars(PhotoRating.rejected): "Rejected"
    case .stars(0): "No stars"
    case .stars(let count): String(repeating: "★", count: max(0, count))
    case .label(nil): "No label"
    case .label(let name?): "Label \(name)"
    }
  }
}
