import Gallery

/// A line of text in the lower right corner of an image: white, with a soft dark edge, so that it can be read on any ground.
struct Watermark {
  private let text: String

  /// The height of the letters by the longer side of the image.
  private static let share = 0.022
  /// The least height of the letters, in pixels.
  private static let leastHeight = 11
  /// The most of the image's width that the text takes.
  private static let mostWidth = 0.9
  /// How much of the ground white and black cover, from 0 to 256.
  private static let (white, black) = (UInt32(235), UInt32(210))

  /// Returns nil if there is no text.
  init?(_ text: String) {
    let text = text.printable.prefix(ExportSpecification.longestWatermark)
    guard text.contains(where: { $0 != " " }) else { return nil }
    self.text = String(text)
  }

  /// Draws the text on an image.
  /// - Throws: `.notExported(.noFont)` if the text can't be drawn.
  func draw(on pixels: Pixels, _ vips: VipsLibrary) throws(ImageFault) {
    var height = max(Self.leastHeight, Int(Double(pixels.size.longerSide) * Self.share))
    var letters = try vips.draw(text, height: height)
    let most = Int(Double(pixels.size.width) * Self.mostWidth)
    if letters.width > most {
      height = max(1, height * most / letters.width)
      letters = try vips.draw(text, height: height)
    }
    let radius = max(1, height / 10)
    let shadow = letters.padded(by: 2 * radius).spread(radius)
    let left = pixels.size.width - letters.width - height
    let top = pixels.size.height - letters.height - height
    shadow.cover(pixels, left: left - 2 * radius, top: top - 2 * radius, color: 0, share: Self.black)
    letters.cover(pixels, left: left, top: top, color: 0xFF_FFFF, share: Self.white)
  }
}
