import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// Renditions for a slow line: within their budget, as fine as it allows, and of the same size on the screen.
@MainActor
@Suite(.serialized, .limited) struct BudgetTests {
  private let queue = RenditionQueue(workerPath: ImageLoaderTests.workerPath, workerCount: 1)

  private func answer(
    _ format: OutputFormat, of photo: String = TestPhotos.path("chelsea.jpg"), budget: Int, exactBudget: Int? = nil
  ) async -> ImageAnswer {
    await queue.render(
      .show(
        FilePath(photo), 40, 20, cell: (10, 20), format, background: 0x102030, .full,
        budget: budget > 0 ? RenditionBudget(bytes: budget, exactBytes: exactBudget) : nil, number: 4711))
  }

  private func byteCount(_ content: ImageAnswer.Content) -> Int? {
    switch content {
    case .graphic(let image): image.bytes.count
    case .cells(let image):
      image.cells.indices.reduce(0) { sum, index in
        let (cell, last) = (image.cells[index], image.cells[max(0, index - 1)])
        return sum + 3 + (cell.foreground == last.foreground ? 0 : 17) + (cell.background == last.background ? 0 : 17)
      }
    case .noPreview, .appraisal, .exported, .listing, .transfer, .failure: nil
    }
  }

  nonisolated private static let placed = KittyTransfer(hasPlaceholders: false, isLocal: false, isPassedThrough: false)
  nonisolated private static let placeholders = KittyTransfer(
    hasPlaceholders: true, isLocal: false, isPassedThrough: false)

  @Test(arguments: [
    OutputFormat.kitty(placed), .kitty(placeholders), .sixel(colors: 256), .iterm, .symbols(.truecolor, .blocks),
  ])
  func renditionsKeepTheirBudget(format: OutputFormat) async throws {
    let exact = await answer(format, budget: 10_000_000)
    let most = try #require(byteCount(exact.content))
    #expect(exact.info.isSharp)
    var (last, distinct) = (most, 0)
    for budget in [most - 1, most / 2, most / 4] {
      let coarse = await answer(format, budget: budget)
      let count = try #require(byteCount(coarse.content))
      #expect(count <= budget && count <= last && !coarse.info.isSharp, "\(count) of \(budget)")
      distinct += count < last ? 1 : 0
      last = count
      #expect(cells(of: coarse) == cells(of: exact))
    }
    #expect(distinct > 1)
    // Not even the coarsest one keeps such a budget, and it is the answer.
    let coarsest = await answer(format, budget: 1)
    #expect(try #require(byteCount(coarsest.content)) < most / 4)
  }

  /// The first guess may be far off, for a photo with few details or many.
  @Test(arguments: [OutputFormat.kitty(placed), .sixel(colors: 256), .iterm, .symbols(.truecolor, .blocks)])
  func mostOfTheBudgetIsUsed(format: OutputFormat) async throws {
    let most = try #require(byteCount(await answer(format, budget: 10_000_000).content))
    var last = 0
    for budget in [most / 12, most / 8, most / 5, most / 3, most / 2] {
      let count = try #require(byteCount(await answer(format, budget: budget).content))
      // No two reductions lie further apart.
      #expect(count >= last && count * 5 >= budget * 2, "\(count) of \(budget)")
      last = count
    }
  }

  @Test(arguments: [OutputFormat.kitty(placed), .sixel(colors: 256), .iterm])
  func nothingIsLeftOutOfADrawingThatPacksWell(format: OutputFormat) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: file) }
    let rgb = (0..<400 * 400).flatMap { $0 % 400 < 200 ? [200, 30, 30] : [20, 20, 90] as [UInt8] }
    try Data(SampleImage.png(400, 400, rgb: rgb)).write(to: file)
    let exact = try #require(byteCount(await answer(format, of: file.path, budget: 10_000_000).content))
    let answer = await answer(format, of: file.path, budget: 4 * exact)
    #expect(answer.info.isSharp && byteCount(answer.content) == exact)
  }

  @Test(arguments: [OutputFormat.kitty(placed), .sixel(colors: 256), .iterm])
  func anExactImageMayTakeMoreThanACoarseOne(format: OutputFormat) async throws {
    let most = try #require(byteCount(await answer(format, budget: 10_000_000).content))
    let exact = await answer(format, budget: most * 2 / 3, exactBudget: most)
    #expect(exact.info.isSharp && byteCount(exact.content) == most)
    let coarse = await answer(format, budget: most * 2 / 3, exactBudget: most - 1)
    #expect(!coarse.info.isSharp && byteCount(coarse.content).map { $0 <= most * 2 / 3 } == true)
  }

  @Test(arguments: [OutputFormat.symbols(.palette256, .blocks), .symbols(.truecolor, .ascii)])
  func charactersThatCannotBeCoarserAreExactAtOnce(format: OutputFormat) async throws {
    let answer = await answer(format, budget: 1)
    #expect(answer.info.isSharp)
    #expect(answer.content == (await self.answer(format, budget: 0)).content)
  }

  private func cells(of answer: ImageAnswer) -> [Int] {
    switch answer.content {
    case .graphic(let image): [image.columns, image.rows]
    case .cells(let image): [image.columns, image.rows]
    case .noPreview, .appraisal, .exported, .listing, .transfer, .failure: []
    }
  }

  @Test func kittysImageWithinABudgetIsAnExactPNG() async throws {
    guard case .graphic(let plain) = await answer(.kitty(Self.placeholders), budget: 0).content,
      case .graphic(let image) = await answer(.kitty(Self.placeholders), budget: 10_000_000).content
    else { throw CancellationError() }
    #expect(image.bytes.count < plain.bytes.count)
    let pixels = try KittyDecoder.pixels(of: try KittyDecoder.commands(in: plain.bytes, isPassedThrough: false))
    let commands = try KittyDecoder.commands(in: image.bytes, isPassedThrough: false)
    #expect(commands.first?.keys["f"] == "100")
    let file = try #require(Data(base64Encoded: Data(commands.flatMap(\.payload))))
    let folder = try ImageFolder()
    #expect(try await folder.image(file).pixels.rgb == pixels.rgb)
  }

  /// kitty stretches a placed image over its cells, and enlarges one behind placeholders until it fits them. In both cases
  /// the coarse image covers the pixels that the sharp one covers, so that nothing moves when that comes.
  @Test(arguments: [placed, placeholders], [(90, 60), (397, 223), (301, 390), (333, 101), (400, 399)])
  func aCoarseImageCoversTheSamePixels(transfer: KittyTransfer, size: (Int, Int)) async throws {
    let folder = try ImageFolder()
    var data = Array("P6 \(size.0) \(size.1) 255\n".utf8)
    var random: UInt32 = 1
    for _ in 0..<size.0 * size.1 * 3 {
      random = random &* 1_664_525 &+ 1_013_904_223
      data.append(UInt8(128 + random >> 25))
    }
    let file = try folder.write(data, as: "noise.ppm")
    for budget in [size.0 * size.1 / 3, size.0 * size.1 / 12] {
      let answer = await folder.queue.render(
        .show(
          file, 40, 20, cell: (10, 20), .kitty(transfer), .full,
          budget: budget > 0 ? RenditionBudget(bytes: budget) : nil, number: 4711))
      guard case .graphic(let image) = answer.content else { throw CancellationError() }
      #expect(image.isEnlarged && image.width < size.0)
      let commands = try KittyDecoder.commands(in: image.bytes, isPassedThrough: false)
      let decoded = try await folder.image(try #require(Data(base64Encoded: Data(commands.flatMap(\.payload)))))
      let (across, down) = (Double(image.columns * 10), Double(image.rows * 20))
      let (width, height) = coverage(of: decoded)
      if transfer.hasPlaceholders {
        let scale = min(across / width, down / height)
        let wanted = min(across / Double(size.0), down / Double(size.1))
        #expect(abs(width * scale - Double(size.0) * wanted) <= max(1, scale / 4))
        #expect(abs(height * scale - Double(size.1) * wanted) <= max(1, scale / 4))
      } else {
        let (scaleX, scaleY) = (across / Double(image.width), down / Double(image.height))
        #expect(abs(width * scaleX - Double(size.0)) < scaleX / 4)
        #expect(abs(height * scaleY - Double(size.1)) < scaleY / 4)
      }
    }
  }

  /// The width and the height of a bright image on black, in pixels of which the last may be covered in part.
  private func coverage(of image: DecodedImage) -> (width: Double, height: Double) {
    func covered(_ lines: [[Int]]) -> Double {
      let means = lines.map { Double($0.reduce(0) { $0 + ($1 >> 8 & 0xFF) }) / Double($0.count) }
      let bright = means.prefix(lines.count / 2).reduce(0, +) / Double(lines.count / 2)
      return means.reduce(0) { $0 + ($1 / bright > 0.9 ? 1 : $1 / bright) }
    }
    let rows = image.rows
    return (covered(rows[0].indices.map { column in rows.map { $0[column] } }), covered(rows))
  }

  /// The terminal stretches a placed image over whole cells, so that has to fill them in the same proportions.
  @Test func aCoarsePlacedImageFillsItsCells() async throws {
    guard case .graphic(let exact) = await answer(.kitty(Self.placed), budget: 0).content,
      case .graphic(let coarse) = await answer(.kitty(Self.placed), budget: 20_000).content
    else { throw CancellationError() }
    #expect(coarse.isEnlarged && !exact.isEnlarged)
    let wanted = Double(coarse.columns * 10) / Double(coarse.rows * 20)
    #expect(abs(Double(coarse.width) / Double(coarse.height) / wanted - 1) < 0.03)
  }

  @Test(arguments: [(12_000, 15.0), (3_000, 25), (1, 30)])
  func coarseSixelsFillTheSamePixels(budget: Int, most: Double) async throws {
    guard case .graphic(let exact) = await answer(.sixel(colors: 256), budget: 0).content,
      case .graphic(let coarse) = await answer(.sixel(colors: 256), budget: budget).content
    else { throw CancellationError() }
    let (one, other) = (try SixelDecoder.decode(exact.bytes), try SixelDecoder.decode(coarse.bytes))
    #expect((one.width, one.height) == (other.width, other.height))
    #expect(!other.pixels.contains(nil))
    var error = 0
    for (pixel, like) in zip(one.pixels, other.pixels) {
      error += zip(try #require(pixel), try #require(like)).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    }
    let mean = Double(error) / Double(one.pixels.count * 3)
    #expect(mean < most, "the mean error is \(mean)")
  }

  @Test func coarseCellsHaveTheColorsOfThePhoto() async throws {
    guard case .cells(let exact) = await answer(.symbols(.truecolor, .blocks), budget: 0).content,
      case .cells(let coarse) = await answer(.symbols(.truecolor, .blocks), budget: 1).content
    else { throw CancellationError() }
    #expect(coarse.cells.allSatisfy { $0.scalar == 0x20 && $0.foreground == CellImage.Cell.none })
    var error = 0
    for (cell, like) in zip(exact.cells, coarse.cells) {
      for shift in [16, 8, 0] {
        let mean = (Int(cell.foreground >> shift & 0xFF) + Int(cell.background >> shift & 0xFF)) / 2
        error += abs(mean - Int(like.background >> shift & 0xFF))
      }
    }
    let mean = Double(error) / Double(exact.cells.count * 3)
    #expect(mean < 23, "the mean error is \(mean)")
  }
}
