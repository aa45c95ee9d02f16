import TestLimit
import Testing

@testable import tintype_pictures

/// The overlays of the light table: edges in focus, and clipped pixels.
@Suite(.limited) struct OverlayTests {
  private static let size = PixelSize(24, 24)
  private static let color: UInt32 = 0x20E040

  /// Returns the columns of a row that have the full color of the edges.
  private static func edges(_ image: Pixels, row: Int = 12) -> [Int] {
    let peaking = values(image.focusPeaking(color: color))
    return (0..<size.width).filter { peaking[row * size.width + $0] == Pixels.word(color) }
  }

  /// Returns the pixels, which outlive the image.
  private static func values(_ image: Pixels) -> [UInt32] { withExtendedLifetime(image) { Array(image.words) } }

  @Test func aSharpEdgeIsColoredOnBothSides() {
    for (dark, light) in [(50, 200), (10, 24), (230, 250)] {
      let edge = Pixels.gray(Self.size) { x, _ in x < 12 ? dark : light }
      #expect(Self.edges(edge) == [11, 12], "\(dark) \(light)")
    }
    let level = Pixels.gray(Self.size) { _, y in y < 12 ? 50 : 200 }
    #expect(
      (0..<24).filter { level.focusPeaking(color: Self.color).row($0)[8] == Pixels.word(Self.color) } == [11, 12])
  }

  @Test func aBlurredEdgeIsNotColored() {
    let ramp = Pixels.gray(Self.size) { x, _ in min(200, max(50, 50 + (x - 7) * 15)) }
    #expect(Self.edges(ramp) == [])
    // Brightness and contrast don't make it one.
    #expect(Self.edges(Pixels.gray(Self.size) { x, _ in min(255, max(0, (x - 6) * 22)) }) == [])
  }

  @Test func whatIsNoEdgeIsOnlyWeaker() {
    let flat = Pixels(Self.size)
    flat.words.update(repeating: Pixels.word(0xC86432))
    // The gray is 112, and a third of the difference from it stays, at nine tenths of the brightness.
    #expect(Self.values(flat.focusPeaking()).allSatisfy { $0 == Pixels.word(0x7F6152) })
    #expect(Self.values(flat.clippingMarked()).allSatisfy { $0 == Pixels.word(0x7F6152) })
  }

  @Test func aFadedImageIsBetweenItselfAndTheBackground() {
    let flat = Pixels(Self.size)
    flat.words.update(repeating: Pixels.word(0xC86432))
    // 116 of 256 parts of the weaker color of the test above, and 140 of the background.
    #expect(Self.values(flat.faded(into: 0x000000)).allSatisfy { $0 == Pixels.word(0x3A2C26) })
    #expect(Self.values(flat.faded(into: 0xFFFFFF)).allSatisfy { $0 == Pixels.word(0xC5B7B0) })
  }

  @Test(arguments: [8, 14, 20]) func noiseIsNoEdge(deviation: Double) {
    let noise = Pixels.gray(PixelSize(96, 96)) { _, _ in 120 }.noisy(deviation)
    let colored = Self.values(noise.focusPeaking(color: Self.color)).count { $0 == Pixels.word(Self.color) }
    #expect(colored < 96 * 96 / 200)
  }

  /// The noise of the darker half of the brightness would hide the edge, whose contrast is less.
  @Test func noiseHidesNoEdgeOfAnotherBrightness() {
    let image = Pixels.gray(PixelSize(24, 244)) { x, y in
      y < 220 ? 114 + (x * 5 + y * 9) % 14 : x < 12 ? 128 : 140
    }
    #expect(Self.edges(image, row: 236) == [11, 12])
  }

  @Test func clippedPixelsAreColored() {
    let colors: [(old: UInt32, new: UInt32?)] = [
      (0xFFFFFF, 0xFF0000), (0xFF8040, 0xFF0000), (0x1020FE, 0xFF0000), (0xFDFDFD, nil), (0x000000, 0x2040FF),
      (0x020202, 0x2040FF), (0x030303, nil), (0x00001A, 0x2040FF), (0x808080, nil),
    ]
    let image = Pixels(PixelSize(colors.count, 1))
    for (x, color) in colors.enumerated() { image.words[x] = Pixels.word(color.old) }
    let marked = Self.values(image.clippingMarked())
    for (x, color) in colors.enumerated() {
      let isColored = [0xFF0000, 0x2040FF].map(Pixels.word).contains(marked[x])
      #expect(isColored == (color.new != nil), "\(x)")
      if let new = color.new { #expect(marked[x] == Pixels.word(new)) }
    }
  }

  @Test(arguments: [(1, 1), (1, 7), (7, 1), (2, 2)]) func tinyImagesStayAsLarge(width: Int, height: Int) {
    let image = Pixels.gray(PixelSize(width, height)) { x, y in (x + y) * 90 }
    #expect(image.focusPeaking().size == image.size && image.clippingMarked().size == image.size)
  }
}
