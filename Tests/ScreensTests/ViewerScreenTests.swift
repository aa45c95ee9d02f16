import Foundation
import Gallery
import Photos
import Services
import Terminal
import Testing
import ViewModels

@testable import Screens

/// The viewer and the contact sheet, on a list of photos.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ViewerScreenTests {
  private let host = StubHost()
  private let clock = HeldClock()

  private func load(_ names: [String]) async -> PhotoListViewModel {
    let photos = names.enumerated().map { id, name in
      Photo(
        id: id, name: name, description: "About \(name)", createdAt: Date(timeIntervalSince1970: 0), imageURL: "",
        image: .file("/a.jpg"), isForSale: id == 0, camera: "Camera of \(name)", author: "Ada")
    }
    let viewModel = PhotoListViewModel(
      service: StubPhotos(snapshot: PhotoSnapshot(photos: PhotoTable(photos))), desktop: StubDesktop(),
      exporter: StubExporter())
    viewModel.onLoading = { [host] _ in host.setNeedsDisplay() }
    viewModel.fetch()
    await host.wait { viewModel.state == .loaded }
    return viewModel
  }

  private func open(_ names: String..., at index: Int = 0) async throws -> ViewerScreen {
    let viewModel = await load(names)
    let viewer = try #require(
      ViewerScreen(index, among: { viewModel.rows }, images: host.makeContext().images, clock: clock))
    viewer.onChange = { [host] in host.setNeedsDisplay() }
    return viewer
  }

  private func caption(_ viewer: ViewerScreen) -> String { viewer.drawing().lines.last ?? "" }

  @Test func theCaptionNamesThePhoto() async throws {
    let viewer = try await open("Dune", "Gate", "Whale")
    #expect(caption(viewer).hasPrefix(" Dune  by Ada"))
    #expect(caption(viewer).hasSuffix("For sale  1/3"))
    viewer.perform(.nextPhoto)
    #expect(caption(viewer).hasPrefix(" Gate"))
    #expect(caption(viewer).hasSuffix("Not for sale  2/3"))
  }

  @Test func aNarrowCaptionKeepsNameAndPosition() async throws {
    let viewer = try await open("Dune")
    #expect(viewer.drawing(columns: 24, rows: 8).lines.last == " Dune  by Ada       1/1")
    #expect(viewer.drawing(columns: 20, rows: 8).lines.last == " Dune           1/1")
  }

  @Test func thereIsNoRowBeforeTheFirstOrAfterTheLast() async throws {
    let viewer = try await open("Dune", "Gate")
    var turns: [Int] = []
    viewer.onTurn = { turns.append($0) }
    #expect(viewer.refusal(of: .previousPhoto) == "This is the first photo.")
    viewer.perform(.nextPhoto)
    #expect(viewer.refusal(of: .nextPhoto) == "This is the last photo.")
    viewer.perform(.nextPhoto)
    viewer.perform(.previousPhoto)
    #expect(turns == [1, 0])
    viewer.perform(.moveRight)
    viewer.perform(.moveLeft)
    #expect(viewer.refusal(of: .moveLeft) == "This is the first photo.")
    // The drawing has 60 columns, of which a fifth at each side turns.
    _ = viewer.drawing(columns: 60, rows: 20)
    for column in [11, 12, 47, 48] { viewer.handle(Mouse(.press, column: column, row: 5)) }
    viewer.handle(Mouse(.press, column: 0, row: 19))
    #expect(turns == [1, 0, 1, 0, 1])
  }

  @Test func aRowThatDoesNotExistOpensNoViewer() async throws {
    let viewModel = await load(["Dune"])
    #expect(
      ViewerScreen(1, among: { viewModel.rows }, images: host.makeContext().images, clock: clock) == nil)
  }

  @Test func anImageThatIsNotThereCannotBeZoomed() async throws {
    let viewer = try await open("Dune")
    for command in [Command.zoomIn, .zoomOut, .zoom, .zoomToFill] {
      #expect(viewer.refusal(of: command) == "The image is still loading.", "\(command)")
    }
    for command in [Command.moveUp, .moveDown] {
      #expect(viewer.refusal(of: command) == "The whole image is visible.", "\(command)")
    }
  }

  @Test func theMetadataIsShownUponRequest() async throws {
    let viewer = try await open("Dune")
    #expect(!viewer.drawing().contains("About Dune"))
    viewer.perform(.toggleInfo)
    let drawing = viewer.drawing()
    #expect(drawing.contains("About Dune") && drawing.contains("Camera    Camera of Dune"))
    viewer.perform(.toggleInfo)
    #expect(!viewer.drawing().contains("About Dune"))
  }

  @Test func markingMovesOn() async throws {
    let viewer = try await open("Dune", "Gate")
    viewer.perform(.mark)
    #expect(caption(viewer).hasPrefix(" Gate") && !caption(viewer).contains(CellText("✓ Marked").string))
    viewer.perform(.previousPhoto)
    #expect(caption(viewer).contains(CellText("✓ Marked").string))
  }

  @Test func aSlideshowGoesOnWithTheFirstPhoto() async throws {
    let viewer = try await open("Dune", "Gate")
    viewer.perform(.slideshow)
    #expect(caption(viewer).contains(CellText("▶").string))
    for name in ["Gate", "Dune"] {
      clock.endSleep()
      await host.wait { caption(viewer).hasPrefix(" \(name)") }
    }
    viewer.perform(.slideshow)
    #expect(!caption(viewer).contains(CellText("▶").string))
    #expect(try await open("Dune").refusal(of: .slideshow) == "There is no other photo.")
  }

  @Test func closingTellsTheWindow() async throws {
    let viewer = try await open("Dune")
    var isClosed = false
    viewer.onClose = { isClosed = true }
    viewer.perform(.close)
    #expect(isClosed)
  }

  /// Returns the contact sheet of a list.
  private func sheet(_ viewModel: PhotoListViewModel, columns: Int = 60, resized step: Int = 0) -> Drawing {
    let sheet = ContactSheet(images: host.makeContext().images)
    if step != 0 { sheet.resize(by: step) }
    return Drawing(columns: columns, rows: 20) { sheet.draw(viewModel.rows, highlighted: 0, isDimmed: false, on: $0) }
  }

  @Test func theContactSheetNamesItsPhotosSideBySide() async throws {
    let viewModel = await load(["Dune", "Gate", "Whale"])
    let names = try #require(sheet(viewModel).lines.first { $0.contains("Dune") })
    let starts = ["Dune", "Gate", "Whale"].compactMap { names.range(of: $0)?.lowerBound }
    #expect(starts.count == 3 && starts == starts.sorted())
    #expect(sheet(viewModel, resized: 1).lines.contains { $0.contains("Dune") && !$0.contains("Whale") })
  }

  @Test func theContactSheetShowsMarks() async {
    let viewModel = await load(["Dune", "Gate"])
    viewModel.rows[1].toggleMark()
    let drawing = sheet(viewModel)
    #expect(drawing.contains("✓ Gate") && !drawing.contains("✓ Dune"))
  }

  @Test func theContactSheetTruncatesLongNames() async {
    let drawing = sheet(await load([String(repeating: "long ", count: 20), "Gate"]))
    #expect(drawing.contains("long long long l…  Gate"))
  }
}
