#if Pictures
  import ImageWire

  /// Chooses the glyph and the two colors that come nearest to the pixels of a cell.
  ///
  /// The error is the sum of the squared differences between the sRGB values that are drawn and those of the image. Whatever
  /// the glyph is, the best color of a part is the mean of its pixels. If a share `a` of the cell's pixels is in the first part
  /// and their differences from the cell's mean add up to `d`, the error is less than that of a plain cell by d² / (a (1 - a)).
  /// The sum `d` of a glyph is that of the fields that it covers, so the pixels are added up once, for all glyphs.
  struct GlyphChooser {
    /// The pixels of a cell. Eighths, quadrants and octants end at whole ones.
    static let cell = PixelSize(8, 16)

    /// The factors for the squares of sums, which give the gains, for the eight glyphs of each group.
    private let weights: [SIMD8<Float>]
    /// The number of groups of glyphs that are tried.
    var groups: Int { weights.count }

    init(_ symbols: SymbolSet) {
      weights = (0..<Glyph.groups(in: symbols)).map { group in
        var weights = SIMD8<Float>()
        for lane in 0..<8 {
          let area = Glyph.all[group * 8 + lane].area
          weights[lane] = area > 0 ? 1 / (area * (1 - area)) : 0
        }
        return weights
      }
    }

    /// Returns the glyph and the colors (0xRRGGBB) for the cell whose first pixel is at `x` and `y`.
    func cell(of pixels: Pixels, x: Int, y: Int) -> CellImage.Cell {
      let fields = CellFields(of: pixels, x: x, y: y, groups: groups)
      let (gains, best) = best(fields)
      var lane = 0
      for other in 1..<8 where gains[other] > gains[lane] { lane = other }
      return Self.cell(
        Glyph.all[Int(best[lane]) * 8 + lane], mean: fields.mean, sum: fields.sums(ofGroup: Int(best[lane]))[lane])
    }

    /// Returns for each place in a group the group whose glyph there is the best one, and by how much the error falls, per
    /// pixel.
    func best(_ fields: CellFields) -> (gains: SIMD8<Float>, groups: SIMD8<Int32>) {
      var most = SIMD8<Float>()
      var best = SIMD8<Int32>()
      for index in weights.indices {
        let gains = fields.sums(ofGroup: index).squares * weights[index]
        let isBetter = gains .> most
        most.replace(with: gains, where: isBetter)
        best.replace(with: Int32(index), where: isBetter)
      }
      return (most, best)
    }

    /// - Parameter sum: The sum of the differences from the mean in the first part, per pixel of the cell.
    private static func cell(_ glyph: Glyph, mean: SIMD4<Float>, sum: SIMD4<Float>) -> CellImage.Cell {
      let first = color(glyph.area > 0 ? mean + sum / glyph.area : mean)
      let second = color(mean - sum / (1 - glyph.area))
      guard first != second else {
        return CellImage.Cell(scalar: Glyph.blank, foreground: CellImage.Cell.none, background: first)
      }
      return CellImage.Cell(
        scalar: glyph.scalar, foreground: glyph.isInverse ? second : first,
        background: glyph.isInverse ? first : second)
    }

    /// Returns the color of rounded parts, 0xRRGGBB.
    private static func color(_ parts: SIMD4<Float>) -> UInt32 {
      let limited = parts.clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: 255))
      let rounded = SIMD4<UInt32>(limited + 0.5)
      return rounded.x << 16 | rounded.y << 8 | rounded.z
    }
  }
#endif
