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

  /// Creates a rotation of the upright image clockwise by quarters.
  public init(quarters: Int) {
    self = [.upright, .clockwise90, .clockwise180, .clockwise270][quarters & 3]
  }

  /// The number of quarters by which the image is rotated clockwise.
  public var quarters: Int {
    switch self {
    case .upright, .stored: 0
    case .clockwise90: 1
    case .clockwise180: 2
    case .clockwise270: 3
    }
  }

  /// The rotation by one more quarter clockwise.
  public var next: ImageRotation {
    switch self {
    case .upright, .stored: .clockwise90
    case .clockwise90: .clockwise180
    case .clockwise180: .clockwise270
    case .clockwise270: .upright
    }
  }

  /// Whether the width and the height of the upright image change places.
  public var isTransposing: Bool { quarters % 2 == 1 }
}
