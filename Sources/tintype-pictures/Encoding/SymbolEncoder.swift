#if Pictures
  import ImageWire

  /// Encodes images as blocks, sextants or octants in 24-bit colors.
  struct SymbolEncoder {
    private let chooser: GlyphChooser
    private let scaler: Scaler
    private let columns: Int
    private let rows: Int

    /// The number of rows of characters that are drawn at a time.
    private static let rowsPerBand = 4

    /// - Parameter size: The size of the images.
    init(_ symbols: SymbolSet, _ layout: Layout, from size: PixelSize) {
      let cell = GlyphChooser.cell
      chooser = GlyphChooser(symbols)
      scaler = Scaler(from: size, to: PixelSize(layout.columns * cell.width, layout.rows * cell.height))
      (columns, rows) = (layout.columns, layout.rows)
    }

    /// Draws pixels as the characters of the layout.
    func encode(_ pixels: Pixels) -> CellImage {
      CellImage(columns: columns, rows: rows, cells: Self.bands(of: rows).flatMap { cells(pixels, rows: $0) })
    }

    /// Returns the rows of characters in parts that are drawn at a time.
    static func bands(of rows: Int) -> [Range<Int>] {
      stride(from: 0, to: rows, by: rowsPerBand).map { $0..<min($0 + rowsPerBand, rows) }
    }

    /// Returns the number of rows of pixels, from the first one on, on which some rows of characters depend.
    func pixelRows(for rows: Range<Int>) -> Int { scaler.oldRows(for: Self.scaledRows(rows)) }

    /// Returns the characters of some rows.
    func cells(_ pixels: Pixels, rows: Range<Int>) -> [CellImage.Cell] {
      let scaled = scaler.rows(Self.scaledRows(rows), of: pixels)
      let cell = GlyphChooser.cell
      return (0..<rows.count * columns).map { index in
        chooser.cell(of: scaled, x: index % columns * cell.width, y: index / columns * cell.height)
      }
    }

    private static func scaledRows(_ rows: Range<Int>) -> Range<Int> {
      rows.lowerBound * GlyphChooser.cell.height..<rows.upperBound * GlyphChooser.cell.height
    }
  }
#endif
