/// A printable character of ASCII, and the shares of the fields of a cell that it covers.
struct Letter {
  let scalar: UInt32
  /// The shares of the fields of ``GlyphGrid/octants``.
  let shares: SIMD8<Float>

  /// The share of the cell.
  var area: Float { shares.sum() / 8 }

  /// All of them in their order, from the blank on.
  static let all = fields.enumerated().map { index, fields in
    var shares = SIMD8<Float>()
    for field in 0..<8 { shares[field] = Float(fields >> (28 - 4 * UInt32(field)) & 0xF) / 30 }
    return Letter(scalar: GlyphGrid.blank + UInt32(index), shares: shares)
  }

  /// Eight letters: the shares of each field.
  struct Group {
    fileprivate var shares = InlineArray<8, SIMD8<Float>>(repeating: SIMD8())

    /// Returns the sums in what each letter covers.
    @inline(__always)
    func sums(_ fields: borrowing InlineArray<8, SIMD4<Float>>) -> ColorLanes {
      var sums = ColorLanes()
      for field in 0..<8 { sums = sums + ColorLanes(repeating: fields[field]) * shares[field] }
      return sums
    }
  }

  static let groups = stride(from: 0, to: all.count, by: 8).map { first in
    var group = Group()
    for lane in 0..<min(8, all.count - first) {
      for field in 0..<8 { group.shares[field][lane] = all[first + lane].shares[field] }
    }
    return group
  }

  /// The shares of all letters in thirtieths, a hexadecimal digit for each field: means of DejaVu Sans Mono and JetBrains
  /// Mono.
  private static let fields: [UInt32] = [
    0x0000_0000, 0x1155_3311, 0x2266_0000, 0x22BC_CB11, 0x34C8_7F34, 0x41F6_6F12, 0x43C2_CF33, 0x1133_0000,
    0x1582_8115,
    0x4128_1851, 0x1199_4400, 0x0033_8900, 0x0000_2261, 0x0001_3300, 0x0000_2211, 0x0418_9150, 0x44BB_BB22,
    0x3248_3A34,
    0x542A_9634, 0x543B_4B32, 0x0378_9D01, 0x54B6_4A32, 0x23C6_BB22, 0x552A_5520, 0x44BB_BB33, 0x44AB_6C21,
    0x0033_2211,
    0x0033_2251, 0x0057_7700, 0x0055_6600, 0x0075_7700, 0x431A_6210, 0x23BE_DC74, 0x2299_CC21, 0x54CC_BC32,
    0x35A2_A423,
    0x53AA_BB31, 0x55C5_B334, 0x55C5_A110, 0x44A4_BD23, 0x22CC_AA11, 0x5555_6633, 0x240A_5A32, 0x23E8_AB12,
    0x2090_A334,
    0x44FF_AA11, 0x42FA_AF12, 0x44AA_AA22, 0x54BC_B210, 0x44AA_AA28, 0x54CB_BB12, 0x44C5_4C33, 0x6655_5511,
    0x2299_AA22,
    0x2299_9911, 0x33ED_EE22, 0x3399_AA22, 0x2399_5511, 0x561A_B334, 0x4481_8154, 0x4091_1805, 0x4418_1845,
    0x2277_0000,
    0x0000_0077, 0x4100_0000, 0x0068_CE33, 0x30C8_BA33, 0x0076_A323, 0x038C_AB33, 0x0078_D923, 0x15B8_7210,
    0x0089_BC59,
    0x30C8_9911, 0x1264_5834, 0x0456_0966, 0x30A7_CA12, 0x6081_7403, 0x00BA_CC22, 0x0098_9911, 0x0088_AA22,
    0x0098_BA93,
    0x0089_AB39, 0x0088_9110, 0x0085_7B32, 0x10D6_8303, 0x0066_AA22, 0x0066_9911, 0x0077_DD22, 0x0066_9922,
    0x0066_9972,
    0x0049_9533, 0x1656_6517, 0x2244_4433, 0x6165_5771, 0x0032_4600,
  ]
}

extension GlyphGrid {
  /// The grid of which ``Letter/all`` cover parts.
  static let letters = GlyphGrid(rows: 4, scalars: Letter.all.map(\.scalar))
}
