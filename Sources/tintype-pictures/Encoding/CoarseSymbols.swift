#if Pictures
  import ImageWire

  /// Encodes images as half blocks that several cells in a row share, for a slow line: a color that does not change is not
  /// sent again.
  enum CoarseSymbols {
    private static let upperHalf: UInt32 = 0x2580

    /// - Parameter factor: The number of cells in a row that have the same two colors.
    static func encode(_ pixels: Pixels, _ layout: Layout, factor: Int) -> CellImage {
      let groups = (layout.columns + factor - 1) / factor
      let colors = pixels.scaled(to: PixelSize(groups, layout.rows * 2))
      func color(_ column: Int, _ row: Int) -> UInt32 { colors.row(row)[column / factor].bigEndian >> 8 }
      var cells: [CellImage.Cell] = []
      cells.reserveCapacity(layout.columns * layout.rows)
      for row in 0..<layout.rows {
        for column in 0..<layout.columns {
          cells.append(
            CellImage.Cell(
              scalar: upperHalf, foreground: color(column, row * 2), background: color(column, row * 2 + 1)))
        }
      }
      return CellImage(columns: layout.columns, rows: layout.rows, cells: cells)
    }
  }
#endif
