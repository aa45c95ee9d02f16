import Foundation
import Gallery
import ImageWire
import Metadata
import TestLimit
import TestPhotos
import Testing

@testable import Images
@testable import tintype_pictures

/// Parts of images go to the workers that have decoded their surroundings.
@MainActor
@Suite(.serialized, .limited) struct PartWorkerTests {
  private let folder: ImageFolder
  private let loader: ImageLoader
  /// The images of three panes. Two of them share the first worker.
  private let images: [ImageLocation]

  init() throws {
    let folder = try ImageFolder()
    self.folder = folder
    loader = ImageLoader(workerPath: folder.workerPath, workerCount: 2)
    let photo = try Data(contentsOf: URL(filePath: TestPhotos.path("coffee.jpg")))
    images = try (0..<3).map { .file(try folder.write(photo, as: "\($0).jpg")) }
  }

  private func part(_ image: Int, at center: Int) -> RenditionSpecification {
    RenditionSpecification(
      images[image], columns: 12, rows: 4,
      as: ImagePresentation(view: .zoomed(scale: 65_536, centerX: center, centerY: 32_768)), on: ImageLoaderTests.screen
    )
  }

  private func ask(_ specifications: RenditionSpecification...) {
    loader.beginFrame()
    for specification in specifications { _ = loader.rendition(of: specification, skipsPreview: true) }
    loader.endFrame()
  }

  private func isThere(_ specification: RenditionSpecification) -> Bool {
    if case .cells? = loader.known(specification) { true } else { false }
  }

  /// Shows all images, and returns the process of the first worker, which has the first and the last of them.
  private func showAll() async throws -> pid_t {
    try #require(await eventually { ImageFolder.processes(running: folder.workerPath).count == 1 })
    let first = ImageFolder.processes(running: folder.workerPath)[0]
    for image in images.indices {
      ask(part(image, at: 32_768))
      try #require(await eventually { isThere(part(image, at: 32_768)) })
    }
    try #require(images.map { loader.partWorkers[$0] } == [0, 1, 0])
    return first
  }

  @Test(.timeLimit(.minutes(5))) func aPartLeavesAWorkerThatHangs() async throws {
    let first = try await showAll()
    kill(first, SIGSTOP)
    defer { kill(first, SIGCONT) }
    ask(part(0, at: 33_000), part(2, at: 33_000))
    #expect(await eventually { isThere(part(2, at: 33_000)) })
    #expect(images.map { loader.partWorkers[$0] } == [0, 1, 1])
    // The next part goes there at once.
    loader.partPatience = .seconds(1000)
    ask(part(0, at: 33_000), part(2, at: 34_000))
    #expect(await eventually { isThere(part(2, at: 34_000)) })
    #expect(!isThere(part(0, at: 33_000)))
  }

  @Test(.timeLimit(.minutes(5))) func aPartWaitsForItsWorkerForAShortTime() async throws {
    let first = try await showAll()
    loader.partPatience = .seconds(1000)
    kill(first, SIGSTOP)
    defer { kill(first, SIGCONT) }
    ask(part(0, at: 33_000), part(1, at: 33_000), part(2, at: 33_000))
    #expect(await eventually { isThere(part(1, at: 33_000)) })
    #expect(!isThere(part(2, at: 33_000)))
    kill(first, SIGCONT)
    #expect(await eventually { isThere(part(2, at: 33_000)) })
    #expect(images.map { loader.partWorkers[$0] } == [0, 1, 0])
  }

  /// The surroundings of an image are decoded once, however long that takes.
  @Test(.timeLimit(.minutes(5))) func aPartWaitsForAnotherPartOfItsImage() async throws {
    let first = try await showAll()
    loader.partPatience = .zero
    kill(first, SIGSTOP)
    defer { kill(first, SIGCONT) }
    ask(part(0, at: 33_000), part(0, at: 34_000), part(1, at: 33_000))
    #expect(await eventually { isThere(part(1, at: 33_000)) })
    #expect(loader.partWorkers[images[0]] == 0 && !isThere(part(0, at: 34_000)))
    kill(first, SIGCONT)
    #expect(await eventually { isThere(part(0, at: 34_000)) })
    #expect(loader.partWorkers[images[0]] == 0)
  }

  /// A worker writes its arguments to a file. A megapixel takes 4 MB.
  @Test(arguments: [1, 2, 3, 4, 16]) func allWorkersTogetherKeepLittle(workerCount: Int) async throws {
    let script = try folder.writeScript("echo \"$@\" > \"$0.new\"\nmv \"$0.new\" \"$0.arguments\"", as: "arguments")
    let loader = ImageLoader(workerPath: script.printable, workerCount: workerCount)
    func words() -> [Substring] {
      let text = try? String(contentsOfFile: script.printable + ".arguments", encoding: .utf8)
      return text?.split(whereSeparator: \.isWhitespace) ?? []
    }
    try #require(await eventually { words().count == 2 })
    #expect(words()[0] == "--regions")
    let megapixels = try #require(Int(words()[1]))
    #expect(megapixels >= (workerCount < 3 ? 8 : 2) && megapixels * min(workerCount, 4) <= 24)
    withExtendedLifetime(loader) {}
  }

  @Test(.timeLimit(.minutes(5))) func fourWorkersRenderParts() async throws {
    let loader = ImageLoader(workerPath: folder.workerPath, workerCount: 6)
    let photo = try Data(contentsOf: URL(filePath: TestPhotos.path("coffee.jpg")))
    for number in 0..<8 {
      var specification = part(0, at: 32_768)
      specification.image = .file(try folder.write(photo, as: "\(number).jpg"))
      _ = await ImageLoaderTests.rendition(of: specification, with: loader)
    }
    #expect(loader.partWorkers.values.sorted() == [0, 0, 1, 1, 2, 2, 3, 3])
  }

  @Test func theSurroundingsThatAWorkerKeepsAreLimited() async throws {
    var regions = RegionCache(mostPixels: 50_000)
    for name in ["coffee.jpg", "chelsea.jpg", "rocket.jpg"] {
      let path = FilePath(TestPhotos.path(name))
      var specification = RenditionSpecification(pixelsOf: .file(path), side: 60)
      specification.presentation.view = .zoomed(scale: 65_536, centerX: 32_768, centerY: 32_768)
      let descriptor = open(path.printable, O_RDONLY)
      defer { close(descriptor) }
      let file = try ImageFile(path: path, descriptor: descriptor)
      #expect(try regions.part(of: file, specification, ImageDecoder()) != nil)
      #expect((1...50_000).contains(regions.pixelCount))
    }
  }
}
