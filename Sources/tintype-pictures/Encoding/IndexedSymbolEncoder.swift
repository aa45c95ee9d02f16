#if Pictures
  import Glibc
  import ImageWire

  /// Encodes images as blocks, sextants or octants in xterm's colors 16 to 255, which look the same on every terminal.
  ///
  /// The glyphs are those of ``GlyphChooser``. Of the best ones in 24-bit colors, the one is taken that is nearest to the image
  /// in the palette's colors, both from nearby and from a distance. What the cell is too light or too dark is passed on to
  /// the cells that follow (R. Floyd and L. Steinberg, 1976).
  ///
  /// As in ``PaletteEncoder``, colors are added up after raising their parts to the power of 1.5.
  struct IndexedSymbolEncoder {
    private let chooser: GlyphChooser

    /// A glyph in two colors of the palette.
    private struct Choice {
      let glyph: Glyph
      let colors: (IndexedColor, IndexedColor)

      var light: SIMD4<Float> { glyph.area * colors.0.light + (1 - glyph.area) * colors.1.light }
    }

    init(_ symbols: SymbolSet) {
      chooser = GlyphChooser(symbols)
    }

    /// Draws pixels as the characters of a layout.
    func encode(_ pixels: Pixels, _ layout: Layout) -> CellImage {
      let cell = GlyphChooser.cell
      let size = PixelSize(layout.columns * cell.width, layout.rows * cell.height)
      let scaler = Scaler(from: pixels.size, to: size)
      var cells: [CellImage.Cell] = []
      cells.reserveCapacity(layout.columns * layout.rows)
      // The light that the cells of a row must have in addition, with one more cell on each side.
      var errors = [SIMD4<Float>](repeating: SIMD4(), count: layout.columns + 2)
      for row in 0..<layout.rows {
        let scaled = scaler.rows(row * cell.height..<(row + 1) * cell.height, of: pixels)
        var next = [SIMD4<Float>](repeating: SIMD4(), count: layout.columns + 2)
        for column in 0..<layout.columns {
          let fields = CellFields(of: scaled, x: column * cell.width, y: 0, groups: chooser.groups)
          let wanted = IndexedColor.light(fields.mean) + errors[column + 1]
          let choice = choice(for: fields, light: wanted)
          cells.append(Self.cell(choice))
          let most = SIMD4<Float>(repeating: IndexedColor.mostLight / 4)
          let error = (wanted - choice.light).clamped(lowerBound: -most, upperBound: most)
          errors[column + 2] += error * (7.0 / 16)
          next[column] += error * (3.0 / 16)
          next[column + 1] += error * (5.0 / 16)
          next[column + 2] += error * (1.0 / 16)
        }
        errors = next
      }
      return CellImage(columns: layout.columns, rows: layout.rows, cells: cells)
    }

    /// - Parameter wanted: The light of the cell, which errors may have moved out of the range.
    private func choice(for fields: CellFields, light wanted: SIMD4<Float>) -> Choice {
      let target = IndexedColor.value(wanted)
      var best: Choice?
      var least = Float.infinity
      let (gains, groups) = chooser.best(fields)
      for lane in 0..<8 {
        let glyph = Glyph.all[Int(groups[lane]) * 8 + lane]
        let sum = fields.sums(ofGroup: Int(groups[lane]))[lane]
        let area = glyph.area
        // The colors of the parts, if the cell has the light that is wanted.
        let parts = (area > 0 ? target + sum / area : target, target - sum / (1 - area))
        func consider(_ first: IndexedColor, _ second: IndexedColor) {
          let choice = Choice(glyph: glyph, colors: (first, second))
          let near = area * Self.square(parts.0 - first.value) + (1 - area) * Self.square(parts.1 - second.value)
          let cost = near - gains[lane] + Self.square(IndexedColor.value(choice.light) - target)
          if cost < least { (least, best) = (cost, choice) }
        }
        let (first, second) = (IndexedColor(nearest: parts.0), IndexedColor(nearest: parts.1))
        consider(first, second)
        guard area > 0 else { continue }
        // One part makes up for the error of the other.
        let rest = SIMD4<Float>(wanted - (1 - area) * second.light) / area
        consider(IndexedColor(nearest: IndexedColor.value(rest)), second)
        let otherRest = SIMD4<Float>(wanted - area * first.light) / (1 - area)
        consider(first, IndexedColor(nearest: IndexedColor.value(otherRest)))
      }
      return best ?? Choice(glyph: Glyph.all[0], colors: (IndexedColor(nearest: target), IndexedColor(nearest: target)))
    }

    private static func cell(_ choice: Choice) -> CellImage.Cell {
      let (first, second) = (choice.colors.0.index, choice.colors.1.index)
      let isPlain = choice.glyph.area == 0 || first == second
      return CellImage.Cell(
        scalar: isPlain ? Glyph.blank : choice.glyph.scalar,
        foreground: isPlain ? CellImage.Cell.none : choice.glyph.isInverse ? second : first,
        background: isPlain || !choice.glyph.isInverse ? second : first)
    }

    private static func square(_ difference: SIMD4<Float>) -> Float {
      let squares = difference * difference
      return squares.x + squares.y + squares.z
    }
  }

  /// One of xterm's colors 16 to 255: a cube of 6 levels, and 24 grays.
  private struct IndexedColor {
    let index: UInt32
    /// Red, green, and blue from 0 to 255.
    let value: SIMD4<Float>

    /// The light of the color, as much of it as adds up.
    var light: SIMD4<Float> { Self.light(value) }

    /// The light of the sRGB value 255.
    static let mostLight = 255 * Float(255).squareRoot()

    /// Returns the light of sRGB values.
    static func light(_ value: SIMD4<Float>) -> SIMD4<Float> { value * value.squareRoot() }

    /// Returns the sRGB values that have so much light.
    static func value(_ light: SIMD4<Float>) -> SIMD4<Float> {
      let limited = light.clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: mostLight))
      let root = SIMD4(cbrt(limited.x), cbrt(limited.y), cbrt(limited.z), 0)
      return root * root
    }

    /// The nearest color of the cube or of the grays.
    init(nearest color: SIMD4<Float>) {
      func step(_ value: Float) -> Int { value < 47.5 ? 0 : value < 115 ? 1 : min(5, Int((value - 35) / 40)) }
      let steps = (step(color.x), step(color.y), step(color.z))
      func level(_ step: Int) -> Float { step == 0 ? 0 : Float(55 + step * 40) }
      let cube = SIMD4(level(steps.0), level(steps.1), level(steps.2), 0)
      let gray = max(0, min(23, Int((color.x + color.y + color.z) / 30 - 0.3)))
      let shade = Float(8 + gray * 10)
      let grayValue = SIMD4(shade, shade, shade, 0)
      func distance(_ other: SIMD4<Float>) -> Float {
        let difference = other - color
        return difference.x * difference.x + difference.y * difference.y + difference.z * difference.z
      }
      let isGray = distance(grayValue) < distance(cube)
      value = isGray ? grayValue : cube
      index = UInt32(isGray ? 232 + gray : 16 + steps.0 * 36 + steps.1 * 6 + steps.2)
    }
  }
#endif
