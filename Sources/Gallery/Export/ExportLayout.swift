/// The sizes of an exported photo: the part of the upright image, and the pixels of the new one.
public struct ExportLayout: Hashable, Sendable {
  /// The left edge of the part, in pixels of the photo.
  public private(set) var x = 0
  /// The upper edge of the part, in pixels of the photo.
  public private(set) var y = 0
  /// The width of the part, in pixels of the photo.
  public private(set) var partWidth: Int
  /// The height of the part, in pixels of the photo.
  public private(set) var partHeight: Int
  /// The width of the new image in pixels.
  public private(set) var width: Int
  /// The height of the new image in pixels.
  public private(set) var height: Int

  /// - Parameters:
  ///   - photoWidth: The width of the upright photo in pixels.
  ///   - photoHeight: The height of the upright photo in pixels.
  public init(_ specification: ExportSpecification, photoWidth: Int, photoHeight: Int) {
    (partWidth, partHeight) = (photoWidth, photoHeight)
    (width, height) = (photoWidth, photoHeight)
    if let crop = specification.crop {
      (x, partWidth) = Self.stretch(crop.x, crop.width, of: photoWidth)
      (y, partHeight) = Self.stretch(crop.y, crop.height, of: photoHeight)
    }
    switch specification.size {
    case .original: (width, height) = (partWidth, partHeight)
    case .longEdge(let side):
      let longer = max(partWidth, partHeight)
      let new = min(side, longer)
      (width, height) = (Self.scaled(partWidth, new, longer), Self.scaled(partHeight, new, longer))
    case .fit(let mostWidth, let mostHeight):
      width = min(mostWidth, partWidth, Self.scaled(partWidth, mostHeight, partHeight))
      height = min(mostHeight, partHeight, Self.scaled(partHeight, mostWidth, partWidth))
    case .box(let boxWidth, let boxHeight):
      (width, height) = (boxWidth, boxHeight)
      let cutWidth = max(1, min(partWidth, Self.scaled(partHeight, boxWidth, boxHeight)))
      let cutHeight = max(1, min(partHeight, Self.scaled(partWidth, boxHeight, boxWidth)))
      x += (partWidth - cutWidth) / 2
      y += (partHeight - cutHeight) / 2
      (partWidth, partHeight) = (cutWidth, cutHeight)
    }
  }

  /// Returns the pixels of a part of a side, at least one.
  private static func stretch(_ start: Double, _ length: Double, of side: Int) -> (start: Int, length: Int) {
    func pixel(_ fraction: Double) -> Int { Int((min(max(0, fraction), 1) * Double(side)).rounded()) }
    let first = min(pixel(start), side - 1)
    return (first, min(side - first, max(1, pixel(start + length) - first)))
  }

  /// Returns a length times a fraction, rounded, and at least 1.
  private static func scaled(_ length: Int, _ top: Int, _ bottom: Int) -> Int {
    max(1, (2 * length * top / bottom + 1) / 2)
  }
}
