import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// The steps in which the loader requests renditions for a slow line.
@MainActor
@Suite(.serialized, .limited) struct RungTests {
  private let loader: ImageLoader
  /// Copies of photos, so that this suite's thumbnails are not those of other tests.
  private let folder: ImageFolder
  private static let screen = RenditionScreen(
    format: .kitty(KittyTransfer(hasPlaceholders: true, isLocal: false, isPassedThrough: false)), cellWidth: 10,
    cellHeight: 20, background: 0)

  init() throws {
    folder = try ImageFolder()
    // With one worker, renditions come in the order in which they were requested.
    loader = ImageLoader(workerPath: ImageLoaderTests.workerPath, workerCount: 1)
  }

  private func specification(_ name: String) throws -> RenditionSpecification {
    let file = try folder.write(Data(contentsOf: URL(filePath: TestPhotos.path(name))), as: name)
    return RenditionSpecification(.file(file), columns: 40, rows: 20, on: Self.screen)
  }

  private func setLine(isIdle: Bool) {
    loader.budgets = RenditionBudgets(throughput: 50_000, previewTime: 0.2, cells: 800, isLineIdle: isIdle)
  }

  /// Draws frames until a specification has another rendition than the given one.
  private func next(_ specification: RenditionSpecification, after old: UInt32? = nil) async -> (
    id: UInt32, GraphicImage
  )? {
    while true {
      loader.beginFrame()
      if case .graphic(let id, let image) = loader.rendition(of: specification).0, id != old { return (id, image) }
      await withCheckedContinuation { continuation in
        loader.onRendition = {
          loader.onRendition = {}
          continuation.resume()
        }
        loader.endFrame()
      }
    }
  }

  /// Over a slow line, the placeholders of 800 cells take 3.2 kB.
  @Test(.timeLimit(.minutes(5)), arguments: [(true, 4000, true), (true, 10_000, false), (false, 3000, false)])
  func previewsInTmuxAreCharactersIfPlaceholdersTakeLonger(isPassedThrough: Bool, budget: Int, areCharacters: Bool) {
    let transfer = KittyTransfer(hasPlaceholders: true, isLocal: false, isPassedThrough: isPassedThrough)
    let (format, rest) = OutputFormat.kitty(transfer).forPreviews(cells: 800, budget: budget)
    #expect((format.characterColors != nil) == areCharacters)
    #expect(rest == (isPassedThrough && !areCharacters ? budget - 3200 : budget))
    #expect(OutputFormat.sixel(colors: 16).forPreviews(cells: 800, budget: 1) == (.sixel(colors: 16), 1))
  }

  /// An exact image that takes all bytes would come late, because the placeholders take some.
  @Test(.timeLimit(.minutes(5))) func noPreviewTakesTheBytesOfItsPlaceholders() throws {
    setLine(isIdle: true)
    var specification = try specification("coffee.jpg")
    specification.screen.format = .kitty(KittyTransfer(hasPlaceholders: true, isLocal: false, isPassedThrough: true))
    let wish = ImageLoader.Wish(specification: specification, stage: .preview, rung: .preview, isAhead: false)
    let budget = try #require(loader.policy.request(for: wish).budget)
    #expect(budget.bytes == 6800 && budget.exactBytes == 6800)
  }

  @Test(.timeLimit(.minutes(5))) func thePreviewInCharactersStaysUntilTheImageIsThere() async throws {
    loader.budgets = RenditionBudgets(throughput: 20_000, previewTime: 0.1, cells: 800, isLineIdle: true)
    var specification = try specification("coffee.jpg")
    specification.screen.format = .kitty(KittyTransfer(hasPlaceholders: true, isLocal: false, isPassedThrough: true))
    #expect(loader.predecessorInCells(of: specification) == nil)
    _ = try #require(await next(specification))
    let preview = try #require(loader.predecessorInCells(of: specification))
    #expect(preview.columns <= 40 && preview.byteCount < 4000)
  }

  @Test(.timeLimit(.minutes(5))) func anIdleLineGetsOneStepAfterTheOther() async throws {
    setLine(isIdle: true)
    let specification = try specification("coffee.jpg")
    var (id, history): (UInt32?, [GraphicImage]) = (nil, [])
    repeat {
      let (newID, image) = try #require(await next(specification, after: id))
      id = newID
      loader.forgetPredecessor(of: specification)
      history.append(image)
    } while loader.isImproving(specification)
    #expect((2...4).contains(history.count))
    #expect(history.map(\.bytes.count) == history.map(\.bytes.count).sorted())
    // 10, 60, and 250 kB, and then everything.
    #expect(history[0].bytes.count <= 10_000)
    #expect(history[1].bytes.count <= 60_000)
    #expect(history.last.map { !$0.isEnlarged } == true)
  }

  /// A step may take so few bytes that the line stays idle.
  @Test(.timeLimit(.minutes(5))) func eachStepLeadsToAFrame() async throws {
    setLine(isIdle: true)
    let specification = try specification("coffee.jpg")
    var id = try #require(await next(specification)).id
    while loader.isImproving(specification) {
      await confirmation { needsFrame in
        loader.onRendition = { needsFrame() }
        loader.endFrame()
        loader.onRendition = {}
      }
      id = try #require(await next(specification, after: id)).id
    }
  }

  @Test(.timeLimit(.minutes(5))) func aBusyLineGetsNothingBetter() async throws {
    setLine(isIdle: false)
    let (first, other) = (try specification("coffee.jpg"), try specification("rocket.jpg"))
    let (id, _) = try #require(await next(first))
    #expect(loader.isImproving(first))
    // This frame would request the next step, and the worker would take that before the other image.
    loader.beginFrame()
    _ = loader.rendition(of: first)
    loader.endFrame()
    _ = try #require(await next(other))
    guard case .graphic(let now, _) = loader.known(first) else { throw CancellationError() }
    #expect(now == id)
  }

  /// A photo stands for a frame that takes many bytes.
  @Test(.timeLimit(.minutes(5)), arguments: [false, true]) func aFrameIsRefinedOnlyIfTheVideoStands(isPlaying: Bool)
    async throws
  {
    setLine(isIdle: true)
    var specification = try specification("coffee.jpg")
    specification.presentation.frame = 1
    _ = try #require(await next(specification))
    loader.beginFrame()
    loader.isPlaying = isPlaying
    _ = loader.rendition(of: specification)
    #expect(loader.isImproving(specification) == !isPlaying)
    #expect(loader.wanted.isEmpty == isPlaying)
  }

  /// A terminal that stores images can have the next frame before it is due.
  @Test(arguments: [false, true]) func framesOfAVideoAreSentAhead(isStored: Bool) throws {
    var specification = try specification("film.mp4")
    if !isStored { specification.screen.format = .sixel(colors: 256) }
    #expect(!loader.sendsAhead(specification))
    loader.isPlaying = true
    #expect(loader.sendsAhead(specification) == isStored)
    loader.beginFrame()
    #expect(!loader.sendsAhead(specification))
  }

  @Test(.timeLimit(.minutes(5))) func theFineImageIsMadeWhileTheReadableOneIsOnItsWay() async throws {
    setLine(isIdle: true)
    let specification = try specification("coffee.jpg")
    let (preview, _) = try #require(await next(specification))
    let (readable, _) = try #require(await next(specification, after: preview))
    setLine(isIdle: false)
    loader.beginFrame()
    #expect(loader.rendition(of: specification).0.graphic?.id == readable)
    await withCheckedContinuation { continuation in
      loader.onRendition = {
        loader.onRendition = {}
        continuation.resume()
      }
      loader.endFrame()
    }
    loader.beginFrame()
    #expect(loader.rendition(of: specification).0.graphic?.id == readable, "the line is busy")
    loader.endFrame()
    setLine(isIdle: true)
    loader.beginFrame()
    let (fine, _) = try #require(loader.rendition(of: specification).0.graphic)
    #expect(fine != readable)
  }

  @Test(.timeLimit(.minutes(5))) func aLineThatIsNoLongerSlowGetsTheImageItself() async throws {
    setLine(isIdle: false)
    let specification = try specification("coffee.jpg")
    let (preview, _) = try #require(await next(specification))
    #expect(loader.isImproving(specification))
    #expect(loader.standing(specification) { $0 == preview }?.id == preview)
    loader.budgets = nil
    #expect(!loader.isImproving(specification) && loader.standing(specification) { $0 == preview } == nil)
    let rendition = await ImageLoaderTests.rendition(of: specification, with: loader)
    #expect(rendition.graphic?.image.isEnlarged == false && rendition.graphic?.id != preview)
    // The preview is shown until the terminal has the image.
    #expect(loader.predecessors(of: specification).map(\.id) == [preview])
  }
}
