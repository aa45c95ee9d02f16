import ImageWire

/// Chooses glyphs in xterm's colors 16 to 255, which look the same on every terminal.
///
/// The candidates are the best glyphs in 24-bit colors, and ``GlyphGrid/shades``, whose fine dots are tones between two colors
/// of the palette. The one is chosen that is nearest to the image in the palette's colors, both from nearby and from a
/// distance. A part of the error that remains is passed on to the cells that follow. It counts only from a distance: from nearby, a cell is compared with the image itself, or the errors of a sky would
/// become dots of other colors.
struct IndexedColoring {
  private let columns: Int
  /// Whether shades are among the characters that may be drawn.
  private let hasShades: Bool
  /// The weight of the error from a distance, and the share of it that is passed on. With more of it, less is left of the
  /// image's shapes, and even areas get dots (`make fidelity`).
  private static let mixing: Float = 0.25
  private let areas = Glyph.all.map(\.area)
  private var errors: ErrorDiffusion<SIMD4<Float>>

  init(columns: Int, hasShades: Bool) {
    self.columns = columns
    self.hasShades = hasShades
    errors = ErrorDiffusion(columns: columns)
  }

  /// Returns the characters of the rows that follow those of the last call.
  mutating func cells(_ candidates: [GlyphCandidates]) -> [CellImage.Cell] {
    var cells: [CellImage.Cell] = []
    cells.reserveCapacity(candidates.count)
    for first in stride(from: 0, to: candidates.count, by: columns) {
      for column in 0..<columns {
        let (cell, error) = choice(candidates[first + column], error: errors[column])
        cells.append(cell)
        errors.pass(error * Self.mixing, from: column)
      }
      errors.endRow()
    }
    return cells
  }

  /// Returns the nearest glyph and colors for a cell, and the light by which they are too dark.
  ///
  /// - Parameter error: The light by which the cells before are too dark.
  private func choice(
    _ candidates: GlyphCandidates, error: SIMD4<Float>
  ) -> (cell: CellImage.Cell, error: SIMD4<Float>) {
    let wanted = ColorLanes(repeating: candidates.mean).light[0] + error
    let target = ColorLanes(repeating: wanted).value[0]
    var area = SIMD8<Float>()
    for lane in 0..<8 { area[lane] = areas[candidates.index(lane)] }
    let otherArea = 1 - area
    // A blank has no first part, and its sums are zero.
    let inverse = 1 / area.replacing(with: 1, where: area .== 0)
    let otherInverse = 1 / otherArea
    // The colors of the parts in the image.
    let first = candidates.sums * inverse + candidates.mean
    let second = candidates.sums * -otherInverse + candidates.mean
    var best = Best()
    func consider(_ one: ColorLanes, _ other: ColorLanes) {
      let near = area * (first - one).squares + otherArea * (second - other).squares
      let light = one.light * area + other.light * otherArea
      let far = (light.value + -target).squares
      best.add(one, other, light, cost: near + far * Self.mixing - candidates.gains)
    }
    func considerShade(_ one: ColorLanes, _ scalar: UInt32, share: Float) {
      let (share, rest) = (SIMD8(repeating: share), SIMD8(repeating: 1 - share))
      let other = ((one.light * -share + wanted) * (1 / rest)).value.nearest
      let light = one.light * share + other.light * rest
      let value = light.value
      let unevenness = share * rest * (one - other).squares
      let near = (value + -candidates.mean).squares + unevenness * (1 - GlyphGrid.blending)
      let far = (value + -target).squares
      best.add(one, other, light, cost: near + far * Self.mixing, scalar)
    }
    let (nearest, otherNearest) = (first.nearest, second.nearest)
    consider(nearest, otherNearest)
    // One part makes up for the error of the other.
    consider(((otherNearest.light * -otherArea + wanted) * inverse).value.nearest, otherNearest)
    consider(nearest, ((nearest.light * -area + wanted) * otherInverse).value.nearest)

    if hasShades {
      let corners = ColorLanes.corners(around: candidates.mean)
      for shade in GlyphGrid.shades { considerShade(corners, shade.scalar, share: shade.share) }
    }

    var lane = 0
    for other in 1..<8 where best.costs[other] < best.costs[lane] { lane = other }
    let colors = (Self.index(best.first[lane]), Self.index(best.second[lane]))
    // One cell changes the following ones by a quarter of white at most.
    let most = SIMD4<Float>(repeating: ColorLanes.mostLight / 4)
    let rest = (wanted - best.light[lane]).clamped(lowerBound: -most, upperBound: most)
    let scalar = best.shades[lane]
    let cell =
      scalar == 0
      ? CellImage.Cell(candidates.glyph(lane), colors: colors)
      : CellImage.Cell(scalar: scalar, foreground: colors.0, background: colors.1)
    return (cell, rest)
  }

  /// The colors that are best so far.
  private struct Best {
    var costs = SIMD8<Float>(repeating: .infinity)
    var first = ColorLanes()
    var second = ColorLanes()
    var light = ColorLanes()
    /// The shades that are drawn instead of the candidates, or 0.
    var shades = SIMD8<UInt32>()

    @inline(__always)
    mutating func add(
      _ one: ColorLanes, _ other: ColorLanes, _ light: ColorLanes, cost: SIMD8<Float>, _ shade: UInt32 = 0
    ) {
      let isBetter = cost .< costs
      costs.replace(with: cost, where: isBetter)
      first.replace(with: one, where: isBetter)
      second.replace(with: other, where: isBetter)
      self.light.replace(with: light, where: isBetter)
      shades.replace(with: shade, where: isBetter)
    }
  }

  /// Returns the number of a color of the palette.
  private static func index(_ color: SIMD4<Float>) -> UInt32 {
    let parts = (Int(color.x), Int(color.y), Int(color.z))
    // Unlike the cube's, the values of the grays from 232 on end with an 8.
    if parts.0 % 10 == 8 { return UInt32(232 + parts.0 / 10) }
    func step(_ value: Int) -> Int { value == 0 ? 0 : (value - 55) / 40 }
    return UInt32(16 + step(parts.0) * 36 + step(parts.1) * 6 + step(parts.2))
  }
}

extension ColorLanes {
  /// The light of the sRGB value 255.
  fileprivate static let mostLight = 255 * Float(255).squareRoot()

  /// The light of sRGB values, as much of it as adds up: their power of 1.5, as in ``PaletteEncoder``.
  @inline(__always)
  fileprivate var light: ColorLanes { map { $0 * $0.squareRoot() } }

  /// The sRGB values of light.
  @inline(__always)
  fileprivate var value: ColorLanes {
    map { light in
      // The root of less would have a square of 0, by which the next line could not divide.
      let light = light.clamped(lowerBound: SIMD8(repeating: 1e-6), upperBound: SIMD8(repeating: Self.mostLight))
      let square = light * light
      // Two steps of Newton's method for the cube root of the square. The error is less than 0.002 %.
      var root = light.twoThirdsOfBits
      for _ in 0..<2 { root = (root + root + square / (root * root)) * (1 / 3) }
      return root
    }
  }

  /// The colors of the palette's cube around a color.
  fileprivate static func corners(around color: SIMD4<Float>) -> ColorLanes {
    let step = ((color - 55) * (1 / 40)).rounded(.down).clamped(lowerBound: .one, upperBound: SIMD4(repeating: 4))
    let isLowest = color .< 95
    let low = (step * 40 + 55).replacing(with: 0, where: isLowest)
    let width = SIMD4<Float>(repeating: 40).replacing(with: 95, where: isLowest)
    return ColorLanes(
      combinationsOf: SIMD4(width.x, 0, 0, 0), SIMD4(0, width.y, 0, 0), SIMD4(0, 0, width.z, 0)) + low
  }

  /// The nearest colors of xterm's palette: a cube of 6 values (0, 95, 135, 175, 215, 255), and 24 grays (8, 18 to 238).
  @inline(__always)
  fileprivate var nearest: ColorLanes {
    var result = map { value in
      let step = ((value - 55) * (1 / 40)).clamped(lowerBound: SIMD8(repeating: 1), upperBound: SIMD8(repeating: 5))
      return (step.rounded * 40 + 55).replacing(with: 0, where: value .< 47.5)
    }
    let step = (sums * (1 / 30) - 0.8).clamped(lowerBound: SIMD8(), upperBound: SIMD8(repeating: 23))
    let shade = step.rounded * 10 + 8
    let gray = map { _ in shade }
    result.replace(with: gray, where: (self - gray).squares .< (self - result).squares)
    return result
  }
}

extension SIMD8<Float> {
  /// The power of 2/3, with an error of less than 6 %: a Float's bits are about its logarithm.
  @inline(__always)
  fileprivate var twoThirdsOfBits: Self {
    let bits = unsafeBitCast(self, to: SIMD8<UInt32>.self)
    // 1/3 is 1/4 + 1/16 + 1/64 and so on, and 0x152AAAAA is a third of the bits of 1.
    var third = bits &>> 2 &+ bits &>> 4
    third = third &+ third &>> 4
    third = third &+ third &>> 8
    return unsafeBitCast(bits &- third &+ 0x152A_AAAA, to: Self.self)
  }

  /// The nearest whole numbers below 2^22. From 2^23 on, a Float has no fraction, so the sum rounds.
  @inline(__always)
  fileprivate var rounded: Self { (self + 8_388_608) - 8_388_608 }
}
