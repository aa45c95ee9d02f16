import Foundation
import Gallery
import ImageWire
import Resources
import TestLimit
import TestPhotos
import Testing

@testable import Images

@MainActor
@Suite(.serialized, .limited) struct ImageLoaderTests {
  static let photos = TestPhotos.folder
  /// The worker that was built with the tests. It keeps thumbnails in a folder of this process, so that no test writes to the
  /// user's or depends on them.
  static let workerPath: String = {
    // Once in the process: other threads may read the environment.
    setenv("XDG_CACHE_HOME", FileManager.default.temporaryDirectory.appending(path: "tintype-\(getpid())").path, 1)
    return built("tintype-pictures")
  }()

  /// The gallery's executable, which also reads metadata.
  static let readerPath = built("tintype")

  /// A worker that attacks the gallery.
  static let hostileWorkerPath = built("hostile-worker")

  private static func built(_ name: String) -> String {
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appending(path: name).path
  }

  static let screen = RenditionScreen(
    format: .symbols(.truecolor, .blocks), cellWidth: 10, cellHeight: 20, background: 0x101214)

  let loader: ImageLoader

  init() { loader = ImageLoader(workerPath: Self.workerPath, workerCount: 2) }

  /// Requests a rendition frame after frame, as drawing does, until it is there.
  func rendition(
    _ path: String, columns: Int = 24, rows: Int = 9, fillsBox: Bool = false, with loader: ImageLoader? = nil
  ) async -> ImageLoader.Rendition {
    await Self.rendition(
      of: RenditionSpecification(
        .file(FilePath(path)), columns: columns, rows: rows, as: ImagePresentation(view: fillsBox ? .filling : .whole),
        on: Self.screen),
      with: loader ?? self.loader)
  }

  static func rendition(of specification: RenditionSpecification, with loader: ImageLoader) async
    -> ImageLoader.Rendition
  {
    await loader.sharpRendition(of: specification, within: .max)!
  }

  func cells(_ path: String, columns: Int = 24, rows: Int = 9, fillsBox: Bool = false) async throws
    -> CellImage
  {
    let rendition = await rendition(path, columns: columns, rows: rows, fillsBox: fillsBox)
    guard case .cells(let image) = rendition else { throw Unexpected(rendition: "\(rendition)") }
    return image
  }

  struct Unexpected: Error { let rendition: String }

  @Test(.timeLimit(.minutes(10))) func aChangedFileIsRenderedAgain() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString).jpg").path
    defer { unlink(path) }
    try FileManager.default.copyItem(atPath: TestPhotos.path("chelsea.jpg"), toPath: path)
    guard case .cells(let before) = await rendition(path) else { throw CancellationError() }
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: TestPhotos.path("coffee.jpg"), toPath: path)
    // With the same modification time it would count as the same file.
    try FileManager.default.setAttributes([.modificationDate: Date.now], ofItemAtPath: path)
    guard case .cells(let kept) = await rendition(path) else { throw CancellationError() }
    #expect(kept == before, "the loader has not been told that the file changed")
    let other = RenditionSpecification(
      .file(FilePath(TestPhotos.path("coffee.jpg"))), columns: 24, rows: 9, on: Self.screen)
    _ = await Self.rendition(of: other, with: loader)
    await withCheckedContinuation { continuation in
      loader.onRendition = {
        self.loader.onRendition = {}
        continuation.resume()
      }
      loader.revalidate()
    }
    loader.beginFrame()
    guard case .cells = loader.rendition(of: other).0 else {
      Issue.record("the rendition of an unchanged file was dropped, too")
      return
    }
    guard case .cells(let after) = await rendition(path) else { throw CancellationError() }
    #expect(after != before)
  }

  @Test func anImageFitsItsBoxInProportion() async throws {
    // 1600x1067 pixels on cells of 1:2.
    let image = try await cells(Resources.path("photos/dune-hikers.jpg"), columns: 60, rows: 40)
    #expect((image.columns, image.rows) == (60, 20))
    // 1065x1600 pixels.
    let tall = try await cells(Resources.path("photos/two-friends.jpg"), columns: 60, rows: 15)
    #expect((tall.columns, tall.rows) == (20, 15))
    let filling = try await cells(Resources.path("photos/two-friends.jpg"), columns: 8, rows: 3, fillsBox: true)
    #expect((filling.columns, filling.rows) == (8, 3))
  }

  @Test func renditionsHaveTheColorsOfTheImage() async throws {
    let image = try await cells(Resources.path("photos/fig.jpg"), columns: 8, rows: 3, fillsBox: true)
    let middle = image.cells[8 + 4]
    // The other part may be the shadow in the bowl.
    let isRed = [middle.foreground, middle.background].contains { color in
      let parts = [16, 8, 0].map { Int(color >> $0 & 0xFF) }
      return parts[0] > 140 && parts[1] < 90 && parts[2] < 90
    }
    #expect(isRed, "the bowl is red, and not \(middle)")
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: TestPhotos.corpora), "SKIPPED: no test corpora; set TINTYPE_CORPORA"))
  func photosOfManyCamerasShow() async throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(TestPhotos.corpora)/exif")
    #expect(files.count >= 10)
    // One file is damaged. Its embedded preview is shown instead.
    for file in files { _ = try await cells("\(TestPhotos.corpora)/exif/\(file)") }
  }

  @Test func aFileThatIsNotAnImageFailsWithAReason() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let whole = try Data(contentsOf: URL(filePath: TestPhotos.path("chelsea.jpg")))
    let files: [(String, Data, ImageFault)] = [
      ("text.jpg", Data("hello".utf8), .unknownFormat), ("empty.jpg", Data(), .empty),
      ("cut.jpg", whole.prefix(200), .incomplete),
      ("bomb.ppm", Data("P6 65535 65535 255\n".utf8), .tooLarge(width: 65535, height: 65535)),
    ]
    for (name, data, wanted) in files {
      let path = folder.appending(path: name)
      try data.write(to: path)
      guard case .failed(let fault) = await rendition(path.path) else { throw Unexpected(rendition: name) }
      #expect(fault == wanted, "\(name): \(fault)")
    }
    mkfifo(folder.appending(path: "pipe.jpg").path, 0o600)
    for (name, wanted) in [("pipe.jpg", ImageFault.notAFile), ("none.jpg", .missing)] {
      guard case .failed(let fault) = await rendition(folder.appending(path: name).path) else {
        throw Unexpected(rendition: name)
      }
      #expect(fault == wanted)
    }
  }

  /// The terminal gets images through files in memory. The files of images that are no longer shown are deleted.
  @Test(.timeLimit(.minutes(10))) func anUnreadFileIsDeletedWithItsImage() async throws {
    let loader = ImageLoader(workerPath: Self.workerPath, workerCount: 1, budget: 1)
    var screen = Self.screen
    screen.format = .kitty(KittyTransfer(hasPlaceholders: true, isLocal: true, isPassedThrough: false))
    var files: [String] = []
    for name in ["chelsea", "coffee"] {
      let specification = RenditionSpecification(.file("\(Self.photos)/\(name).jpg"), columns: 12, rows: 4, on: screen)
      guard case .graphic(_, let image) = await Self.rendition(of: specification, with: loader) else {
        throw Unexpected(rendition: name)
      }
      files.append(image.file)
      #expect(access(image.file, F_OK) == 0)
    }
    // The file is deleted off the main actor at some time.
    while access(files[0], F_OK) == 0 { await Task.yield() }
    #expect(access(files[1], F_OK) == 0)
    loader.forgetAll()
    while access(files[1], F_OK) == 0 { await Task.yield() }
  }

  /// The terminal may have received only the rendition before the current one, so another place may show that one.
  @Test func aRenditionThatWasReplacedIsOfferedToOthersUntilNoFrameShowsIt() {
    let loader = ImageLoader(workerPath: Self.workerPath, workerCount: 1)
    var forgotten: [UInt32] = []
    loader.onForget = { forgotten += $0 }
    func specification(columns: Int) -> RenditionSpecification {
      RenditionSpecification(.file("/gone.jpg"), columns: columns, rows: 20, on: Self.screen)
    }
    let (small, large) = (specification(columns: 30), specification(columns: 60))
    for id in [300, 301] as [UInt32] {
      loader.beginFrame()
      _ = loader.rendition(of: small)
      let image = GraphicImage(columns: 30, rows: 10, width: 300, height: 200, bytes: [])
      loader.keep(
        RenditionLadder.Entry(rendition: .graphic(id: id, image), info: ImageInfo(), rung: .exact), for: small)
    }
    for _ in 0..<2 {
      loader.beginFrame()
      _ = loader.rendition(of: large)
      #expect(loader.others(than: large).compactMap { $0.rendition.graphic?.id } == [301, 300])
      loader.endFrame()
    }
    #expect(forgotten == [])
    loader.beginFrame()
    loader.endFrame()
    #expect(forgotten == [300])
  }

  /// A part of an image that is rotated in another way is another part.
  @Test func aRenditionInAnotherRotationIsNotOffered() {
    let loader = ImageLoader(workerPath: Self.workerPath, workerCount: 1)
    let small = RenditionSpecification(.file("/gone.jpg"), columns: 30, rows: 20, on: Self.screen)
    let image = GraphicImage(columns: 30, rows: 10, width: 300, height: 200, bytes: [])
    loader.keep(
      RenditionLadder.Entry(rendition: .graphic(id: 300, image), info: ImageInfo(), rung: .exact), for: small)
    var large = small
    large.columns = 60
    #expect(loader.others(than: large).count == 1)
    large.presentation.rotation = .clockwise90
    #expect(loader.others(than: large).isEmpty)
  }

  /// An image that has scrolled away before its preview came is not decoded in full.
  @Test func imagesThatAreNoLongerRequestedAreNotRendered() async throws {
    let loader = ImageLoader(workerPath: Self.workerPath, workerCount: 1)
    func specification(_ name: String) -> RenditionSpecification {
      RenditionSpecification(.file("\(Self.photos)/\(name).jpg"), columns: 60, rows: 20, on: Self.screen)
    }
    loader.beginFrame()
    _ = loader.rendition(of: specification("rocket"))
    loader.endFrame()
    // The first image leaves the screen while its preview is being made.
    _ = await Self.rendition(of: specification("dahlia"), with: loader)
    loader.beginFrame()
    guard case .loading = loader.rendition(of: specification("rocket")).0 else {
      throw Unexpected(rendition: "it was rendered although no frame requested it")
    }
  }
}

extension CellImage.Cell {
  /// The color of the cell's background, or of its character if that covers it. Each part is from 0 to 255.
  var color: (red: Int, green: Int, blue: Int) {
    let value = scalar == 0x2588 || background == CellImage.Cell.none ? foreground : background
    return (Int(value >> 16 & 0xFF), Int(value >> 8 & 0xFF), Int(value & 0xFF))
  }

  /// Returns the mean difference of the colors' three parts.
  func difference(from other: CellImage.Cell) -> Int {
    let (a, b) = (color, other.color)
    return (abs(a.red - b.red) + abs(a.green - b.green) + abs(a.blue - b.blue)) / 3
  }
}

extension ImageLoader {
  /// Requests a rendition frame after frame until there is a sharp one, or nil if there is none after a number of frames.
  func sharpRendition(of specification: RenditionSpecification, within frames: Int) async -> Rendition? {
    for _ in 0..<frames {
      beginFrame()
      let (known, info) = rendition(of: specification)
      if case .loading = known {} else if info.isSharp { return known }
      await withCheckedContinuation { continuation in
        onRendition = { [unowned self] in
          onRendition = {}
          continuation.resume()
        }
        endFrame()
      }
    }
    return nil
  }
}
