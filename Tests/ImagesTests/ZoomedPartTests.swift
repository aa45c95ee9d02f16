import Foundation
import Gallery
import ImageWire
import Testing

@testable import Images

/// Renditions of the part that the user has zoomed in on.
@MainActor
@Suite(.serialized) struct ZoomedPartTests {
  private let folder: ImageFolder
  nonisolated private static let placed = OutputFormat.kitty(
    KittyTransfer(hasPlaceholders: false, isLocal: false, isInTmux: false))

  init() throws { folder = try ImageFolder() }

  /// Writes a part of an endless image of noise, or of slow changes.
  private func write(_ name: String, x: Int, y: Int, width: Int, height: Int, isNoise: Bool = true) throws -> FilePath {
    var data = Array("P6 \(width) \(height) 255\n".utf8)
    for y in y..<y + height {
      for x in x..<x + width {
        let noise = UInt32(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663) &* 2_654_435_761
        data +=
          isNoise ? (1...3).map { UInt8(truncatingIfNeeded: noise >> (7 * $0)) } : [x / 8, y / 8, 90].map(UInt8.init)
      }
    }
    return try folder.write(data, as: name)
  }

  private func answer(_ file: FilePath, _ format: OutputFormat, _ view: ImageView, budget: Int) async -> RenditionAnswer
  {
    await folder.queue.render(
      RenditionRequest(
        number: 4711, path: file, columns: 30, rows: 10, cellWidth: 10, cellHeight: 20, view: view, format: format,
        background: 0, budget: budget))
  }

  /// At 100 %, a photo takes as many bytes as one that is no larger than the window.
  @Test(arguments: [placed, .sixel(colors: 256), .iterm, .symbols(.truecolor, .blocks)], [0, 10_000_000])
  func onlyTheVisiblePartIsSent(format: OutputFormat, budget: Int) async throws {
    let photo = try write("photo.ppm", x: 0, y: 0, width: 1300, height: 900)
    let part = try write("part.ppm", x: 500, y: 350, width: 300, height: 200)
    let view = ImageView.zoomed(scale: 65_536, centerX: 32_768, centerY: 32_768)
    let zoomed = await answer(photo, format, view, budget: budget)
    let small = await answer(part, format, view, budget: budget)
    #expect(zoomed.content == small.content)
    if case .graphic(let image) = zoomed.content { #expect((image.width, image.height) == (300, 200)) }
    #expect((zoomed.info.width, zoomed.info.height) == (1300, 900))
  }

  @Test func thePreviewOfAPartShowsThatPart() async throws {
    let file = try write("photo.ppm", x: 0, y: 0, width: 1600, height: 1200, isNoise: false)
    let view = ImageView.zoomed(scale: 131_072, centerX: 52_429, centerY: 16_384)
    #expect(await folder.answer(file, view: view, columns: 400, stage: .preview).content == .noPreview)
    _ = await folder.answer(file, columns: 256, stage: .thumbnail)
    let answer = await folder.answer(file, view: view, columns: 400, stage: .preview)
    #expect(!answer.info.isSharp && (answer.info.width, answer.info.height) == (1600, 1200))
    let (preview, exact) = (
      try DecodedImage(answer), try DecodedImage(await folder.answer(file, view: view, columns: 400))
    )
    #expect((preview.pixels.width, preview.pixels.height) == (exact.pixels.width, exact.pixels.height))
    let errors = zip(preview.pixels.rgb, exact.pixels.rgb).map { abs(Int($0) - Int($1)) }
    #expect((errors.max() ?? 255) < 6)
    // What is not sharp enough is not rendered ahead.
    #expect(await folder.answer(file, view: view, columns: 400, stage: .ahead).info.isSharp)
  }
}
