import ImageWire

/// A grid of fields in a cell, and the characters that cover some of the fields.
struct GlyphGrid {
  /// The blank character.
  static let blank: UInt32 = 0x20
  /// The characters that cover a cell with fine dots, and the share of it that these take.
  static let shades: [(scalar: UInt32, share: Float)] = [(0x2591, 0.25), (0x2592, 0.5), (0x2593, 0.75)]
  /// The share by which the dots of shades blend from nearby. With all of it, shades would replace too many shapes.
  static let blending: Float = 0.8

  let columns: Int
  let rows: Int
  /// The characters by the fields that they cover: bit 1 is the top left field, 2 the one on its right, and so on row by row.
  /// nil are those that few fonts have.
  let scalars: [UInt32?]
  /// The share of a field that a character covers there.
  let share: Float

  /// The number of fields.
  var count: Int { columns * rows }

  /// The finest grid of a set of characters. Those of ASCII leave cells blank, in one color.
  init(_ symbols: SymbolSet) {
    self =
      switch symbols {
      case .ascii: GlyphGrid(columns: 1, rows: 1, scalars: [Self.blank, Self.blank])
      case .braille: .braille
      case .blocks: .quadrants
      case .sextants: .sextants
      case .octants: .octants
      }
  }

  init(columns: Int = 2, rows: Int, scalars: [UInt32?], share: Float = 1) {
    self.columns = columns
    self.rows = rows
    self.scalars = scalars
    self.share = share
  }

  /// The patterns of Braille, whose dots cover about a fifth of their fields in fonts. The first three rows were numbered
  /// before there was a fourth one.
  static let braille = GlyphGrid(
    rows: 4,
    scalars: (0..<256).map { (fields: UInt32) in
      let bits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
      return fields == 0
        ? blank : bits.indices.reduce(0x2800) { $0 | (fields >> $1 & 1) * bits[$1] }
    }, share: 0.2)

  static let quadrants = GlyphGrid(rows: 2, scalars: " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars.map(\.value))

  /// The sextants of Unicode 13, "Symbols for Legacy Computing", in the order of their fields. Both halves have been there
  /// before.
  static let sextants: GlyphGrid = {
    let encodedBefore: [Int: UInt32] = [0: blank, 0b010101: 0x258C, 0b101010: 0x2590, 0b111111: 0x2588]
    var next: UInt32 = 0x1FB00
    return GlyphGrid(
      rows: 3,
      scalars: (0..<64).map { fields in
        if let scalar = encodedBefore[fields] { return scalar }
        defer { next += 1 }
        return next
      })
  }()

  /// The octants of Unicode 16, "Symbols for Legacy Computing Supplement", in the order of their fields. Those that had been
  /// there before are left out there, and some of them are in blocks that few fonts have.
  static let octants: GlyphGrid = {
    let encodedBefore: [Int: UInt32] = [
      0x00: blank, 0x05: 0x2598, 0x0A: 0x259D, 0x0F: 0x2580, 0x50: 0x2596, 0x55: 0x258C, 0x5A: 0x259E,
      0x5F: 0x259B, 0xA0: 0x2597, 0xA5: 0x259A, 0xAA: 0x2590, 0xAF: 0x259C, 0xC0: 0x2582, 0xF0: 0x2584, 0xF5: 0x2599,
      0xFA: 0x259F, 0xFC: 0x2586, 0xFF: 0x2588,
    ]
    let encodedElsewhere: Set = [0x01, 0x02, 0x03, 0x14, 0x28, 0x3F, 0x40, 0x80]
    var next: UInt32 = 0x1CD00
    return GlyphGrid(
      rows: 4,
      scalars: (0..<256).map { fields in
        if encodedElsewhere.contains(fields) { return nil }
        if let scalar = encodedBefore[fields] { return scalar }
        defer { next += 1 }
        return next
      })
  }()
}
