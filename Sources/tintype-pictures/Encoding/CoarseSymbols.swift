import ImageWire

/// Encodes images as cells of which several in a row look the same, for a slow line: a color that does not change is not
/// sent again.
enum CoarseSymbols {
  private static let upperHalf: UInt32 = 0x2580
  private static let blank: UInt32 = 0x20
  /// The difference of two colors, as a sum over the channels, up to which the first one is repeated.
  private static let tolerance = 24

  /// Encodes an image as half blocks.
  ///
  /// - Parameter factor: The number of cells in a row that have the same two colors.
  static func encode(_ pixels: Pixels, _ layout: Layout, factor: Int) -> CellImage {
    let colors = colors(pixels, layout, factor: factor, rows: layout.rows * 2)
    return image(layout) { column, row in
      CellImage.Cell(
        scalar: upperHalf, foreground: colors[row * 2][column / factor],
        background: colors[row * 2 + 1][column / factor])
    }
  }

  /// Encodes an image as blanks, which take fewer bytes. A color that hardly differs from the one before is not sent.
  ///
  /// - Parameter factor: The least number of cells in a row that have the same color.
  static func encodeBlanks(_ pixels: Pixels, _ layout: Layout, factor: Int) -> CellImage {
    var colors = colors(pixels, layout, factor: factor, rows: layout.rows)
    for row in colors.indices {
      for group in colors[row].indices.dropFirst() {
        let before = colors[row][group - 1]
        if difference(colors[row][group], before) <= tolerance { colors[row][group] = before }
      }
    }
    return image(layout) { column, row in
      CellImage.Cell(scalar: blank, foreground: CellImage.Cell.none, background: colors[row][column / factor])
    }
  }

  private static func image(_ layout: Layout, _ cell: (_ column: Int, _ row: Int) -> CellImage.Cell) -> CellImage {
    let cells = (0..<layout.rows).flatMap { row in (0..<layout.columns).map { cell($0, row) } }
    return CellImage(columns: layout.columns, rows: layout.rows, cells: cells)
  }

  /// Returns the colors of groups of cells, row by row, as 0xRRGGBB.
  private static func colors(_ pixels: Pixels, _ layout: Layout, factor: Int, rows: Int) -> [[UInt32]] {
    let groups = (layout.columns + factor - 1) / factor
    let scaled = pixels.scaled(to: PixelSize(groups, rows))
    return (0..<rows).map { row in (0..<groups).map { scaled.row(row)[$0].bigEndian >> 8 } }
  }

  private static func difference(_ first: UInt32, _ second: UInt32) -> Int {
    [16, 8, 0].reduce(0) { $0 + abs(Int(first >> $1 & 0xFF) - Int(second >> $1 & 0xFF)) }
  }
}
