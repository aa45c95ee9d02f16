import ImageWire

/// A rendition that the terminal itself draws.
public struct Graphic: Sendable {
  /// The number of the image, from 8 to 2^24 - 1. No two images share it.
  public let id: UInt32
  /// The way in which the image gets onto the screen.
  public let delivery: Delivery
  /// The cells that the image takes, its size in pixels, and the bytes that send or draw it.
  public let image: GraphicImage
  /// The pixels of the stored image that are shown; nil for all of them.
  let crop: KittyCommands.Crop?

  /// Creates a graphic from a rendition in an output format.
  public init(_ image: GraphicImage, id: UInt32, format: OutputFormat) {
    self.init(image, id: id, delivery: (image.isPlaced ? format.withoutPlaceholders : format).delivery)
  }

  init(_ image: GraphicImage, id: UInt32, delivery: Delivery, crop: KittyCommands.Crop? = nil) {
    self.id = id
    self.delivery = delivery
    self.image = image
    self.crop = crop
  }

  /// Creates a graphic that shows a part of an image which the terminal stores, scaled to other cells. Nothing of the image is
  /// sent again.
  ///
  /// - Parameters:
  ///   - pixels: The columns and the rows of the stored image's pixels.
  ///   - size: The cells that the part fills.
  /// - Returns: nil if the terminal can't do that: it stores no images, or shows them at placeholders only (passed through).
  public init?(
    partOf image: GraphicImage, id: UInt32, format: OutputFormat, pixels: (columns: Range<Int>, rows: Range<Int>),
    scaledTo size: Size
  ) {
    let delivery = format.withoutPlaceholders.delivery
    guard case .placed(let commands) = delivery, !commands.isPassedThrough, !pixels.columns.isEmpty,
      !pixels.rows.isEmpty
    else { return nil }
    var scaled = image
    scaled.columns = size.columns
    scaled.rows = size.rows
    scaled.isEnlarged = true
    scaled.isPlaced = true
    self.init(
      scaled, id: id, delivery: delivery,
      crop: KittyCommands.Crop(
        x: pixels.columns.lowerBound, y: pixels.rows.lowerBound, width: pixels.columns.count,
        height: pixels.rows.count))
  }
}
