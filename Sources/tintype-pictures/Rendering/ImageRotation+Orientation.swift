import Gallery
import ImageWire

extension ImageRotation {
  /// Returns the orientation (Exif 2.32, tag 0x0112, 1 to 8) by which a stored image becomes the one that is shown.
  ///
  /// - Parameter exif: The orientation in the file.
  func orientation(for exif: Int) -> Int {
    switch self {
    case .upright: return exif
    case .stored: return 1
    case .clockwise90, .clockwise180, .clockwise270:
      return (ImageOrientation(rawValue: exif) ?? .upright).rotated(quarters: quarters).rawValue
    }
  }
}
