import TestLimit
import TestPhotos
import Testing

@testable import tintype_pictures

/// PNGs with few colors, for a slow line.
@Suite(.limited) struct SmallPNGTests {
  /// The pixels are a slope with noise, as a wall in a photo is. Without the price of another color, fewer than a fifth repeat the
  /// one to the left.
  @Test func colorsThatHardlyDifferAreRepeated() throws {
    let (width, height) = (160, 120)
    let pixels = Pixels(PixelSize(width, height))
    for place in pixels.words.indices {
      let (x, y) = (place % width, place / width)
      let noise = (place &* 2_654_435_761 ^ place >> 3) >> 13
      pixels.words[place] = Pixels.word(UInt32((x + y) / 2 + 40 + noise & 7) * 0x01_0101)
    }
    let png = try #require(SmallPNG.encode(pixels, colors: 256, throughput: 0))
    let rgb = try #require(PNGReader.pixels(of: png)?.rgb)
    var (repeats, worst) = (0, 0)
    for place in 1..<width * height {
      repeats += rgb[place * 3] == rgb[place * 3 - 3] ? 1 : 0
      worst = max(worst, abs(Int(rgb[place * 3]) - Int(pixels.words[place] & 0xFF)))
    }
    #expect(repeats > width * height / 4)
    #expect(worst <= 4)
  }
}
