import ImageWire

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Draws images with the few colors of a terminal's own palette, which can be any colors, or without colors.
///
/// chafa assumes one palette for 8 and 16 colors, so its images are too bright or too dark on every
/// terminal whose palette differs. This encoder gets the palette with each request. It chooses for each cell the two
/// colors and the fields of a grid that come nearest to the image, and passes the error on to the cells that follow. Even
/// areas get ``GlyphGrid/shades``, whose fine dots are tones between two colors. Letters and Braille have no such tones. They
/// draw an image with more contrast (``ContrastStretch``), because it is recognized by its shapes.
///
/// From a distance the eye adds up light, so the error that is passed on counts for the color of the whole cell. From nearby
/// it compares fields, whose shapes that error would blur. So the parts of a color are added up after raising them to the
/// power of 1.5, which is about halfway between 2.2, which is light, and 1.
struct PaletteEncoder {
  /// A color of the palette, in the scale in which colors are added up and in that in which they are compared.
  private struct Entry {
    let light: SIMD3<Float>
    let compared: SIMD3<Float>
  }

  /// Two colors, and the colors of a cell from a distance, by the number of its fields that have the second one.
  private struct Pair {
    let colors: (Int, Int)
    let means: [SIMD3<Float>]
    let comparedMeans: [SIMD3<Float>]
    let shades: [Shade]
  }

  /// A mixture of two colors by one of the ``GlyphGrid/shades``.
  private struct Shade {
    let scalar: UInt32
    /// The share of the second color.
    let share: Float
    let mean: SIMD3<Float>
    let comparedMean: SIMD3<Float>
    /// The amount by which the mixture is nearer to the image than its dots are.
    let gain: Float
  }

  /// The colors of a cell, and the fields that have the second one.
  private struct Choice {
    var colors = (0, 0)
    var fields = 0
    var mean = SIMD3<Float>()
    /// The character that is drawn instead of the one with the fields.
    var shade: UInt32?
  }

  private let palette: [Entry]
  /// The brightness of the palette's colors.
  private let brightness: ClosedRange<Float>
  private let pairs: [Pair]
  private let grid: GlyphGrid
  /// The share of a field that counts as covered.
  private let share: Float
  /// The shares of the fields that each letter covers, or none if the characters cover whole fields of the grid.
  private let letters: [SIMD8<Float>]
  /// The weight of the whole cell's color, relative to that of the fields' colors.
  private let meanWeight: Float
  /// The share of a cell's error that is passed on. Shades leave small errors, and passing all of them on would only add noise.
  private let passedOn: Float
  /// The largest factor by which contrast is stretched.
  private let mostContrast: Float
  /// Whether the terminal has only the colors of its text and its background.
  private let isMonochrome: Bool

  /// The weights of differences in red, green, and blue, as the eye sees them.
  private static let weights = ContrastStretch.weights
  /// The factor by which values are brighter without colors. Most photos are dark, and between black and white they look
  /// darker than they are.
  private static let brightening: Float = 1.2

  /// The share by which the dots of shades blend in up to 8 colors. Few colors are left there for shapes, so fewer of these
  /// may become shades.
  private static let blendingOfFew: Float = 0.7

  /// Creates an encoder for a terminal's colors.
  ///
  /// The fewer colors and tones there are, the more of the shapes is lost if the mean is to be right. The weights make the
  /// error from a distance as large as is still hardly seen (`make fidelity`). The dots of Braille hardly change a cell's
  /// color.
  init(palette: [UInt32], symbols: SymbolSet) {
    let meanWeight: Float = symbols.hasBlocks ? 0.1 : symbols == .braille ? 0.03 : palette.count > 8 ? 0.5 : 0.3
    self.init(palette, symbols, meanWeight: meanWeight)
  }

  /// Creates an encoder for text on a background, which has no other colors.
  ///
  /// Letters and dots leave most of a cell dark, so all bright parts of an image would get the densest ones. Instead, these
  /// count as white.
  init(monochromeOn background: UInt32, symbols: SymbolSet) {
    let colors: [UInt32] = background.isLight ? [0xFFFFFF, 0] : [0, 0xFFFFFF]
    self.init(colors, symbols, meanWeight: symbols.hasBlocks ? 0.1 : 0.3, isMonochrome: true)
  }

  private init(_ colors: [UInt32], _ symbols: SymbolSet, meanWeight: Float, isMonochrome: Bool = false) {
    let entries = colors.map { color in
      let light = Self.light(red: color >> 16, green: color >> 8, blue: color)
      return Entry(light: light, compared: Self.compared(light))
    }
    let blending = colors.count > 8 ? GlyphGrid.blending : Self.blendingOfFew
    let shades = colors.map { ContrastStretch.brightness(ContrastStretch.parts($0.byteSwapped >> 8)) }
    brightness = (shades.min() ?? 0)...(shades.max() ?? 1)
    let hasLetters = isMonochrome && symbols == .ascii
    let grid = hasLetters ? .letters : GlyphGrid(symbols)
    let share = isMonochrome ? 1 : grid.share
    let letters =
      hasLetters ? Letter.all.map { pointwiseMin($0.shares * 3, SIMD8(repeating: 1)) } : []
    let areas =
      hasLetters
      ? letters.map { $0.sum() / 8 }
      : (0...grid.count).map { share * Float($0) / Float(grid.count) }
    palette = entries
    self.grid = grid
    self.share = share
    self.letters = letters
    self.meanWeight = meanWeight
    passedOn = symbols.hasBlocks ? 0.5 : 1
    mostContrast = symbols.hasBlocks ? 1 : 2
    self.isMonochrome = isMonochrome
    // Exchanging the colors of blocks gives the same images, but not those of dots.
    let isOrdered = share < 1
    pairs = entries.indices.flatMap { first in
      entries.indices.filter { $0 > first || isOrdered && $0 < first }.map { second in
        let means = areas.map {
          entries[first].light + (entries[second].light - entries[first].light) * $0
        }
        let shades =
          symbols.hasBlocks
          ? Self.shades(entries[first], entries[second], fields: grid.count, blending: blending) : []
        return Pair(
          colors: (first, second), means: means, comparedMeans: means.map(Self.compared), shades: shades)
      }
    }
  }

  private static func shades(_ first: Entry, _ second: Entry, fields: Int, blending: Float) -> [Shade] {
    GlyphGrid.shades.map { scalar, share in
      let mean = first.light + (second.light - first.light) * share
      // The squared differences of the dots from any color are greater by this than that of their mean.
      let unevenness = share * (1 - share) * distance(first.compared, second.compared)
      return Shade(
        scalar: scalar, share: share, mean: mean, comparedMean: compared(mean),
        gain: blending * Float(fields) * unevenness)
    }
  }

  /// Draws pixels as the characters of a layout.
  func encode(_ pixels: Pixels, _ layout: Layout) -> CellImage {
    let scaled = pixels.scaled(to: PixelSize(layout.columns * grid.columns, layout.rows * grid.rows))
    let stretch = isMonochrome ? nil : ContrastStretch(scaled, to: brightness, atMost: mostContrast)
    var cells: [CellImage.Cell] = []
    cells.reserveCapacity(layout.columns * layout.rows)
    var errors = ErrorDiffusion<SIMD3<Float>>(columns: layout.columns)
    var fields = Array(repeating: SIMD3<Float>(), count: grid.count)
    for row in 0..<layout.rows {
      for column in 0..<layout.columns {
        for index in fields.indices {
          let word = scaled.row(row * grid.rows + index / grid.columns)[
            column * grid.columns + index % grid.columns]
          fields[index] = light(word, stretch)
        }
        let (choice, error) = choice(for: fields, error: errors[column])
        cells.append(cell(choice))
        errors.pass(error, from: column)
      }
      errors.endRow()
    }
    return CellImage(columns: layout.columns, rows: layout.rows, cells: cells)
  }

  /// Returns the light of a pixel: its color's, or that of its brightness if there is no palette to stretch it to.
  private func light(_ pixel: UInt32, _ stretch: ContrastStretch?) -> SIMD3<Float> {
    let parts = stretch?.parts(pixel) ?? SIMD3(repeating: Self.monochrome(pixel))
    return parts * parts.squareRoot()
  }

  private static func monochrome(_ pixel: UInt32) -> Float {
    min(1, brightening * ContrastStretch.brightness(ContrastStretch.parts(pixel)))
  }

  private func cell(_ choice: Choice) -> CellImage.Cell {
    if isMonochrome {
      return CellImage.Cell(
        scalar: choice.shade ?? grid.scalars[choice.fields] ?? GlyphGrid.blank, foreground: CellImage.Cell.none,
        background: CellImage.Cell.none)
    }
    if let shade = choice.shade {
      return CellImage.Cell(
        scalar: shade, foreground: UInt32(choice.colors.1), background: UInt32(choice.colors.0))
    }
    var (first, second, fields) = (choice.colors.0, choice.colors.1, choice.fields)
    if share == 1 {
      // Exchanging the colors gives the same image.
      let all = grid.scalars.count - 1
      if grid.scalars[fields] == nil { (first, second, fields) = (second, first, all - fields) }
      // In some fonts, a full block leaves a line of the other color at the edge.
      if fields == all { (first, fields) = (second, 0) }
    }
    return CellImage.Cell(
      scalar: grid.scalars[fields] ?? GlyphGrid.blank, foreground: UInt32(second), background: UInt32(first))
  }

  /// Returns the colors and the fields that come nearest to the image, and the light that is missing.
  private func choice(for fields: [SIMD3<Float>], error: SIMD3<Float>) -> (Choice, error: SIMD3<Float>) {
    let wanted = fields.reduce(SIMD3(), +) / Float(fields.count) + error
    let mean = Self.compared(wanted)
    let compared = fields.map { Self.compared($0) }
    // The distance of each color of the palette from each field.
    let distances = palette.map { entry in
      var distances = SIMD8<Float>()
      for index in compared.indices { distances[index] = Self.distance(entry.compared, compared[index]) }
      return distances
    }
    let floor = distances.reduce(SIMD8(repeating: .infinity), pointwiseMin).sum() * share
    let weight = Float(fields.count) * meanWeight
    var best = Choice()
    var least = Float.infinity
    for pair in pairs {
      let (first, second) = (distances[pair.colors.0], distances[pair.colors.1])
      var gains = (second - first) * share
      var cost = first.sum()
      let gain = gains.sum()
      for shade in pair.shades {
        let near = cost + gain * shade.share - shade.gain
        guard near < least else { continue }
        let total = near + weight * Self.distance(shade.comparedMean, mean)
        guard total < least else { continue }
        least = total
        best = Choice(colors: pair.colors, mean: shade.mean, shade: shade.scalar)
      }
      // Dots leave most of a cell in the first color, which rules out most pairs, whatever the second one is.
      guard cost * (1 - share) + floor < least else { continue }
      // The fields that gain most from the second color get it first.
      // Most pairs are ruled out by their fields alone.
      guard (first + pointwiseMin(gains, SIMD8())).sum() < least else { continue }
      for (index, letter) in letters.enumerated() {
        let total =
          cost + (gains * letter).sum() + weight * Self.distance(pair.comparedMeans[index], mean)
        guard total < least else { continue }
        least = total
        best = Choice(colors: pair.colors, fields: index, mean: pair.means[index])
      }
      guard letters.isEmpty else { continue }
      for index in fields.count..<8 { gains[index] = .infinity }
      var covered = 0
      for count in 0...fields.count {
        let total = cost + weight * Self.distance(pair.comparedMeans[count], mean)
        if total < least, !isMonochrome || grid.scalars[covered] != nil {
          least = total
          best = Choice(colors: pair.colors, fields: covered, mean: pair.means[count])
        }
        guard count < fields.count else { break }
        let gain = gains.min()
        var index = 0
        while gains[index] != gain { index += 1 }
        cost += gain
        gains[index] = .infinity
        covered |= 1 << index
      }
    }
    // With a palette without white, the errors of a white sky would add up without end.
    let most = SIMD3<Float>(repeating: 0.75)
    return (best, ((wanted - best.mean) * passedOn).clamped(lowerBound: -most, upperBound: most))
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

  /// Returns a color in the scale in which colors are compared. Errors beyond black and white stay different, so they are made
  /// up for at last.
  private static func compared(_ light: SIMD3<Float>) -> SIMD3<Float> {
    let root = SIMD3(cbrt(light.x), cbrt(light.y), cbrt(light.z))
    return (root * root).replacing(with: -root * root, where: light .< 0)
  }
}

extension UInt32 {
  /// Whether a color (0xRRGGBB) is nearer to white than to black, by its luma (ITU-R BT.709).
  fileprivate var isLight: Bool {
    2126 * (self >> 16 & 0xFF) + 7152 * (self >> 8 & 0xFF) + 722 * (self & 0xFF) > 10_000 * 127
  }
}
