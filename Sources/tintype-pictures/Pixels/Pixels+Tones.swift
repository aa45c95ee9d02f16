import ImageWire

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Pixels {
  /// Returns the image with other tones, or this one if they are its own.
  func toned(_ tone: ImageTone) -> Pixels {
    guard tone != .unchanged else { return self }
    let values = Self.values(of: tone)
    let result = Pixels(size)
    for index in 0..<words.count {
      var word = words[index]
      if tone.isGray { word = Self.gray(word) }
      result.words[index] =
        UInt32(values[Int(word & 255)]) | UInt32(values[Int(word >> 8 & 255)]) << 8
        | UInt32(values[Int(word >> 16 & 255)]) << 16 | word & 0xFF00_0000
    }
    return result
  }

  /// Returns the new value of each value of a channel: the exposure counts in light, the contrast as the eye sees it.
  private static func values(of tone: ImageTone) -> [UInt8] {
    let factor = pow(2, Double(tone.brightness) / 3)
    let slope = pow(8.0 / 7, Double(tone.contrast))
    return (0...255).map { value in
      let light = min(1, ToneCurve.srgb.light(Double(value) / 255) * factor)
      // The inverse of sRGB's curve.
      let code = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
      let encoded = (code - 0.5) * slope + 0.5
      return UInt8((min(max(0, encoded), 1) * 255).rounded())
    }
  }

  /// Returns a pixel without its color, as bright as it was (luma of Rec. ITU-R BT.709).
  private static func gray(_ word: UInt32) -> UInt32 {
    let luma = (218 * (word & 255) + 732 * (word >> 8 & 255) + 74 * (word >> 16 & 255) + 512) >> 10
    return luma | luma << 8 | luma << 16 | word & 0xFF00_0000
  }

  /// Returns the image with a cross around the pixel in its middle, which stays as it is.
  func pixelMarked() -> Pixels {
    let result = Pixels(size)
    _ = result.words.update(fromContentsOf: words)
    let (x, y) = (size.width / 2, size.height / 2)
    for distance in [-4, -3, -2, 2, 3, 4] {
      for (column, row) in [(x + distance, y), (x, y + distance)]
      where (0..<size.width).contains(column) && (0..<size.height).contains(row) {
        let word = result.row(row)[column]
        result.row(row)[column] = Self.gray(word) & 255 < 140 ? Self.word(0xFFFFFF) : Self.word(0)
      }
    }
    return result
  }

  /// Returns the pixel in the middle, whose place in the image is that in a part of it; nil if the pixels are not those of the part.
  func sample(of part: PixelRect) -> PixelSample? {
    guard size == part.size else { return nil }
    let (x, y) = (size.width / 2, size.height / 2)
    let word = row(y)[x]
    return PixelSample(
      x: part.x + x, y: part.y + y, color: (word & 255) << 16 | word & 0xFF00 | word >> 16 & 255)
  }
}
