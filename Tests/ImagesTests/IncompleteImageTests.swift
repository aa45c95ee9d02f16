import Foundation
import Gallery
import ImageWire
import TestLimit
import Testing

@testable import Images

/// JPEGs that end too soon, such as those that are still being copied.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5)), .limited) final class IncompleteImageTests {
  private let folder: ImageFolder
  /// Rows of squares, each of which has its own shade. There are more rows than errors that are passed over.
  private static let squares = SquareJPEG(
    columns: 4, rows: 240, shades: (0..<240).flatMap { row in Array(repeating: UInt8(row), count: 4) })

  init() throws { folder = try ImageFolder() }

  /// Returns the shade of a row of squares in an image of any size.
  private func shade(_ image: DecodedImage, row: Int) -> Int {
    let (width, height) = (image.pixels.width, image.pixels.height)
    return image[width / 2, (row * 8 + 4) * height / (Self.squares.rows * 8)] & 0xFF
  }

  @Test(arguments: [false, true]) func theRowsOfAnIncompleteJPEGAreShown(restarts: Bool) async throws {
    // Its thumbnail is black.
    let thumbnail = SquareJPEG(columns: 2, rows: 2, shades: [0, 0, 0, 0]).baseline()
    let whole = Self.squares.baseline(segments: [SquareJPEG.exif(thumbnail: thumbnail)], restarts: restarts)
    let complete = try await folder.image(whole)
    #expect(!complete.info.isIncomplete)
    for row in [1, 100, 200] { #expect(abs(shade(complete, row: row) - row) <= 1) }
    // The file has a third of the rows.
    let scan = try #require(whole.lastRange(of: [0xFF, 0xDA, 0, 8])).upperBound
    let file = whole.prefix(scan + (whole.count - scan) / 3)
    let image = try await folder.image(file)
    #expect(image.info.isIncomplete)
    #expect((image.info.width, image.info.height) == (32, 1920))
    for row in [1, 30, 60] { #expect(abs(shade(image, row: row) - row) <= 1, "row \(row)") }
    // A complete part of an incomplete image is marked as incomplete, too.
    let part = try await folder.image(file, view: .zoomed(scale: 131_072, centerX: 32768, centerY: 0))
    #expect(part.info.isIncomplete)
  }

  @Test func theScansOfAnIncompleteProgressiveJPEGAreShown() async throws {
    let whole = Self.squares.progressive()
    let complete = try await folder.image(whole)
    #expect(!complete.info.isIncomplete)
    #expect(shade(complete, row: 101) == 101)
    // Without its last scan, the image is complete but less exact.
    let image = try await folder.image(whole.dropLast(80))
    #expect(image.info.isIncomplete)
    for row in [1, 50, 100] { #expect(abs(shade(image, row: row) - row) <= 2) }
  }

  /// The thumbnail is shown in the image's own size, and marked as incomplete.
  @Test func aThumbnailReplacesAnImageWithoutAnyRows() async throws {
    let thumbnail = SquareJPEG(columns: 1, rows: 60, shades: Array(repeating: 255, count: 60)).baseline()
    let whole = Self.squares.baseline(segments: [SquareJPEG.exif(thumbnail: thumbnail)])
    let start = try #require(whole.lastRange(of: [0xFF, 0xDA, 0, 8])?.upperBound) + 7
    let image = try await folder.image(whole.prefix(start))
    #expect(image.info.isIncomplete)
    #expect((image.info.width, image.info.height) == (32, 1920))
    #expect(image[4, 100] == 0xFFFFFF)
    let without = Self.squares.baseline()
    let cut = without.count - whole.count + start
    let answer = await folder.answer(try folder.write(without.prefix(cut)))
    #expect(answer.content == .failure(.incomplete))
  }

  @Test func otherIncompleteFormatsAreReported() async throws {
    let rgb = (0..<64 * 64 * 3).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }
    let png = SampleImage.png(64, 64, rgb: rgb)
    #expect(try await !folder.image(png).info.isIncomplete)
    #expect(try await folder.image(png.prefix(png.count / 2)).info.isIncomplete)
  }

  /// The gray of missing rows is no tone of the photo, at whichever side they are.
  @Test(arguments: ImageRotation.allCases) func missingRowsAreInNoHistogram(rotation: ImageRotation) async throws {
    let whole = Self.squares.baseline()
    let scan = try #require(whole.lastRange(of: [0xFF, 0xDA, 0, 8])).upperBound
    let file = try folder.write(whole.prefix(scan + (whole.count - scan) / 3))
    let gray = 128 * ToneHistogram.barCount / 256
    for view in [ImageView.whole, .zoomed(scale: 65536, centerX: 32768, centerY: 32768)] {
      let answer = await folder.answer(file, rotation: rotation, view: view, columns: 2000, stage: .full)
      let bars = try #require(answer.info.histogram).bars
      #expect(answer.info.isIncomplete)
      // The last row that the file has is gray at its end.
      #expect(bars[gray] < 10 && bars[(gray + 1)...].allSatisfy { $0 == 0 } && bars[gray / 4] > 200, "\(bars)")
    }
    // Nothing of the last rows is there.
    let upright = ImageView.zoomed(scale: 65536, centerX: 32768, centerY: 65536)
    guard rotation == .upright else { return }
    #expect(await folder.answer(file, view: upright, columns: 32, stage: .full).info.histogram == nil)
  }

  /// In other formats they are black, and those of a bitmap are above the others.
  @Test func missingRowsOfABitmapAreInNoHistogram() async throws {
    let data = (0..<64 * 64 * 3).map { (index: Int) -> UInt8 in UInt8(100 + index * 7919 / 8 % 100) }
    let bitmap = SampleImage.bmp(header: SampleImage.bmpHeader(64, 64, depth: 24, compression: 0), data: data)
    let file = try folder.write(bitmap.prefix(bitmap.count / 2))
    let answer = await folder.answer(file, columns: 64, stage: .full)
    let histogram = try #require(answer.info.histogram)
    #expect(answer.info.isIncomplete && histogram.bars[0] < 10 && histogram.bars[14] > 100)
    #expect(!histogram.clipsShadows)
  }

  /// A preview is complete, but the user should know that the image is not.
  @Test func thePreviewOfAnIncompleteImageSaysSo() async throws {
    let thumbnail = SquareJPEG(columns: 4, rows: 240, shades: Array(repeating: 99, count: 960)).baseline()
    let whole = Self.squares.baseline(segments: [SquareJPEG.exif(thumbnail: thumbnail)])
    for (bytes, isIncomplete) in [(whole, false), (Array(whole.dropLast(whole.count / 4)), true)] {
      let answer = await folder.answer(try folder.write(bytes), columns: 100, stage: .preview)
      #expect(try DecodedImage(answer)[1, 1] == 0x636363)
      #expect(answer.info.isIncomplete == isIncomplete)
    }
  }

  /// All programs share the thumbnails, so an incomplete image gets none.
  @Test func noThumbnailIsKeptOfAnIncompleteImage() async throws {
    let cache = folder.path.printable + "/cache"
    folder.queue = RenditionQueue(workerPath: try ImageFolder.workerPath(cache: cache), workerCount: 1)
    let whole = SquareJPEG(columns: 80, rows: 80, shades: Array(repeating: 99, count: 6400)).baseline()
    let files = [try folder.write(whole.prefix(whole.count * 3 / 4), as: "cut"), try folder.write(whole, as: "whole")]
    for file in files { #expect(try DecodedImage(await folder.answer(file, stage: .full)).pixels.width == 640) }
    // The thumbnails are made in the order of the images, and a file has its name when it is complete.
    func kept() -> [String] {
      let names = try? FileManager.default.contentsOfDirectory(atPath: cache + "/thumbnails/large")
      return (names ?? []).filter { $0.hasSuffix(".png") }
    }
    #expect(await eventually { !kept().isEmpty })
    #expect(kept().count == 1)
  }
}
