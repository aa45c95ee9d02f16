import ImageWire

/// Finds the glyphs and the two colors that come nearest to the pixels of a cell.
///
/// The error is the sum of the squared differences between the sRGB values that are drawn and those of the image. The best
/// color of a glyph's part is the mean of its pixels. If a share `a` of the cell's pixels is in the first part and their
/// differences from the cell's mean add up to `d`, the error is less than that of a plain cell by d² / (a (1 - a)). The
/// sum `d` of a glyph is that of the fields that it covers, so the pixels are added up once, for all glyphs.
struct GlyphChooser {
  private let groups: Range<Int>
  /// The factors for the squares of sums, which give the gains, for the eight glyphs of each group.
  private let weights: [SIMD8<Float>]

  init(_ symbols: SymbolSet) {
    groups = Glyph.groups(in: symbols)
    weights = groups.map { group in
      var weights = SIMD8<Float>()
      for lane in 0..<8 {
        let area = Glyph.all[group * 8 + lane].area
        weights[lane] = area > 0 ? 1 / (area * (1 - area)) : 0
      }
      return weights
    }
  }

  /// Returns the best glyphs for the cell whose first pixel is at `x` and `y`.
  func candidates(of pixels: Pixels, x: Int, y: Int) -> GlyphCandidates {
    let fields = CellFields(of: pixels, x: x, y: y, groups: groups)
    var candidates = GlyphCandidates(mean: fields.mean, variance: fields.variance, group: groups.lowerBound)
    for group in groups {
      let sums = fields.sums(ofGroup: group)
      candidates.add(sums, gains: sums.squares * weights[group - groups.lowerBound], group: group)
    }
    return candidates
  }
}

/// The glyphs that come nearest to a cell: of those that have the same place in their groups, the best one.
struct GlyphCandidates {
  /// The mean of the cell's pixels: red, green, and blue, from 0 to 255.
  let mean: SIMD4<Float>
  /// The variance of the cell's octants in each channel.
  private let variance: SIMD4<Float>
  /// The amounts by which the error is less than that of a plain cell, per pixel.
  private(set) var gains = SIMD8<Float>()
  /// The sums of the differences from the mean in the first parts, per pixel of the cell.
  private(set) var sums = ColorLanes()
  private var groups: SIMD8<Int32>

  /// - Parameter group: The first group, for a cell that all glyphs leave plain.
  init(mean: SIMD4<Float>, variance: SIMD4<Float>, group: Int) {
    self.mean = mean
    self.variance = variance
    groups = SIMD8(repeating: Int32(group))
  }

  /// Adds the glyphs of a group, where they are better.
  @inline(__always)
  mutating func add(_ sums: ColorLanes, gains: SIMD8<Float>, group: Int) {
    let isBetter = gains .> self.gains
    self.gains.replace(with: gains, where: isBetter)
    self.sums.replace(with: sums, where: isBetter)
    groups.replace(with: Int32(group), where: isBetter)
  }

  /// Returns the index in ``Glyph/all`` of the best glyph with a place in its group.
  func index(_ lane: Int) -> Int { Int(groups[lane]) * 8 + lane }

  /// Returns the best glyph with a place in its group.
  func glyph(_ lane: Int) -> Glyph { Glyph.all[index(lane)] }

  /// The best glyph in 24-bit colors (0xRRGGBB).
  var cell: CellImage.Cell {
    var lane = 0
    for other in 1..<8 where gains[other] > gains[lane] { lane = other }
    let (glyph, sum) = (glyph(lane), sums[lane])
    let mean = mean + lightening(glyph.area, sum)
    let first = Self.color(glyph.area > 0 ? mean + sum / glyph.area : mean)
    return CellImage.Cell(glyph, colors: (first, Self.color(mean - sum / (1 - glyph.area))))
  }

  /// Returns the amount by which both parts are too dark from a distance, where the eye adds up light: light is about the
  /// square of an sRGB value, so the mean of values is darker by their variance. More than a share of it would be seen from
  /// nearby.
  private func lightening(_ area: Float, _ sum: SIMD4<Float>) -> SIMD4<Float> {
    let drawn = area > 0 ? sum * sum / (area * (1 - area)) : SIMD4()
    let missing = (variance - drawn).clamped(lowerBound: SIMD4(), upperBound: variance)
    return missing * Self.lightened / (2 * pointwiseMax(mean, SIMD4(repeating: 16)))
  }

  /// The share of the missing light that is added.
  private static let lightened: Float = 0.6

  /// Returns the color of rounded parts, 0xRRGGBB.
  private static func color(_ parts: SIMD4<Float>) -> UInt32 {
    let limited = parts.clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: 255))
    // From 2^23 on, a Float has no fraction. So the sum rounds, and its last bits are the number.
    let rounded = unsafeBitCast(limited + 8_388_608, to: SIMD4<UInt32>.self) & 0xFF
    return rounded.x << 16 | rounded.y << 8 | rounded.z
  }
}

extension CellImage.Cell {
  /// The cell with a glyph whose parts have two colors, or a blank if they are the same.
  init(_ glyph: Glyph, colors: (UInt32, UInt32)) {
    let isPlain = glyph.area == 0 || colors.0 == colors.1
    self.init(
      scalar: isPlain ? GlyphGrid.blank : glyph.scalar,
      foreground: isPlain ? Self.none : glyph.isInverse ? colors.1 : colors.0,
      background: isPlain || !glyph.isInverse ? colors.1 : colors.0)
  }
}
