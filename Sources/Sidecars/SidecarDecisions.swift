/// The decisions of the user about a photo, as its sidecar holds them.
///
/// A field is nil if the sidecar does not have it.
public struct SidecarDecisions: Hashable, Codable, Sendable {
  /// The stars from 1 to 5, 0 for none, or -1 for a rejected photo (XMP Specification, part 1, `xmp:Rating`).
  public var rating: Int?
  /// The label, in most cases the English name of a color (`xmp:Label`).
  public var label: String?
  /// The keywords (`dc:subject`), in the order of the sidecar.
  public var keywords: [String]?
  /// The keywords with the levels above them (`lr:hierarchicalSubject`), separated by `|`: `Places|Norway|Bergen`.
  public var hierarchicalKeywords: [String]?
  /// The caption in the default language (`dc:description`), which may have several lines.
  public var caption: String?
  /// The orientation from 1 to 8 that the user has given the photo (TIFF 6.0, tag 274; `tiff:Orientation`).
  public var orientation: Int?

  /// Creates decisions of which none is made yet.
  public init() {}
}
