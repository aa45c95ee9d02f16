import ImageWire

/// Chooses the glyph of each cell of an image, and its two colors, row by row from the top.
struct GlyphColoring {
  /// nil for 24-bit colors, in which no cell depends on others.
  private var indexed: IndexedColoring?

  init(_ colors: ColorDepth, _ symbols: SymbolSet, columns: Int) {
    indexed = colors == .palette256 ? IndexedColoring(columns: columns, hasShades: symbols.hasBlocks) : nil
  }

  /// Returns the characters of the rows that follow those of the last call.
  mutating func cells(_ candidates: [GlyphCandidates]) -> [CellImage.Cell] {
    indexed?.cells(candidates) ?? candidates.map(\.cell)
  }
}
