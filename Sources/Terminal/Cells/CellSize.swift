/// A cell's size in pixels.
public struct CellSize: Hashable, Sendable {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  /// Creates a size in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size to assume if it is not known. Cells are about twice as high as wide.
  public static let standard = CellSize(width: 10, height: 20)

  /// Whether a cell can have this size.
  var isPlausible: Bool {
    (2...256).contains(width) && (4...512).contains(height) && (0.8...4).contains(Double(height) / Double(width))
  }
}
