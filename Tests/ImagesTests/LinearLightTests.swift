import Testing

@testable import Images

/// Fine black and white lines have the light of half the white, whose code is 188. Halfway between the codes is 128.
@MainActor
@Suite struct LinearLightTests {
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
  ])
  func aSmallerImageHasTheSameLight(name: String, bytes: [UInt8]) async throws {
    let folder = try ImageFolder()
    let image = try DecodedImage(await folder.answer(folder.write(bytes), columns: 32))
    let inner = image.rows.dropFirst(4).dropLast(4).flatMap { $0.dropFirst(4).dropLast(4) }
    #expect(Set(inner.map { $0 & 0xFF }).isSubset(of: [187, 188, 189]), "\(name): \(Set(inner))")
    #expect(inner.count == 24 * 24)
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
