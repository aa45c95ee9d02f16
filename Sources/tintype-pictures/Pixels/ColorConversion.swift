/// Converts the pixels of a decoder to light, in which they are scaled, and the light to opaque pixels in sRGB.
///
/// Light is multiplied by alpha, so that the color of a transparent pixel doesn't count.
struct ColorConversion {
  private let space: ColorSpace
  private let hasAlpha: Bool
  /// The color under transparent parts, 0xRRGGBB.
  private let background: UInt32
  /// The light of each code of red, green, and blue. None are needed for sRGB, whose own conversion is faster.
  private let tables: [[Float]]

  /// - Parameter isWide: Whether a sample has 16 bits, and not 8.
  init(from space: ColorSpace, isWide: Bool = false, hasAlpha: Bool = false, background: UInt32 = 0) {
    self.space = space
    self.hasAlpha = hasAlpha
    self.background = background
    guard space != .srgb else {
      tables = []
      return
    }
    let most = isWide ? 65535 : 255
    // What is brighter than the highlights that are shown would only leave dark rings around it.
    func table(_ curve: ToneCurve) -> [Float] {
      (0...most).map { Float(min(max(0, curve.light(Double($0) / Double(most))), ToneMapping.peak)) }
    }
    let red = table(space.curves[0])
    tables = [red] + space.curves.dropFirst().map { $0 == space.curves[0] ? red : table($0) }
  }

  /// Converts pixels of 8 bits a sample to light.
  func decode(_ row: UnsafeMutableBufferPointer<UInt32>, into light: LightRow) {
    if tables.isEmpty {
      TransferCurve.linear.decode(row, into: light)
    } else {
      for x in 0..<row.count { light[x] = self.light(Pixels.samples(of: row[x])) }
    }
    guard hasAlpha else { return }
    for x in 0..<row.count { light[x].multiply(byAlpha: Float(row[x] >> 24) * (1 / 255)) }
  }

  /// Converts pixels of 16 bits a sample to light.
  func decode(wide row: UnsafeMutableBufferPointer<SIMD4<UInt16>>, into light: LightRow) {
    if tables.isEmpty {
      TransferCurve.linear.decode(row, into: light)
    } else {
      for x in 0..<row.count { light[x] = self.light(row[x]) }
    }
    guard hasAlpha else { return }
    for x in 0..<row.count { light[x].multiply(byAlpha: Float(row[x].w) * (1 / 65535)) }
  }

  @inline(__always)
  private func light(_ samples: SIMD4<some FixedWidthInteger>) -> SIMD4<Float> {
    SIMD4(tables[0][Int(samples.x)], tables[1][Int(samples.y)], tables[2][Int(samples.z)], 0)
  }

  /// Converts light to pixels. The values in `light` are changed.
  func encode(_ light: LightRow, into row: UnsafeMutableBufferPointer<UInt32>) {
    if hasAlpha {
      for x in 0..<light.count where light[x].w > 0 { light[x].divideByAlpha() }
    }
    if tables.isEmpty {
      TransferCurve.linear.encode(light, into: row)
    } else {
      if space.curves[0] == .hlg { ToneMapping.showScene(light) }
      let (red, green, blue) = (space.primaries[0], space.primaries[1], space.primaries[2])
      for x in 0..<light.count {
        let color = light[x]
        light[x] = red * color.x + green * color.y + blue * color.z
        light[x].w = color.w
      }
      if space.isHDR { ToneMapping.map(light) }
      Levels.srgb.encode(light, into: row)
    }
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
