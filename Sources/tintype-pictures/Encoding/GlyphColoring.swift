#if Pictures
  import ImageWire

  /// Chooses for each cell of an image the glyph and its two colors, row by row from the top.
  struct GlyphColoring {
    private var diffusion: IndexedDiffusion?

    init(_ colors: ColorDepth, columns: Int) {
      diffusion = colors == .palette256 ? IndexedDiffusion(columns: columns) : nil
    }

    /// Returns the characters of the rows that follow those of the last call.
    mutating func cells(_ candidates: [GlyphCandidates]) -> [CellImage.Cell] {
      diffusion?.cells(candidates) ?? candidates.map(\.cell)
    }
  }
#endif
