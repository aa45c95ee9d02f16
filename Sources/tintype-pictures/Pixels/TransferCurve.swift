/// The pixels of a row as values by which pixels are combined: red, green, blue, and alpha, or nothing in its place.
typealias LightRow = UnsafeMutableBufferPointer<SIMD4<Float>>

/// A conversion between the 256 levels of a color and the values by which pixels are combined, from 0 to 1.
struct TransferCurve {
  /// Linear light, which adds up: half black and half white look like 188, and not like 128. The cubic is at most 0.002 from
  /// sRGB's curve (IEC 61966-2-1), and takes a third of the time of a table.
  static let linear = TransferCurve(0.012522878, 0.682171111, 0.305306011)
  /// The levels themselves, between which an enlarged edge looks even.
  static let encoded = TransferCurve(1, 0, 0)

  /// The factors of a level, of its square, and of its cube.
  private let factors: (Float, Float, Float)
  private let levels: Levels

  private init(_ first: Float, _ second: Float, _ third: Float) {
    factors = (first, second, third)
    levels = Levels { x in ((third * x + second) * x + first) * x }
  }

  /// Converts pixels to values.
  func decode(_ row: UnsafeMutableBufferPointer<UInt32>, into out: LightRow) {
    for x in 0..<row.count {
      let color = SIMD4<Int32>(truncatingIfNeeded: unsafeBitCast(row[x], to: SIMD4<UInt8>.self))
      out[x] = value(SIMD4<Float>(color) * (1 / 255))
    }
  }

  /// Converts pixels of 16 bits a sample to values.
  func decode(_ row: UnsafeMutableBufferPointer<SIMD4<UInt16>>, into out: LightRow) {
    for x in 0..<row.count {
      let color = SIMD4<Int32>(truncatingIfNeeded: row[x])
      out[x] = value(SIMD4<Float>(color) * (1 / 65535))
    }
  }

  @inline(__always)
  private func value(_ level: SIMD4<Float>) -> SIMD4<Float> {
    ((level * factors.2 + factors.1) * level + factors.0) * level
  }

  /// Converts values to opaque pixels.
  func encode(_ row: LightRow, into out: UnsafeMutableBufferPointer<UInt32>) { levels.encode(row, into: out) }
}

/// The 256 levels of a color by the values from 0 to 1 that they stand for.
struct Levels {
  /// sRGB's own curve.
  static let srgb = Levels { Float(ToneCurve.srgb.light(Double($0))) }

  /// The level for each multiple of 1/65,535. The next level begins halfway between the codes.
  private let levels: [UInt8]

  /// - Parameter curve: Returns the value of a code from 0 to 1.
  init(_ curve: (Float) -> Float) {
    let ends = (0..<255).map { curve((Float($0) + 0.5) / 255) * 65535 }
    var level = 0
    levels = (0...65535).map { step in
      while level < 255, Float(step) >= ends[level] { level += 1 }
      return UInt8(level)
    }
  }

  /// Converts values to opaque pixels.
  func encode(_ row: LightRow, into out: UnsafeMutableBufferPointer<UInt32>) {
    levels.withUnsafeBufferPointer { levels in
      for x in 0..<out.count {
        // Sharpening goes beyond black and white. The library's own function is called for each pixel.
        var value = row[x]
        value.replace(with: 0, where: value .< 0)
        value.replace(with: 1, where: value .> 1)
        value *= 65535
        // From 2^23 on, a Float has no fraction. So the sum rounds, and its last bits are the number.
        let step = unsafeBitCast(value + 8_388_608, to: SIMD4<UInt32>.self) & 0xFFFF
        let color = SIMD4(levels[Int(step.x)], levels[Int(step.y)], levels[Int(step.z)], 255)
        out[x] = unsafeBitCast(color, to: UInt32.self)
      }
    }
  }
}
