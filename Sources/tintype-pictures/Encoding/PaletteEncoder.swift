#if Pictures
  import Glibc
  import ImageWire

  /// Draws images with the few colors of a terminal's own palette, which can be any colors.
  ///
  /// libchafa assumes its own palette for 8 and 16 colors, so its images are too bright or too dark on every
  /// terminal whose palette differs. This encoder gets the palette with each request. It chooses for each cell the two
  /// colors and the quadrants that come nearest to the image, and passes the error on to the cells that follow.
  ///
  /// From a distance the eye adds up light, while from nearby it compares quadrants, which are large. So the parts of a color
  /// are added up after raising them to the power of 1.5, which is about halfway between 2.2, which is light, and 1.
  struct PaletteEncoder {
    /// The quadrant characters by the quadrants that have the foreground color: bit 1 is the top left one, 2 the top right
    /// one, 4 and 8 are those below.
    private static let quadrants: [UInt32] = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".unicodeScalars.map(\.value)

    /// A color of the palette, in the scale in which colors are added up and in that in which they are compared.
    private struct Entry {
      let light: SIMD3<Float>
      let compared: SIMD3<Float>
    }

    /// Two colors, and the colors of a cell from a distance if 0 to 4 of its quadrants have the second one.
    private struct Pair {
      let colors: (Int, Int)
      let means: [SIMD3<Float>]
      let comparedMeans: [SIMD3<Float>]
    }

    /// The colors of a cell, and the quadrants that have the second one.
    private struct Choice {
      var colors = (0, 0)
      var quadrants = 0
      var mean = SIMD3<Float>()
    }

    private let palette: [Entry]
    private let pairs: [Pair]
    /// Whether each cell has one color, since the characters have no quadrants.
    private let isPlain: Bool

    /// The weight of the whole cell's color, relative to that of the quadrants' colors.
    private static let meanWeight: Float = 1
    /// The weights of differences in red, green, and blue, as the eye sees them.
    private static let weights = SIMD3<Float>(0.3, 0.55, 0.15)

    init(palette colors: [UInt32], symbols: SymbolSet) {
      let entries = colors.map { color in
        let light = Self.light(red: color >> 16, green: color >> 8, blue: color)
        return Entry(light: light, compared: Self.compared(light))
      }
      palette = entries
      isPlain = symbols == .ascii
      pairs = entries.indices.flatMap { first in
        entries.indices.dropFirst(first + 1).map { second in
          let means = (0...4).map { count in
            entries[first].light + (entries[second].light - entries[first].light) * (Float(count) / 4)
          }
          return Pair(colors: (first, second), means: means, comparedMeans: means.map(Self.compared))
        }
      }
    }

    /// Draws pixels as the characters of a layout.
    func encode(_ pixels: Pixels, _ layout: Layout) -> CellImage {
      let scaled = pixels.scaled(to: PixelSize(layout.columns * 2, layout.rows * 2))
      var cells: [CellImage.Cell] = []
      cells.reserveCapacity(layout.columns * layout.rows)
      var errors = ErrorDiffusion<SIMD3<Float>>(columns: layout.columns)
      for row in 0..<layout.rows {
        let (upper, lower) = (scaled.row(row * 2), scaled.row(row * 2 + 1))
        for column in 0..<layout.columns {
          let words = [upper[column * 2], upper[column * 2 + 1], lower[column * 2], lower[column * 2 + 1]]
          let wanted = words.map { Self.light(red: $0, green: $0 >> 8, blue: $0 >> 16) + errors[column] }
          let choice = choice(for: wanted)
          cells.append(cell(choice))
          // With a palette without white, the errors of a white sky would add up without end.
          let error = ((wanted[0] + wanted[1] + wanted[2] + wanted[3]) / 4 - choice.mean)
            .clamped(lowerBound: SIMD3(repeating: -0.5), upperBound: SIMD3(repeating: 0.5))
          errors.pass(error, from: column)
        }
        errors.endRow()
      }
      return CellImage(columns: layout.columns, rows: layout.rows, cells: cells)
    }

    private func cell(_ choice: Choice) -> CellImage.Cell {
      // In some fonts, a full block leaves a line of the other color at the edge.
      let isFull = choice.quadrants == Self.quadrants.count - 1
      let (first, second) = isFull ? (choice.colors.1, choice.colors.1) : choice.colors
      return CellImage.Cell(
        scalar: Self.quadrants[isFull ? 0 : choice.quadrants], foreground: UInt32(second), background: UInt32(first))
    }

    /// Returns the colors and the quadrants that come nearest to the image.
    ///
    /// - Parameter wanted: The colors of the four quadrants, which errors may have moved out of the range of colors.
    private func choice(for wanted: [SIMD3<Float>]) -> Choice {
      let mean = Self.compared((wanted[0] + wanted[1] + wanted[2] + wanted[3]) / 4)
      if isPlain {
        let nearest = palette.indices.min {
          Self.distance(palette[$0].compared, mean) < Self.distance(palette[$1].compared, mean)
        }
        return Choice(colors: (nearest ?? 0, nearest ?? 0), mean: palette[nearest ?? 0].light)
      }
      let compared = wanted.map { Self.compared($0) }
      // The distance of each color of the palette from each quadrant.
      let distances = palette.map { entry in
        SIMD4(
          Self.distance(entry.compared, compared[0]), Self.distance(entry.compared, compared[1]),
          Self.distance(entry.compared, compared[2]), Self.distance(entry.compared, compared[3]))
      }
      var best = Choice()
      var least = Float.infinity
      for pair in pairs {
        var cost = distances[pair.colors.0].sum()
        // The quadrants that gain most from the second color get it first.
        var gains = distances[pair.colors.1] - distances[pair.colors.0]
        var quadrants = 0
        for count in 0...4 {
          let total = cost + 4 * Self.meanWeight * Self.distance(pair.comparedMeans[count], mean)
          if total < least {
            least = total
            best = Choice(colors: pair.colors, quadrants: quadrants, mean: pair.means[count])
          }
          guard count < 4 else { break }
          let gain = gains.min()
          let index = gains[0] == gain ? 0 : gains[1] == gain ? 1 : gains[2] == gain ? 2 : 3
          cost += gain
          gains[index] = .infinity
          quadrants |= 1 << index
        }
      }
      return best
    }

    private static func distance(_ one: SIMD3<Float>, _ other: SIMD3<Float>) -> Float {
      let difference = one - other
      return (difference * difference * weights).sum()
    }

    /// Returns a color in the scale in which colors are added up, from 0 to 1. The lowest byte of each part counts.
    private static func light(red: UInt32, green: UInt32, blue: UInt32) -> SIMD3<Float> {
      SIMD3(lights[Int(red & 0xFF)], lights[Int(green & 0xFF)], lights[Int(blue & 0xFF)])
    }

    private static let lights: [Float] = (0...255).map { part in
      let value = Float(part) / 255
      return value * value.squareRoot()
    }

    /// Returns a color in the scale in which colors are compared.
    private static func compared(_ light: SIMD3<Float>) -> SIMD3<Float> {
      let limited = light.clamped(lowerBound: SIMD3(), upperBound: SIMD3(repeating: 1))
      let root = SIMD3(cbrt(limited.x), cbrt(limited.y), cbrt(limited.z))
      return root * root
    }
  }
#endif
