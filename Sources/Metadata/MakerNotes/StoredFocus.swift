import Gallery

/// The point that the camera focused on, in the image as it is stored, before its orientation is applied.
struct StoredFocus {
  /// The distances from the left and upper edges, as parts of the image's sides.
  private let (x, y): (Double, Double)
  /// The sides of the image that the camera means. Only their ratio counts, since the image may have been scaled.
  private let (width, height): (Int, Int)

  /// The largest difference between two ratios of sides that scaling or the borders of a sensor explain.
  private static let tolerance = 0.04

  /// Returns nil for a point that is not within an image of this size.
  ///
  /// - Parameters:
  ///   - x: The distance from the left edge, as a part of the width.
  ///   - y: The distance from the upper edge, as a part of the height.
  init?(x: Double, y: Double, width: Int, height: Int) {
    guard (0...1).contains(x), (0...1).contains(y), width > 0, height > 0 else { return nil }
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Returns nil for a point that is not within an image of this size, all in pixels.
  init?(x: Int, y: Int, width: Int, height: Int) {
    self.init(x: Double(x) / Double(width), y: Double(y) / Double(height), width: width, height: height)
  }

  /// Returns the point in the upright image, or nil if the image was cropped or rotated after it was taken.
  ///
  /// - Parameters:
  ///   - orientation: The orientation of the stored image.
  ///   - size: The size of the upright image in pixels, or zeros if it is unknown.
  func upright(from orientation: ImageOrientation, in size: (width: Int, height: Int)) -> FocusPoint? {
    let isTurned = orientation.rawValue > 4
    let (across, down) = (Double(isTurned ? height : width), Double(isTurned ? width : height))
    let (first, second) = (across * Double(size.height), down * Double(size.width))
    guard abs(first - second) <= Self.tolerance * max(first, second) || size.width == 0 || size.height == 0 else {
      return nil
    }
    let (x, y) =
      switch orientation {
      case .upright: (x, y)
      case .mirrored: (1 - x, y)
      case .rotated180: (1 - x, 1 - y)
      case .mirroredRotated180: (x, 1 - y)
      case .mirroredRotated270: (y, x)
      case .rotated90: (1 - y, x)
      case .mirroredRotated90: (1 - y, 1 - x)
      case .rotated270: (y, 1 - x)
      }
    return FocusPoint(x: Self.units(x), y: Self.units(y))
  }

  private static func units(_ part: Double) -> Int {
    min(Int((part * Double(FocusPoint.unitsPerSide)).rounded()), FocusPoint.coordinates.upperBound)
  }
}
