/// Converts the pixels of a decoder to light, in which they are scaled, and the light to opaque pixels in sRGB.
///
/// Light is multiplied by alpha, so that the color of a transparent pixel doesn't count.
struct ColorConversion {
  private let hasAlpha: Bool
  /// The color under transparent parts, 0xRRGGBB.
  private let background: UInt32

  init(hasAlpha: Bool, background: UInt32) {
    (self.hasAlpha, self.background) = (hasAlpha, background)
  }

  /// Converts pixels of 8 bits a sample to light.
  func decode(_ row: UnsafeMutableBufferPointer<UInt32>, into light: LightRow) {
    Transfer.linear.decode(row, into: light)
    guard hasAlpha else { return }
    for x in 0..<row.count { light[x].multiply(byAlpha: Float(row[x] >> 24) * (1 / 255)) }
  }

  /// Converts pixels of 16 bits a sample to light.
  func decode(wide row: UnsafeMutableBufferPointer<SIMD4<UInt16>>, into light: LightRow) {
    Transfer.linear.decode(row, into: light)
    guard hasAlpha else { return }
    for x in 0..<row.count { light[x].multiply(byAlpha: Float(row[x].w) * (1 / 65535)) }
  }

  /// Converts light to pixels. The values in `light` are changed.
  func encode(_ light: LightRow, into row: UnsafeMutableBufferPointer<UInt32>) {
    if hasAlpha {
      for x in 0..<light.count where light[x].w > 0 { light[x].divideByAlpha() }
    }
    Transfer.linear.encode(light, into: row)
    if hasAlpha { flatten(row, light) }
  }

  /// Blends pixels with the background by their alpha. The codes are blended, and not light, as browsers do: drawings are made
  /// for that.
  private func flatten(_ row: UnsafeMutableBufferPointer<UInt32>, _ light: LightRow) {
    let ground = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: Pixels.samples(of: Pixels.word(background))))
    for x in 0..<row.count where light[x].w < 1 {
      let color = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: Pixels.samples(of: row[x])))
      let mixed = ground + (color - ground) * max(0, light[x].w) + 0.5
      row[x] = unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int32>(mixed)), to: UInt32.self) | 0xFF00_0000
    }
  }
}

extension Pixels {
  /// Returns the four bytes of a pixel.
  fileprivate static func samples(of word: UInt32) -> SIMD4<UInt8> { unsafeBitCast(word, to: SIMD4<UInt8>.self) }
}

extension SIMD4<Float> {
  fileprivate mutating func multiply(byAlpha alpha: Float) {
    self *= alpha
    w = alpha
  }

  /// Leaves the color of a pixel that was multiplied by its alpha.
  fileprivate mutating func divideByAlpha() {
    let alpha = Swift.min(w, 1)
    self *= 1 / w
    w = alpha
  }
}
