import ImageWire

/// A character that divides a cell into two parts, each of which has one color.
struct Glyph {
  let scalar: UInt32
  /// Whether the character covers the other part than the one that ``area`` is about, so that the colors are exchanged.
  var isInverse = false
  /// The share of the cell that has the first color.
  let area: Float

  /// All glyphs, in groups of eight as in ``GlyphChooser``. The first one of a group may be blank.
  ///
  /// A group has the lower eighths, the left eighths, the glyphs of a grid that differ in the first three fields, or
  /// letters. The last field of a grid of blocks never has the first color: exchanging the colors gives the same images.
  static let all = lowerEighths + leftEighths + quadrants + sextants + octants + braille + letters

  /// Returns the groups that a set of characters has.
  static func groups(in symbols: SymbolSet) -> Range<Int> {
    switch symbols {
    case .blocks: 0..<3
    case .sextants: 0..<7
    case .octants: 0..<23
    case .braille: 23..<55
    case .ascii: 55..<67
    }
  }

  private static let lowerEighths = (0..<8).map { (eighths: UInt32) in
    // Fonts draw the upper half better than any other block.
    eighths == 4
      ? Glyph(scalar: 0x2580, area: 0.5)
      : Glyph(scalar: eighths == 0 ? GlyphGrid.blank : 0x2588 - eighths, isInverse: true, area: Float(eighths) / 8)
  }

  private static let leftEighths = (0..<8).map { (eighths: UInt32) in
    Glyph(scalar: eighths == 0 ? GlyphGrid.blank : 0x2590 - eighths, area: Float(eighths) / 8)
  }

  private static let quadrants = halfOf(.quadrants)
  private static let sextants = halfOf(.sextants)
  private static let octants = halfOf(.octants)

  private static let braille = GlyphGrid.braille.scalars.enumerated().map { fields, scalar in
    Glyph(scalar: scalar ?? GlyphGrid.blank, area: GlyphGrid.braille.share * Float(fields.nonzeroBitCount) / 8)
  }

  /// The printable characters of ASCII. The last one of the groups of eight is another blank.
  private static let letters =
    Letter.all.map { Glyph(scalar: $0.scalar, area: $0.area) } + [Glyph(scalar: GlyphGrid.blank, area: 0)]

  /// Returns the glyphs of a grid whose last field does not have the first color.
  private static func halfOf(_ grid: GlyphGrid) -> [Glyph] {
    grid.scalars.prefix(grid.scalars.count / 2).enumerated().map { fields, scalar in
      let area = Float(fields.nonzeroBitCount) / Float(grid.count)
      guard let scalar else {
        let inverse = grid.scalars[grid.scalars.count - 1 - fields]
        return Glyph(scalar: inverse ?? GlyphGrid.blank, isInverse: true, area: area)
      }
      return Glyph(scalar: scalar, area: area)
    }
  }
}
