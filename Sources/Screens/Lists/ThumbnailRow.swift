import Gallery
import ImageWire
import Terminal
import ViewModels

/// A row of several lines with a thumbnail at its left.
@MainActor
enum ThumbnailRow {
  /// The height of rows in which images drawn with characters show something, in lines.
  private static let fewestLinesOfCharacters = 5
  /// The least width of the texts beside a thumbnail, in columns.
  private static let narrowestText = 20

  /// Draws the thumbnail.
  /// - Returns: The surface next to it, for the texts, and the properties of the image; nil until it is there.
  static func draw(
    _ image: ImageLocation, quarters: Int = 0, isFaded: Bool = false, _ images: ImageLayer, on surface: Surface
  ) -> (text: Surface, info: ImageInfo?) {
    let (thumbnail, rest) = divide(surface, images)
    if thumbnail.bounds.isEmpty { return (rest, nil) }
    return (rest, images.draw(image, quarters: quarters, isFaded: isFaded, on: thumbnail))
  }

  /// The lengths of the lines that outline names, as parts of the width. They vary, so that rows look like different
  /// photos.
  private static let outlineLengths = [0.55, 0.4, 0.65, 0.5, 0.6, 0.35, 0.7]

  /// Draws the outline of a row that is loading: the place of its thumbnail, and lines in place of its texts.
  static func drawOutline(_ index: Int, _ context: CellContext, on surface: Surface) {
    var text = surface
    if context.rowSize != .compact {
      let thumbnail: Surface
      (thumbnail, text) = divide(surface, context.images)
      if !thumbnail.bounds.isEmpty { context.images.drawPlace(on: thumbnail) }
    }
    for row in 0..<min(2, text.bounds.rows) {
      let part = outlineLengths[(index + 3 * row) % outlineLengths.count]
      text.put(String(repeating: "━", count: Int(Double(text.bounds.columns) * part)), row: row, .faint)
    }
  }

  /// Prepares the thumbnail of a row that may be drawn on the surface soon.
  static func prepare(_ row: some Imaged, _ context: CellContext, on surface: Surface) {
    let place = surface.clipped(to: surface.bounds.split(rows: context.rowHeight).0)
    context.images.prepare(row.image, quarters: row.quarters, for: divide(place, context.images).0)
  }

  /// Returns the start of the texts in a row: behind the thumbnail, or 0 in a row that is too narrow or too low for one or if
  /// no images are shown.
  static func textColumn(inRowOf columns: Int, height: Int, _ images: ImageLayer) -> Int {
    guard images.areShown, !images.areCharacters || height >= fewestLinesOfCharacters else { return 0 }
    // Cells are about twice as high as wide, so the thumbnail's place is about 4 to 3.
    let width = height * 8 / 3
    return columns >= width + narrowestText ? width + 1 : 0
  }

  private static func divide(_ surface: Surface, _ images: ImageLayer) -> (thumbnail: Surface, text: Surface) {
    let column = textColumn(inRowOf: surface.bounds.columns, height: surface.bounds.rows, images)
    let (thumbnail, rest) = surface.bounds.split(columns: column)
    return (
      surface.clipped(to: thumbnail.split(columns: max(0, column - 1)).0),
      surface.clipped(to: rest.split(columns: rest.columns - 1).0)
    )
  }
}
