/// The rotation of an image before it is fitted into its box.
public enum ImageRotation: UInt8, CaseIterable, Hashable, Sendable {
  /// The image is upright, as the Exif orientation in its file says.
  case upright
  /// The image stays as the file stores it. Its Exif orientation is ignored.
  case stored
  /// The upright image is rotated clockwise by 90 degrees.
  case clockwise90
  /// The upright image is rotated by 180 degrees.
  case clockwise180
  /// The upright image is rotated clockwise by 270 degrees.
  case clockwise270
}
