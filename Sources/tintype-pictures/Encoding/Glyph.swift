#if Pictures
  import ImageWire

  /// A character that divides a cell into two parts, each of which has one color.
  struct Glyph {
    let scalar: UInt32
    /// Whether the character covers the other part than the one that ``area`` is about, so that the colors are exchanged.
    var isInverse = false
    /// The share of the cell that has the first color.
    let area: Float

    static let blank: UInt32 = 0x20

    /// All glyphs, in groups of eight as in ``GlyphChooser``. The first one of a group may be blank.
    ///
    /// A group has the lower eighths, the left eighths, or the glyphs of a grid that differ in the first three fields. The
    /// last field of a grid never has the first color: exchanging the colors gives the same images.
    static let all = lowerEighths + leftEighths + quadrants + sextants + octants

    /// Returns how many of the groups, from the first one on, a set of characters has.
    static func groups(in symbols: SymbolSet) -> Int {
      let glyphs =
        switch symbols {
        case .ascii, .braille: 0
        case .blocks: lowerEighths.count + leftEighths.count + quadrants.count
        case .sextants: all.count - octants.count
        case .octants: all.count
        }
      return glyphs / 8
    }

    private static let lowerEighths = (0..<8).map { (eighths: UInt32) in
      // Fonts draw the upper half better than any other block.
      eighths == 4
        ? Glyph(scalar: 0x2580, area: 0.5)
        : Glyph(scalar: eighths == 0 ? blank : 0x2588 - eighths, isInverse: true, area: Float(eighths) / 8)
    }

    private static let leftEighths = (0..<8).map { (eighths: UInt32) in
      Glyph(scalar: eighths == 0 ? blank : 0x2590 - eighths, area: Float(eighths) / 8)
    }

    private static let quadrants = " ▘▝▀▖▌▞▛".unicodeScalars.enumerated().map { fields, scalar in
      Glyph(scalar: scalar.value, area: Float(fields.nonzeroBitCount) / 4)
    }

    /// The sextants of Unicode 13, "Symbols for Legacy Computing". The left half has been there before.
    private static let sextants = (0..<32).map { (fields: UInt32) in
      let leftHalf: UInt32 = 0b010101
      let scalar: UInt32 =
        switch fields {
        case 0: blank
        case leftHalf: 0x258C
        default: 0x1FB00 + fields - (fields < leftHalf ? 1 : 2)
        }
      return Glyph(scalar: scalar, area: Float(fields.nonzeroBitCount) / 6)
    }

    /// The octants of Unicode 16, "Symbols for Legacy Computing Supplement", in the order of their fields. Those that had been
    /// there before are left out there. Some of them are in blocks that few fonts have, so their inverses are used here.
    private static let octants: [Glyph] = {
      let encodedBefore: [Int: UInt32] = [
        0x00: 0x20, 0x05: 0x2598, 0x0A: 0x259D, 0x0F: 0x2580, 0x50: 0x2596, 0x55: 0x258C, 0x5A: 0x259E, 0x5F: 0x259B,
        0xA0: 0x2597, 0xA5: 0x259A, 0xAA: 0x2590, 0xAF: 0x259C, 0xC0: 0x2582, 0xF0: 0x2584, 0xF5: 0x2599, 0xFA: 0x259F,
        0xFC: 0x2586, 0xFF: 0x2588,
      ]
      let encodedElsewhere: Set = [0x01, 0x02, 0x03, 0x14, 0x28, 0x3F, 0x40, 0x80]
      var scalars = encodedBefore
      let octants = (0..<256).filter { encodedBefore[$0] == nil && !encodedElsewhere.contains($0) }
      for (index, fields) in octants.enumerated() {
        scalars[fields] = 0x1CD00 + UInt32(index)
      }
      return (0..<128).map { fields in
        let area = Float(fields.nonzeroBitCount) / 8
        guard let scalar = scalars[fields] else {
          return Glyph(scalar: scalars[255 - fields] ?? blank, isInverse: true, area: area)
        }
        return Glyph(scalar: scalar, area: area)
      }
    }()
  }
#endif
