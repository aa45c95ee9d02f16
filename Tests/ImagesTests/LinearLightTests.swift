import ImageWire
import TestLimit
import Testing

@testable import Images

/// Fine black and white lines have the light of half the white, whose code is 188. Halfway between the codes is 128.
@MainActor
@Suite(.limited) struct LinearLightTests {
  private nonisolated static let side = 128

  /// The color of each pixel of alternating lines.
  private nonisolated static let lines = (0..<side).flatMap { y in
    Array(repeating: UInt8(y % 2 == 0 ? 0 : 255), count: side * 3)
  }
  private nonisolated static let blocks = (0..<64).map { y in
    Array(repeating: y % 2 == 0 ? (red: 0, green: 0, blue: 0) : (red: 255, green: 255, blue: 255), count: 64)
  }

  @Test(arguments: [
    (
      "a bitmap",
      SampleImage.bmp(header: SampleImage.bmpHeader(side, side, depth: 24, compression: 0), data: lines)
    ),
    ("a JPEG", BlockJPEG(blocks).bytes(orientation: nil)),
    ("a PNG", SampleImage.png(side, side, rgb: lines)),
    ("a TIFF", SampleImage.tiff(side, side, .shorts, bands: 3, values: lines.map { Double($0) * 257 })),
  ])
  func aSmallerImageHasTheSameLight(name: String, bytes: [UInt8]) async throws {
    let folder = try ImageFolder()
    let image = try DecodedImage(await folder.answer(folder.write(bytes), columns: 32))
    let inner = image.rows.dropFirst(4).dropLast(4).flatMap { $0.dropFirst(4).dropLast(4) }
    #expect(Set(inner.map { $0 & 0xFF }).isSubset(of: [187, 188, 189]), "\(name): \(Set(inner))")
    #expect(inner.count == 24 * 24)
  }

  /// The color of a transparent pixel doesn't count when pixels are averaged.
  @Test func transparentPixelsHaveNoColor() async throws {
    let rgba = (0..<64 * 64).flatMap { $0 / 64 % 2 == 0 ? [0, 255, 0, 255] : [255, 0, 0, 0] as [UInt8] }
    let folder = try ImageFolder()
    let file = try folder.write(SampleImage.png(64, 64, rgb: rgba, hasAlpha: true))
    let inner = try DecodedImage(await folder.answer(file, columns: 16))[8, 8]
    // Half of the area is green, and the background is black.
    #expect([0x007F00, 0x008000].contains(inner))
  }

  /// An image that is not scaled reaches the terminal unchanged.
  @Test func aPixelForEachPixelIsExact() async throws {
    let (width, height) = (96, 64)
    let rgb = (0..<width * height * 3).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    let bitmap = SampleImage.bmp(
      header: SampleImage.bmpHeader(width, -height, depth: 24, compression: 0),
      data: stride(from: 0, to: rgb.count, by: 3).flatMap { [rgb[$0 + 2], rgb[$0 + 1], rgb[$0]] })
    let folder = try ImageFolder()
    for (name, bytes) in [
      ("PNG", SampleImage.png(width, height, rgb: rgb)), ("BMP", bitmap),
      ("TIFF", SampleImage.tiff(width, height, .bytes, bands: 3, values: rgb.map(Double.init))),
      ("deep TIFF", SampleImage.tiff(width, height, .shorts, bands: 3, values: rgb.map { Double($0) * 257 })),
      ("PPM", Array("P6 \(width) \(height) 255\n".utf8) + rgb),
    ] {
      for view in [ImageView.whole, .zoomed(scale: 65536, centerX: 32768, centerY: 32768)] {
        let image = try DecodedImage(await folder.answer(folder.write(bytes), view: view))
        #expect(image.pixels.rgb == rgb, "\(name)")
      }
    }
  }

  /// Inside a stripe of one color, the light is turned back into the color's code.
  @Test func allCodesStay() async throws {
    let (width, height) = (256 * 16, 8)
    let row = (0..<256).flatMap { Array(repeating: UInt8($0), count: 16 * 3) }
    let data = (0..<height).flatMap { _ in row }
    let bytes = SampleImage.bmp(header: SampleImage.bmpHeader(width, height, depth: 24, compression: 0), data: data)
    let folder = try ImageFolder()
    let image = try DecodedImage(await folder.answer(folder.write(bytes), columns: width / 2))
    #expect((0..<256).map { image[$0 * 8 + 4, 2] & 0xFF } == Array(0...255))
  }
}
