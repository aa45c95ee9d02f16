import ImageWire

/// The detail that an encoder leaves out of an image so that it takes fewer bytes on the line to the terminal.
struct Reduction: Equatable {
  /// The number of pixels on the screen, across and down, that one encoded pixel covers.
  var factor = 1.0
  /// The distance between neighboring values of a color's channel. An encoded value is at most half of it off.
  var step = 1
  /// The number of colors, or nil for 24 bits a pixel.
  var colors: Int?
  /// The quality of a JPEG, from 0 to 100.
  var quality = 90
  /// The factor by which the color of a square of sixels or of a cell may differ more from the pixel's, so that the color of a
  /// neighbor can be repeated.
  var tolerance = 1

  /// Nothing is left out.
  static let none = Reduction()

  /// Returns the size of an image on the screen when it is encoded.
  func size(of size: PixelSize) -> PixelSize {
    PixelSize(max(1, Int(Double(size.width) / factor)), max(1, Int(Double(size.height) / factor)))
  }
}

extension OutputFormat {
  /// The reductions of this format, finest first, each with the bytes that photos typically take, as a share of those of an
  /// exact image.
  ///
  /// The ladders were measured with photos of 1140 by 760 pixels on the screen. They hold the reductions that look most
  /// like the exact image (by their structural similarity) for their bytes.
  var reductions: [(reduction: Reduction, share: Double)] {
    let coarse = [6.0, 8, 12, 16, 24, 32]
    switch self {
    // Few colors take few bytes, and ASCII and Braille have no half blocks.
    case .symbols(let depth, let symbols) where depth != .truecolor || !symbols.hasBlocks: return [(.none, 1)]
    case .symbols:
      return [(.none, 1)] + [2.0, 3, 4, 6].map { (Reduction(factor: $0), 0.7 / $0) }
        + [4.0, 6, 8, 12].map { (Reduction(factor: $0, tolerance: 2), 0.3 / $0) }
    case .sixel:
      return [
        (.none, 1), (Reduction(colors: 128), 0.8), (Reduction(colors: 64), 0.63),
        (Reduction(factor: 2, colors: 128, tolerance: 2), 0.35),
        (Reduction(factor: 2, colors: 64, tolerance: 2), 0.29),
        (Reduction(factor: 2, colors: 64, tolerance: 4), 0.22),
        (Reduction(factor: 2, colors: 32, tolerance: 4), 0.18),
        (Reduction(factor: 2, colors: 16, tolerance: 4), 0.14),
        (Reduction(factor: 3, colors: 32, tolerance: 4), 0.125),
        (Reduction(factor: 3, colors: 16, tolerance: 4), 0.107),
        (Reduction(factor: 4, colors: 16, tolerance: 4), 0.08),
        (Reduction(factor: 6, colors: 64, tolerance: 2), 0.05),
      ] + [6.0, 12, 18, 24].map { (Reduction(factor: $0, colors: 16, tolerance: 4), 0.23 / $0) }
        // Ten colors have numbers of one digit.
        + [30.0, 36, 42, 48].map { (Reduction(factor: $0, colors: 10, tolerance: 4), 0.23 / $0) }
    case .iterm:
      return [
        (.none, 1), (Reduction(quality: 75), 0.6), (Reduction(quality: 60), 0.45),
        (Reduction(factor: 1.5, quality: 60), 0.25),
      ] + ([2, 3, 4] + coarse).map { (Reduction(factor: $0, quality: 60), 0.5 / $0 / $0) }
    case .kitty(let transfer) where transfer.isLocal: return [(.none, 1)]
    case .transfer: return [(.none, 1)]
    case .kitty:
      return [
        (.none, 1), (Reduction(step: 4), 0.7), (Reduction(step: 8), 0.5), (Reduction(colors: 256), 0.29),
        (Reduction(colors: 128), 0.22), (Reduction(factor: 1.5, colors: 256), 0.13),
        (Reduction(factor: 1.5, colors: 128), 0.105), (Reduction(factor: 2, colors: 128), 0.06),
        (Reduction(factor: 2, colors: 64), 0.048), (Reduction(factor: 3, colors: 128), 0.03),
        (Reduction(factor: 3, colors: 64), 0.024), (Reduction(factor: 4, colors: 64), 0.016),
      ] + coarse.map { (Reduction(factor: $0, colors: 64), 0.26 / $0 / $0) }
    }
  }

  /// Returns the bytes that a photo typically takes if nothing is left out of it.
  func typicalBytes(_ layout: Layout) -> Double {
    let pixels = Double(layout.pixels.area)
    return switch self {
    case .symbols: Double(layout.columns * layout.rows) * 30
    case .sixel: pixels * 1.15
    case .iterm, .transfer: pixels * 0.3
    case .kitty: pixels * 1.6
    }
  }
}

extension Pixels {
  /// Returns the image with each channel rounded to a multiple of `step`, which is a power of 2.
  func rounded(to step: Int) -> Pixels {
    guard step > 1 else { return self }
    let result = Pixels(size)
    let half = SIMD4<UInt16>(repeating: UInt16(step / 2))
    let mask = SIMD4<UInt16>(repeating: ~UInt16(step - 1))
    for index in words.indices {
      let pixel = SIMD4<UInt16>(truncatingIfNeeded: unsafeBitCast(words[index], to: SIMD4<UInt8>.self))
      let rounded = ((pixel &+ half) & mask).clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: 255))
      result.words[index] = unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: rounded), to: UInt32.self) | 0xFF00_0000
    }
    return result
  }
}
