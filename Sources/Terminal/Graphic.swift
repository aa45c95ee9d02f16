import ImageWire

/// A rendition that the terminal itself draws.
public struct Graphic: Sendable {
  /// The number of the image, from 8 to 2^24 - 1. No two images share it.
  public let id: UInt32
  /// The way in which the image gets onto the screen.
  public let delivery: Delivery
  /// The cells that the image takes, its size in pixels, and the bytes that send or draw it.
  public let image: GraphicImage

  /// Creates a graphic from a rendition in an output format.
  public init(_ image: GraphicImage, id: UInt32, format: OutputFormat) {
    self.init(image, id: id, delivery: (image.isPlaced ? format.withoutPlaceholders : format).delivery)
  }

  init(_ image: GraphicImage, id: UInt32, delivery: Delivery) {
    self.id = id
    self.delivery = delivery
    self.image = image
  }
}
