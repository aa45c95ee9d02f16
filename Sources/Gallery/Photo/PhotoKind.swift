/// The kind of a photo's file.
///
/// The suffix of a name is a hint. The content decides, which is known once the file has been read
/// (``PhotoMetadata/kind``). The packed form of metadata has the raw values.
public enum PhotoKind: Int, CaseIterable, Sendable {
  /// An image that doesn't move.
  case image = 1
  /// An image as the camera's sensor has recorded it.
  case raw
  /// An image of several frames.
  case animation
  /// A video.
  case video
  /// A page of a document.
  case page

  /// The raw values of all kinds.
  static let codes = image.rawValue...page.rawValue
}
