import Foundation
import Gallery
import ImageWire
import TestLimit
import Testing

@testable import Images

/// Images that are rotated as a request says, and images that are fitted in other ways than as a whole.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5)), .limited) final class RotationTests {
  private let folder: ImageFolder

  init() throws { folder = try ImageFolder() }

  /// Six grays, of which no two are alike.
  private static let upright = [[30, 60, 90], [120, 150, 180]]

  nonisolated static let quarters: [(ImageRotation, Int)] = [
    (.upright, 0), (.clockwise90, 1), (.clockwise180, 2), (.clockwise270, 3),
  ]

  private static func rotated(_ rows: [[Int]], quarters: Int) -> [[Int]] {
    (0..<quarters).reduce(rows) { rows, _ in rows[0].indices.map { column in rows.reversed().map { $0[column] } } }
  }

  /// Returns the grays of an image, of which each covers `side` times `side` pixels.
  private func grays(_ bytes: [UInt8], _ rotation: ImageRotation, side: Int = 1) async throws -> [[Int]] {
    let image = try DecodedImage(await folder.answer(folder.write(bytes), rotation: rotation))
    #expect(image.info.width == image.pixels.width)
    return stride(from: side / 2, to: image.pixels.height, by: side).map { y in
      stride(from: side / 2, to: image.pixels.width, by: side).map { ((image[$0, y] & 0xFF) + 5) / 10 * 10 }
    }
  }

  private func tiff(_ rows: [[Int]], orientation: Int) -> [UInt8] {
    SampleImage.tiff(
      rows[0].count, rows.count, .bytes, values: rows.joined().map(Double.init), orientation: orientation)
  }

  private func jpeg(storedFor orientation: Int, marked: Int?) -> [UInt8] {
    let blocks = Self.upright.map { $0.map { (red: $0, green: $0, blue: $0) } }
    return BlockJPEG(blocks, storedFor: orientation).bytes(orientation: marked)
  }

  @Test(arguments: 1...8) func aJPEGIsRotatedFromUpright(orientation: Int) async throws {
    let bytes = jpeg(storedFor: orientation, marked: orientation)
    for (rotation, quarters) in Self.quarters {
      #expect(try await grays(bytes, rotation, side: 8) == Self.rotated(Self.upright, quarters: quarters))
    }
    let stored = try await grays(jpeg(storedFor: orientation, marked: nil), .upright, side: 8)
    #expect(try await grays(bytes, .stored, side: 8) == stored)
  }

  @Test(arguments: 1...8) func anImageOfLibvipsIsRotatedFromUpright(orientation: Int) async throws {
    let bytes = tiff(Self.upright, orientation: orientation)
    let upright = try await grays(bytes, .upright)
    for (rotation, quarters) in Self.quarters {
      #expect(try await grays(bytes, rotation) == Self.rotated(upright, quarters: quarters))
    }
    #expect(try await grays(bytes, .stored) == Self.upright)
  }

  @Test(arguments: quarters) func aBitmapIsRotated(rotation: ImageRotation, quarters: Int) async throws {
    let palette: [UInt8] = Self.upright.joined().flatMap { (gray: Int) -> [UInt8] in
      [UInt8(gray), UInt8(gray), UInt8(gray), 0]
    }
    let bytes = SampleImage.bmp(
      header: SampleImage.bmpHeader(3, 2, depth: 8, compression: 0, colors: 6), colors: palette,
      data: [3, 4, 5, 0, 0, 1, 2, 0])
    #expect(try await grays(bytes, rotation) == Self.rotated(Self.upright, quarters: quarters))
  }

  /// The preview in the file is dark at the left, and so is the image, which is five times as large.
  @Test(arguments: quarters) func thePreviewInAFileIsRotatedWithItsImage(rotation: ImageRotation, quarters: Int)
    async throws
  {
    let shades: [UInt8] = [30, 90, 150, 210]
    let preview = SquareJPEG(columns: 4, rows: 2, shades: shades + shades).baseline()
    let large = (0..<10).flatMap { _ in shades.flatMap { [UInt8](repeating: $0, count: 5) } }
    let file = try folder.write(
      SquareJPEG(columns: 20, rows: 10, shades: large).baseline(segments: [SquareJPEG.exif(thumbnail: preview)]))
    let answer = await folder.answer(file, rotation: rotation, columns: 8, rows: 8, stage: .preview)
    let image = try DecodedImage(answer)
    let corners = Self.rotated([[30, 210], [30, 210]], quarters: quarters)
    let (right, bottom) = (image.pixels.width - 1, image.pixels.height - 1)
    for (row, y) in zip(corners, [0, bottom]) {
      for (shade, x) in zip(row, [0, right]) { #expect(abs((image[x, y] & 0xFF) - shade) < 12) }
    }
    #expect((right > bottom) == (quarters % 2 == 0))
  }

  @Test func anImageIsEnlargedToItsBoxIfThatIsWanted() async throws {
    let file = try folder.write(tiff(Self.upright, orientation: 1))
    func size(_ view: ImageView, columns: Int, rows: Int) async throws -> [Int] {
      let answer = await folder.answer(file, view: view, columns: columns, rows: rows)
      let image = try DecodedImage(answer)
      return [image.pixels.width, image.pixels.height]
    }
    #expect(try await size(.whole, columns: 30, rows: 30) == [3, 2])
    #expect(try await size(.enlarged, columns: 30, rows: 30) == [30, 20])
    #expect(try await size(.fillingHeight, columns: 90, rows: 30) == [45, 30])
    #expect(try await size(.fillingHeight, columns: 30, rows: 30) == [30, 30])
    #expect(try await size(.filling, columns: 90, rows: 30) == [90, 30])
  }
}
