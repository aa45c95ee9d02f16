import ImageWire

/// Encodes images in 24-bit colors or in xterm's 256 colors.
struct SymbolEncoder {
  private let colors: ColorDepth
  private let symbols: SymbolSet
  private let chooser: GlyphChooser
  private let scaler: Scaler
  private let columns: Int
  private let rows: Int

  /// The number of rows of characters that are drawn at a time.
  private static let rowsPerBand = 4

  /// - Parameter size: The size of the images.
  init(_ colors: ColorDepth, _ symbols: SymbolSet, _ layout: Layout, from size: PixelSize) {
    let cell = CellFields.cell
    self.colors = colors
    self.symbols = symbols
    chooser = GlyphChooser(symbols)
    scaler = Scaler(from: size, to: PixelSize(layout.columns * cell.width, layout.rows * cell.height))
    columns = layout.columns
    rows = layout.rows
  }

  /// Returns whether this encoder draws images in these colors.
  static func encodes(_ colors: ColorDepth) -> Bool {
    colors == .truecolor || colors == .palette256
  }

  /// Draws pixels as the characters of the layout.
  func encode(_ pixels: Pixels) -> CellImage {
    var coloring = GlyphColoring(colors, symbols, columns: columns)
    let cells = Self.bands(of: rows).flatMap { coloring.cells(candidates(pixels, rows: $0)) }
    return CellImage(columns: columns, rows: rows, cells: cells)
  }

  /// Returns the rows of characters in parts that are drawn at a time.
  static func bands(of rows: Int) -> [Range<Int>] {
    stride(from: 0, to: rows, by: rowsPerBand).map { $0..<min($0 + rowsPerBand, rows) }
  }

  /// Returns the number of rows of pixels, from the first one on, on which some rows of characters depend.
  func pixelRows(for rows: Range<Int>) -> Int { scaler.oldRows(for: Self.scaledRows(rows)) }

  /// Returns the best glyphs of each cell of some rows.
  func candidates(_ pixels: Pixels, rows: Range<Int>) -> [GlyphCandidates] {
    let scaled = scaler.rows(Self.scaledRows(rows), of: pixels)
    let cell = CellFields.cell
    return (0..<rows.count * columns).map { index in
      chooser.candidates(of: scaled, x: index % columns * cell.width, y: index / columns * cell.height)
    }
  }

  private static func scaledRows(_ rows: Range<Int>) -> Range<Int> {
    rows.lowerBound * CellFields.cell.height..<rows.upperBound * CellFields.cell.height
  }
}
