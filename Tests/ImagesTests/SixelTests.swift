import Foundation
import Gallery
import ImageWire
import TestLimit
import Testing

@testable import Images

/// Images of sixels, whose 256 colors are fewer than those of a photo.
@MainActor
@Suite(.serialized, .limited) struct SixelTests {
  private let queue = RenditionQueue(workerPath: ImageLoaderTests.workerPath, workerCount: 1)

  /// Renders an image in cells of 8x16 pixels. `color` returns the channels of a pixel.
  private func sixels(
    width: Int, height: Int, background: UInt32 = 0, _ color: (_ x: Int, _ y: Int) -> [UInt8]
  ) async throws -> SixelDecoder {
    let path = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString).ppm").path
    var data = Data("P6 \(width) \(height) 255\n".utf8)
    for y in 0..<height { for x in 0..<width { data += color(x, y) } }
    try data.write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let answer = await queue.render(
      .show(FilePath(path), 80, 24, cell: (8, 16), .sixel(colors: 256), background: background))
    guard case .graphic(let image) = answer.content else { throw Unexpected(content: "\(answer.content)") }
    return try SixelDecoder.decode(image.bytes)
  }

  private struct Unexpected: Error { let content: String }

  /// The image has far more colors than the palette. Blocks of pixels have the right mean, but for those at the edges, which
  /// can't pass their errors on. Without diffusion, the mean difference is 0.7.
  @Test func areasOfAGradientHaveTheirColor() async throws {
    let (side, block) = (320, 16)
    func color(_ x: Int, _ y: Int) -> [UInt8] {
      [UInt8(x * 255 / (side - 1)), UInt8(y * 255 / (side - 1)), UInt8((x + y) * 50 / side)]
    }
    let drawn = try await sixels(width: side, height: side, color)
    var (sum, count) = (0.0, 0.0)
    for top in stride(from: block, to: side - block, by: block) {
      for left in stride(from: block, to: side - block, by: block) {
        var differences = [0, 0, 0]
        for y in top..<top + block {
          for x in left..<left + block {
            let pixel = try #require(drawn.pixels[y * drawn.width + x])
            for (part, wanted) in color(x, y).enumerated() { differences[part] += Int(pixel[part]) - Int(wanted) }
          }
        }
        sum += differences.reduce(0) { $0 + Double(abs($1)) } / Double(block * block)
        count += 3
      }
    }
    #expect(sum / count < 0.4)
  }

  /// A gradient beside leaves of all colors has hardly a step, since it gets more of the palette than its share of the pixels'
  /// variance. Without weights, the mean difference is 3.9.
  @Test func evenAreasGetMoreOfTheColors() async throws {
    let side = 240
    func leaf(_ x: Int, _ y: Int) -> [UInt8] {
      let number = x &* 73_856_093 ^ y &* 19_349_663
      return [UInt8(number >> 3 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number >> 13 & 0xFF)]
    }
    func color(_ x: Int, _ y: Int) -> [UInt8] {
      x < side / 2 ? [UInt8(60 + y / 2), UInt8(100 + x / 2), UInt8(160 + y / 3)] : leaf(x, y)
    }
    let drawn = try await sixels(width: side, height: side, color)
    var sum = 0
    for y in 0..<side {
      for x in 0..<side / 2 {
        let pixel = try #require(drawn.pixels[y * drawn.width + x])
        sum += zip(pixel, color(x, y)).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      }
    }
    #expect(Double(sum) / Double(3 * side * side / 2) < 3)
  }

  /// Each pixel of lines gets the color that is nearest to it, which most of its neighbors in the line have as well. Errors that
  /// are passed on would be dots, which change the color in every few pixels.
  @Test func detailsHaveNoDots() async throws {
    let side = 240
    func color(_ x: Int, _ y: Int) -> [UInt8] {
      let light = x % 2 * 50
      return [UInt8(y / 2 + light), UInt8(x / 2 + light), UInt8((x + y) / 3)]
    }
    let drawn = try await sixels(width: side, height: side, color)
    let changes = (1..<side).reduce(0) { sum, y in
      sum + (0..<side).count { drawn.pixels[y * drawn.width + $0] != drawn.pixels[(y - 1) * drawn.width + $0] }
    }
    #expect(changes < side * side / 6)
  }

  /// Cells are larger than the image. What is left of them has the background's color, as nearly as a register can have it.
  @Test func theMarginIsFlat() async throws {
    let (width, height) = (157, 93)
    let drawn = try await sixels(width: width, height: height, background: 0x1E1F2E) { x, y in
      [UInt8(x), UInt8(2 * y), UInt8(x ^ y)]
    }
    #expect((drawn.width, drawn.height) == (160, 96))
    let margin = (0..<drawn.width * drawn.height).filter { index in
      let (x, y) = (index % drawn.width - 1, index / drawn.width - 1)
      return !(0..<width).contains(x) || !(0..<height).contains(y)
    }
    #expect(Set(margin.map { drawn.pixels[$0] }) == [[31, 31, 46]])
  }
}
