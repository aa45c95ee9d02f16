/// A choice of photos in a form: those of a camera, or the marked ones.
public struct PhotoScope: Sendable {
  /// The photos in words.
  public let text: String
  /// The files of each photo.
  public let shots: [[ShownFile]]
}
