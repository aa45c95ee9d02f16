import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// Renditions of the part that the user has zoomed in on.
@MainActor
@Suite(.serialized, .limited) struct ZoomedPartTests {
  private let folder: ImageFolder
  nonisolated private static let placed = OutputFormat.kitty(
    KittyTransfer(hasPlaceholders: false, isLocal: false, isPassedThrough: false))

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

  private func answer(_ file: FilePath, _ format: OutputFormat, _ view: ImageView, budget: Int) async -> ImageAnswer {
    await folder.queue.render(
      .show(
        file, 30, 10, cell: (10, 20), format, as: ImagePresentation(view: view), .full,
        budget: budget > 0 ? RenditionBudget(bytes: budget) : nil, number: 4711))
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
    _ = await folder.answer(file, .thumbnail)
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

  /// A part of a JPEG is decoded without most of the rest. In the gallery, it may be decoded from what is kept of the last part.
  @Test(arguments: [ImageRotation.upright, .clockwise90, .clockwise180, .clockwise270])
  func partsHaveThePixelsOfTheImage(rotation: ImageRotation) async throws {
    let file = FilePath(TestPhotos.path("coffee.jpg"))
    let whole = try DecodedImage(await folder.answer(file, rotation: rotation, columns: 1000))
    let (width, height) = (whole.pixels.width, whole.pixels.height)
    #expect(Set([width, height]) == [600, 400])
    // The steps of a user who moves the part, which leave what is kept, and a return.
    for (x, y) in [(0.5, 0.5), (0.55, 0.5), (0.6, 0.6), (0.99, 0.99), (0.3, 0.9), (0.31, 0.9), (0, 0), (0.5, 0.5)] {
      let view = ImageView.zoomed(scale: 65_536, centerX: Int(x * 65_535), centerY: Int(y * 65_535))
      for stage in [RenditionStage.full, .once] {
        let part = try DecodedImage(
          await folder.answer(file, rotation: rotation, view: view, columns: 90, rows: 60, stage: stage))
        let left = min(max(0, Int(x * 65_535) * width / 65_536 - 45), width - 90)
        let top = min(max(0, Int(y * 65_535) * height / 65_536 - 30), height - 60)
        let expected = whole.rows[top..<top + 60].map { Array($0[left..<left + 90]) }
        #expect(part.rows == expected, "at \(x), \(y), \(stage)")
        #expect((part.info.width, part.info.height, part.info.scale) == (width, height, 65_536))
        #expect((part.info.sharpness != nil) == (stage == .full))
      }
    }
  }

  /// What is kept of a file is not shown of the file that replaces it.
  @Test func aChangedFileIsDecodedAgain() async throws {
    let view = ImageView.zoomed(scale: 65_536, centerX: 32_768, centerY: 32_768)
    func part(_ name: String) async throws -> [[Int]] {
      let file = try folder.write(Data(contentsOf: URL(filePath: TestPhotos.path(name))), as: "photo.jpg")
      return try DecodedImage(await folder.answer(file, view: view, columns: 60, rows: 40, stage: .full)).rows
    }
    let first = try await part("coffee.jpg")
    #expect(try await part("rocket.jpg") != first)
    #expect(try await part("coffee.jpg") == first)
  }

  /// A zoom shows larger pixels of the same part, and each format marks it.
  @Test(arguments: [ImageOverlay.peaking, .clipping])
  func overlaysMarkWhatIsShown(overlay: ImageOverlay) async throws {
    let file = FilePath(TestPhotos.path("coffee.jpg"))
    for (number, view) in [ImageView.whole, .zoomed(scale: 65_536, centerX: 32_768, centerY: 32_768)].enumerated() {
      func image(_ overlay: ImageOverlay) async throws -> DecodedImage {
        try DecodedImage(
          await folder.queue.render(
            .show(
              file, 300, 200, cell: (1, 1), Self.placed, as: ImagePresentation(view: view, overlay: overlay), .full,
              number: UInt32(number + 1))))
      }
      let (plain, marked) = (try await image(.none), try await image(overlay))
      #expect(plain.rows != marked.rows && plain.pixels.width == marked.pixels.width)
      // The sharpness is that of the photo.
      #expect(plain.info.sharpness == marked.info.sharpness)
    }
  }

  private func image(_ presentation: ImagePresentation) async throws -> DecodedImage {
    let file = FilePath(TestPhotos.path("coffee.jpg"))
    return try DecodedImage(
      await folder.queue.render(.show(file, 300, 200, cell: (1, 1), Self.placed, as: presentation, .full)))
  }

  private static func channels(_ color: Int) -> [Int] { [color >> 16 & 255, color >> 8 & 255, color & 255] }

  /// A third of a stop is a factor of 1.26 in light, whose exponent is 2.4 in sRGB.
  @Test func tonesChangeWhatIsShownAndNotWhatIsMeasured() async throws {
    let view = ImageView.zoomed(scale: 65_536, centerX: 32_768, centerY: 32_768)
    let plain = try await image(ImagePresentation(view: view))
    let pixels = plain.rows.joined().map(Self.channels)
    func toned(_ tone: ImageTone, _ overlay: ImageOverlay = .none) async throws -> [[Int]] {
      let image = try await image(ImagePresentation(view: view, overlay: overlay, tone: tone))
      #expect(image.info.histogram == plain.info.histogram && image.info.pixel == plain.info.pixel)
      return image.rows.joined().map(Self.channels)
    }
    let brighter = try await toned(ImageTone(brightness: 1))
    for (old, new) in zip(pixels.joined(), brighter.joined()) where (60...220).contains(old) {
      let expected = Double(old) * 1.101
      #expect(abs(Double(new) - expected) < 4, "\(old) became \(new)")
    }
    let steeper = try await toned(ImageTone(contrast: 1))
    for (old, new) in zip(pixels.joined(), steeper.joined()) where (30...225).contains(old) {
      let expected: Double = (Double(old) - 127.5) * 8 / 7 + 127.5
      #expect(abs(Double(new) - expected) < 1.5, "\(old) became \(new)")
    }
    let gray = try await toned(ImageTone(isGray: true))
    for (old, new) in zip(pixels, gray) {
      let weighted: [Double] = zip(old, [0.2126, 0.7152, 0.0722]).map { Double($0) * $1 }
      let luma = weighted.reduce(0, +)
      #expect(Set(new).count == 1)
      #expect(abs(Double(new[0]) - luma) < 1.5)
    }
    #expect(try await toned(ImageTone(brightness: 6), .clipping) == toned(.unchanged, .clipping))
  }

  @Test func thePixelInTheMiddleIsNamed() async throws {
    let scale = 12 * 65_536
    let plain = try await image(ImagePresentation(view: .zoomed(scale: scale, centerX: 32_768, centerY: 32_768)))
    let pixel = try #require(plain.info.pixel)
    // The photo has 600 by 400 pixels.
    #expect((pixel.x, pixel.y) == (300, 200))
    #expect(plain.rows.joined().contains(Int(pixel.color)))
    let next = try await image(
      ImagePresentation(
        view: .zoomed(scale: scale, centerX: 32_768 + 65_536 / 600 + 1, centerY: 32_768), overlay: .pixel))
    #expect(next.info.pixel?.x == 301 && next.info.pixel?.y == 200)
    #expect(try await image(ImagePresentation()).info.pixel == nil)
  }

  @Test func appraisalsAreOfTheUprightImage() async throws {
    let file = FilePath(TestPhotos.path("coffee.jpg"))
    let answer = await folder.answer(file, .appraise(.sharpness))
    guard case .appraisal(let appraisal) = answer.content else {
      Issue.record("\(answer.content)")
      return
    }
    #expect(appraisal.sharpness.count == ImageAppraisal.side * ImageAppraisal.side)
    guard case .appraisal(let hash) = await folder.answer(file, .appraise(.hash)).content else {
      Issue.record("there is no hash")
      return
    }
    #expect(hash.sharpness.isEmpty && hash.distance(to: appraisal) < 8)
    guard case .appraisal(let cells) = await folder.answer(file, .appraise(.cells)).content else {
      Issue.record("there are no cells")
      return
    }
    #expect(hash.cells.isEmpty && cells.sharpness.isEmpty)
    let shapes = try #require(ImageShapes(cells))
    #expect(try shapes.isDuplicate(of: #require(ImageShapes(appraisal)), after: ImageTurn.all[0]))
    let broken = try folder.write(Array("no image".utf8))
    for detail in ImageAppraisal.Detail.allCases {
      #expect(await folder.answer(broken, .appraise(detail)).content == .failure(.unknownFormat))
    }
  }
}
