/// A change of an image by which its darkest and brightest parts get those of a palette, and its colors stronger.
///
/// The steps between a few colors are so large that an image of low contrast would lose its shapes, and weak colors would
/// become gray.
struct ContrastStretch {
  /// The brightness that becomes the palette's darkest one.
  private let darkest: SIMD3<Float>
  private let contrast: Float
  private let target: SIMD3<Float>
  private let saturation: Float

  /// The share of the darkest and of the brightest pixels that may lose their differences.
  private static let clippedShare = 0.02
  /// The range of brightness below which an image is one even area, whose color should stay, and the difference from the
  /// palette's range that is not worth a change.
  private static let (leastRange, leastChange): (Float, Float) = (0.1, 0.1)

  /// The weights of red, green, and blue in the brightness.
  static let weights = SIMD3<Float>(0.3, 0.55, 0.15)

  /// Measures the brightness of an image.
  ///
  /// - Parameters:
  ///   - palette: The brightness of the palette's colors.
  ///   - mostContrast: The largest factor by which differences grow. More than 2 would show noise.
  init(_ pixels: Pixels, to palette: ClosedRange<Float>, atMost mostContrast: Float) {
    var counts = [Int](repeating: 0, count: 256)
    for row in 0..<pixels.size.height {
      for word in pixels.row(row) { counts[Int((255 * Self.brightness(Self.parts(word))).rounded())] += 1 }
    }
    let clipped = Int(Double(pixels.size.area) * Self.clippedShare)
    func level(_ levels: some Sequence<Int>) -> Float {
      var sum = 0
      let level = levels.first {
        sum += counts[$0]
        return sum > clipped
      }
      return Float(level ?? 0) / 255
    }
    let (darkest, brightest) = (level(0...255), level((0...255).reversed()))
    let height = palette.upperBound - palette.lowerBound
    saturation = brightest - darkest < Self.leastRange ? 1 : 1.3
    guard brightest - darkest >= Self.leastRange, abs(brightest - darkest - height) >= Self.leastChange else {
      self.darkest = SIMD3()
      contrast = 1
      target = SIMD3()
      return
    }
    let range = max(brightest - darkest, height / mostContrast)
    // What is left of the range lies in equal parts below and above, as far as that is possible.
    let lowest = max(0, min(darkest, (darkest + brightest - range) / 2, 1 - range))
    self.darkest = SIMD3(repeating: lowest)
    contrast = height / range
    target = SIMD3(repeating: palette.lowerBound)
  }

  /// Returns the parts of a pixel's color after the change, from 0 to 1.
  func parts(_ pixel: UInt32) -> SIMD3<Float> {
    let parts = Self.parts(pixel)
    let gray = SIMD3<Float>(repeating: Self.brightness(parts))
    return ((gray + (parts - gray) * saturation - darkest) * contrast + target)
      .clamped(lowerBound: SIMD3(), upperBound: SIMD3(repeating: 1))
  }

  /// Returns the parts of a pixel's color, from 0 to 1.
  static func parts(_ pixel: UInt32) -> SIMD3<Float> {
    SIMD3(Float(pixel & 0xFF), Float(pixel >> 8 & 0xFF), Float(pixel >> 16 & 0xFF)) / 255
  }

  /// Returns the brightness of a color, from 0 to 1.
  static func brightness(_ parts: SIMD3<Float>) -> Float { (parts * weights).sum() }
}
