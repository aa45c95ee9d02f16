import Foundation
import Gallery
import ImageWire
import TestLimit
import Testing

@testable import Images

/// TIFFs that libvips refuses, and others in the same layouts.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5)), .limited) final class TIFFTests {
  private let folder: ImageFolder

  init() throws { folder = try ImageFolder() }

  private func expect(_ tiff: SampleTIFF, _ values: [Int], _ rows: [[Int]], within tolerance: Int = 1) async throws {
    let found = try await folder.image(tiff.bytes(values)).rows
    #expect(found.map(\.count) == rows.map(\.count))
    for (pixel, wanted) in zip(found.joined(), rows.joined()) {
      for place in [0, 8, 16] {
        #expect(abs((pixel >> place & 0xFF) - (wanted >> place & 0xFF)) <= tolerance, "\(tiff): \(found)")
      }
    }
  }

  nonisolated static let depths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 24, 32, 64]

  private func most(_ bits: Int) -> Int { Int(truncatingIfNeeded: UInt64.max >> UInt64(64 - bits)) }

  @Test(arguments: depths, [false, true]) func samplesOfAnySizeAreDecoded(bits: Int, isPlanar: Bool) async throws {
    let most = most(bits)
    let tiff = SampleTIFF(width: 5, height: 2, bits: bits, photometric: 2, samples: 3, isPlanar: isPlanar)
    let row = [[most, 0, 0], [0, most, 0], [0, 0, most], [most, most, most], [0, 0, 0]]
    let colors = [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF, 0]
    try await expect(tiff, (row + row.reversed()).flatMap(\.self), [colors, colors.reversed()])
    let half = Int(UInt64(truncatingIfNeeded: most) / 2)
    try await expect(SampleTIFF(width: 3, height: 1, bits: bits), [0, half, most], [[0, shade(half, bits), 0xFFFFFF]])
  }

  /// Returns the gray of a sample.
  private func shade(_ value: Int, _ bits: Int) -> Int {
    Int(Double(value) / Double(UInt64.max >> UInt64(64 - bits)) * 255) * 0x010101
  }

  @Test(arguments: depths) func blackMayBeTheGreatestSample(bits: Int) async throws {
    let tiff = SampleTIFF(width: 3, height: 1, bits: bits, photometric: 0)
    try await expect(tiff, [0, most(bits), 0], [[0xFFFFFF, 0, 0xFFFFFF]])
  }

  @Test(arguments: [8, 12, 16], [false, true]) func tilesAreDecoded(bits: Int, isPlanar: Bool) async throws {
    let (width, height) = (19, 18)
    let tiff = SampleTIFF(
      width: width, height: height, bits: bits, photometric: 2, samples: 3, isPlanar: isPlanar, tile: 16)
    let pixels = (0..<width * height).map { [$0 * 7 % 256, $0 * 13 % 256, $0 * 29 % 256] }
    let rows = (0..<height).map { y in
      (0..<width).map { x in pixels[y * width + x].reduce(0) { $0 << 8 | $1 } }
    }
    try await expect(tiff, pixels.joined().map { $0 * most(bits) / 255 }, rows)
  }

  @Test func planesOfCMYKInTilesAreDecoded() async throws {
    let tiff = SampleTIFF(width: 16, height: 16, bits: 8, photometric: 5, samples: 4, isPlanar: true, tile: 16)
    let image = try await folder.image(tiff.bytes((0..<256).flatMap { $0 < 128 ? [0, 0, 0, 0] : [0, 255, 255, 0] }))
    #expect(image.rows[0][0] == 0xFFFFFF)
    // The red of the profile that stands for ink.
    let red = image.rows[15][0]
    #expect(red >> 16 > 200 && red >> 8 & 0xFF < 80 && red & 0xFF < 80)
  }

  @Test func transparentColorsMayHaveBeenMultiplied() async throws {
    func row(extra: Int, red: Int) async throws -> [Int] {
      let tiff = SampleTIFF(
        width: 2, height: 1, bits: 12, photometric: 2, samples: 4, isPlanar: true, extra: extra)
      return try await folder.image(tiff.bytes([red, 0, 0, 2048, 4095, 4095, 4095, 4095])).rows[0]
    }
    let (multiplied, plain) = (try await row(extra: 1, red: 2048), try await row(extra: 2, red: 4095))
    #expect(multiplied[1] == 0xFFFFFF && plain[1] == 0xFFFFFF)
    #expect(plain[0] >> 16 > 100 && plain[0] & 0xFFFF == 0)
    #expect(abs((multiplied[0] >> 16) - (plain[0] >> 16)) <= 1 && multiplied[0] & 0xFFFF == 0)
  }

  @Test func aTIFFThatDoesNotNameItsColorsIsDecoded() async throws {
    let gray = SampleTIFF(width: 2, height: 1, bits: 12, photometric: nil)
    try await expect(gray, [0, 4095], [[0, 0xFFFFFF]])
    let colors = SampleTIFF(width: 1, height: 1, bits: 12, photometric: nil, samples: 3)
    try await expect(colors, [4095, 0, 0], [[0xFF0000]])
  }

  @Test func numbersOfAPaletteOfThreeBitsAreDecoded() async throws {
    var palette = [Int](repeating: 0, count: 24)
    palette[5] = 65_535
    palette[8 + 6] = 65_535
    let tiff = SampleTIFF(width: 3, height: 1, bits: 3, photometric: 3, palette: palette)
    try await expect(tiff, [5, 6, 7], [[0xFF0000, 0x00FF00, 0]])
  }

  @Test func numbersOfFloatingPointOfHalfAndDoubleSizeAreDecoded() async throws {
    let halves = SampleTIFF(width: 4, height: 1, bits: 16, format: 3)
    // 0, 0.5, 1, and NaN.
    try await expect(halves, [0, 0x3800, 0x3C00, 0x7E00], [[0, 0x7F7F7F, 0xFFFFFF, 0]])
    let doubles = SampleTIFF(width: 3, height: 1, bits: 64, format: 3)
    try await expect(
      doubles, [0, 0.5, 1.0].map { Int(bitPattern: UInt(Double($0).bitPattern)) }, [[0, 0x7F7F7F, 0xFFFFFF]])
    let short = SampleTIFF(width: 3, height: 1, bits: 24, format: 3)
    // 0, 0.5 and 1 with 7 bits of the exponent.
    try await expect(short, [0, 62 << 16, 63 << 16], [[0, 0x7F7F7F, 0xFFFFFF]])
  }

  /// A block of two by two pixels has four lights and two colors.
  @Test func subsampledColorsAreDecoded() async throws {
    let tiff = SampleTIFF(
      width: 2, height: 2, bits: 8, photometric: 6, samples: 3, data: [255, 255, 0, 0, 128, 128])
    try await expect(tiff, [], [[0xFFFFFF, 0xFFFFFF], [0, 0]], within: 2)
  }

  @Test func theOrientationOfATIFFThatLibvipsRefusesIsApplied() async throws {
    let tiff = SampleTIFF(width: 2, height: 1, bits: 12, photometric: 2, samples: 3, orientation: 6)
    try await expect(tiff, [4095, 0, 0, 0, 0, 4095], [[0xFF0000], [0x0000FF]])
    let subsampled = SampleTIFF(
      width: 2, height: 2, bits: 8, photometric: 6, samples: 3, orientation: 6, data: [255, 255, 0, 0, 128, 128])
    try await expect(subsampled, [], [[0, 0xFFFFFF], [0, 0xFFFFFF]], within: 2)
  }

  /// Each byte of the file in turn is another one. The image may be shown or refused, but the decoder must go on.
  @Test func aDamagedTIFFIsShownOrRefused() async throws {
    let tiff = SampleTIFF(width: 19, height: 18, bits: 12, photometric: 2, samples: 3, isPlanar: true, tile: 16)
    let bytes = tiff.bytes([Int](repeating: 1000, count: 19 * 18 * 3))
    let start = Int(bytes[4]) + Int(bytes[5]) << 8
    for place in start..<bytes.count {
      var damaged = bytes
      damaged[place] ^= place % 2 == 0 ? 0xFF : 0x05
      let answer = await folder.answer(try folder.write(damaged, as: "damaged"))
      if case .failure(let fault) = answer.content { #expect(!fault.message.contains("crashed"), "\(place)") }
    }
  }
}
