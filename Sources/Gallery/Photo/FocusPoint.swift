/// The point of an image that the camera focused on, relative to the image's sides.
///
/// The image is upright: the file's own orientation has been applied, but not a rotation that a sidecar asks for.
public struct FocusPoint: Hashable, Sendable {
  /// The number of units in a side of the image.
  public static let unitsPerSide = 1 << 16
  /// The values of both coordinates.
  public static let coordinates = 0...unitsPerSide - 1

  /// The distance from the left edge, in units of 1/65536 of the image's width.
  public var x: Int
  /// The distance from the upper edge, in units of 1/65536 of the image's height.
  public var y: Int

  /// Creates a point.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}
