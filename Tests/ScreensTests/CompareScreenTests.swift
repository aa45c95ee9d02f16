import Foundation
import Gallery
import ImageWire
import Photos
import Services
import Terminal
import TestLimit
import Testing
import ViewModels

@testable import Screens

/// Photos side by side, with images of a known size.
@MainActor @Suite(.timeLimit(.minutes(5)), .limited) final class CompareScreenTests {
  private let host = StubHost()
  /// The view model, which a comparison does not keep.
  private var choosing: PhotoChoosingViewModel?

  private func load(_ count: Int, isFolder: Bool) async -> PhotoChoosingViewModel {
    let photos = (0..<count).map { id in
      var metadata = PhotoMetadata()
      metadata.focus = id == 0 ? FocusPoint(x: 16384, y: 32768) : nil
      return Photo(
        id: id, name: "\(id).jpg", createdAt: Date(timeIntervalSince1970: 0), imageURL: "\(id).jpg",
        image: .file(FilePath("/\(id).jpg")), metadata: metadata)
    }
    var snapshot = PhotoSnapshot(photos: PhotoTable(photos))
    if isFolder { snapshot.capabilities = .folder }
    let viewModel = PhotoListViewModel(service: StubPhotos(snapshot: snapshot))
    let choosing = PhotoChoosingViewModel(
      list: viewModel, decisions: StubDecisions(), desktop: StubDesktop(), exporter: StubExporter())
    viewModel.onProgress = { [host] in host.setNeedsDisplay() }
    viewModel.fetch()
    await host.wait { viewModel.rows.count == count }
    return choosing
  }

  private func open(
    _ count: Int, isFolder: Bool = true, images: OutputChoice = .symbols
  ) async throws -> CompareScreen {
    let choosing = await load(count, isFolder: isFolder)
    self.choosing = choosing
    let screen = CompareScreen(
      try #require(choosing.comparison(orRow: 0)), images: host.makeContext(images: images).images)
    screen.onOpen = { [host] in host.open($0) }
    screen.onNote = { [host] in host.note($0) }
    screen.onClose = { [host] in host.note("closed") }
    _ = screen.drawing()
    for id in screen.panes.keys { screen.panes[id]?.image.update(ImageInfo(width: 40_000, height: 20_000)) }
    return screen
  }

  private func views(_ screen: CompareScreen) -> [ImageView?] {
    screen.comparison.panes.map { screen.panes[$0]?.image.presentation.view }
  }

  private func status(_ screen: CompareScreen) -> String { screen.drawing(columns: 100).lines.last ?? "" }

  @Test func photosAreEnlargedAndMovedTogether() async throws {
    let screen = try await open(4)
    // The focus is known of the first photo.
    func zoomed(_ scale: Int, _ x: Int, _ y: Int) -> ImageView { .zoomed(scale: scale, centerX: x, centerY: y) }
    #expect(views(screen) == [zoomed(65536, 16384, 32768), zoomed(65536, 16384, 32768)])
    screen.perform(.zoomIn)
    #expect(views(screen) == [zoomed(98304, 16384, 32768), zoomed(98304, 16384, 32768)])
    screen.handle(Mouse(.wheelUp, column: 1, row: 1))
    screen.perform(.zoomOut)
    screen.handle(Mouse(.wheelDown, column: 1, row: 1))
    let before = views(screen)
    screen.perform(.moveRight)
    let moved = views(screen)
    #expect(moved[0] == moved[1] && moved != before)
    screen.perform(.unlink)
    #expect(host.notes == ["Each photo moves alone."] && status(screen).contains("Unlinked"))
    screen.perform(.moveDown)
    #expect(views(screen)[1] == moved[1] && views(screen)[0] != moved[0])
    screen.perform(.goToFocus)
    #expect(views(screen) == [before[0], moved[1]])
    screen.perform(.zoom)
    #expect(views(screen) == [.whole, moved[1]] && status(screen).contains("Whole photos"))
    #expect(screen.label(of: .zoom) == "Actual size")
    // With a whole photo, the arrow keys move the cursor.
    screen.perform(.moveRight)
    #expect(screen.chosen == 1)
    screen.perform(.goToFocus)
    #expect(host.notes.last == "The focus point is unknown." && views(screen)[1] == moved[1])
    screen.perform(.unlink)
    #expect(host.notes.last == "The photos move together." && views(screen)[0] != .whole)
  }

  @Test func stepsAreUndoneAndMadeAgain() async throws {
    let screen = try await open(4)
    #expect(screen.refusal(of: .undo) == "There is nothing to undo here.")
    #expect(screen.refusal(of: .redo) == "There is nothing to redo.")
    screen.perform(.rotate)
    let row = try #require(screen.comparison.chosenRow)
    #expect(row.quarters == 1)
    _ = screen.drawing()
    #expect(screen.panes[row.photoID]?.image.rotation == .clockwise90)
    screen.perform(.keep)
    #expect(screen.announcement == "0.jpg · 1, 3 of 4" && !screen.offers(.redo))
    screen.perform(.undo)
    #expect(screen.announcement == "0.jpg · 1, 2 of 4" && screen.offers(.redo))
    screen.perform(.redo)
    #expect(screen.announcement == "0.jpg · 1, 3 of 4" && !screen.offers(.redo))
  }

  @Test func thePhotoThatIsLeftIsKeptAndTheOthersCanBeRejected() async throws {
    let screen = try await open(3)
    #expect(screen.announcement == "0.jpg · 1, 2 of 3" && status(screen).contains("1 to come"))
    #expect(screen.refusal(of: .rejectBeaten) == "No photo is beaten yet.")
    screen.perform(.keep)
    #expect(screen.announcement == "0.jpg · 1, 3 of 3" && host.popups.isEmpty)
    #expect(screen.hints.prefix(3) == [.close, .keep, .rejectBeaten])
    screen.perform(.keep)
    #expect(screen.announcement == "0.jpg · Kept 0.jpg (1 of 3)")
    #expect(screen.refusal(of: .keep) == "Only one photo is left.")
    #expect(screen.refusal(of: .nextPane) == "Only one photo is shown.")
    let popup = try #require(host.popups.last as? ChoicePopup)
    #expect(popup.drawing().boxLines.first == "It has beaten 2 photos." && popup.name == "0.jpg is kept")
    #expect(popup.type(.key("x")))
    #expect(host.notes.last == "closed" && screen.comparison.beaten.isEmpty)
    #expect(screen.refusal(of: .rejectBeaten) == "The beaten photos are rejected already.")
  }

  @Test func theBeatenPhotosCanStayAsTheyAre() async throws {
    for (key, notes, beaten) in [("c", [], 1), ("l", ["closed"], 1)] as [(Key, [String], Int)] {
      let screen = try await open(2)
      #expect(screen.refusal(of: .changePanes) == "There are only two photos.")
      screen.perform(.nextPane)
      screen.perform(.keep)
      #expect(try #require(host.popups.last as? ChoicePopup).type(.key(key)))
      #expect(host.notes.suffix(1) == notes[...] && screen.comparison.beaten.count == beaten)
      #expect(screen.comparison.kept == 1)
    }
  }

  @Test func photosWithoutSidecarsAreOnlyCompared() async throws {
    let screen = try await open(2, isFolder: false, images: .none)
    for command in [Command.zoom, .zoomIn, .zoomOut, .unlink, .goToFocus, .focusPeaking, .clipping] {
      #expect(screen.refusal(of: command) == "No images are shown.", "\(command)")
    }
    #expect(!screen.offers(.rotate) && !screen.offers(.rateOne))
    screen.perform(.keep)
    #expect(host.popups.isEmpty && !screen.offers(.rejectBeaten))
  }

  @Test func overlaysAndTheNumberOfPanesChange() async throws {
    let screen = try await open(6)
    screen.perform(.focusPeaking)
    #expect(status(screen).contains("Focus peaking"))
    #expect(screen.panes.values.allSatisfy { $0.image.overlay == .peaking })
    screen.perform(.clipping)
    #expect(status(screen).contains("Clipping") && !status(screen).contains("Focus peaking"))
    screen.perform(.clipping)
    #expect(!status(screen).contains("Clipping"))
    screen.perform(.changePanes)
    #expect(status(screen).hasPrefix(" 1-3 of 6") && screen.places.count == 3)
    // A click moves the cursor.
    let place = screen.places[2]
    screen.handle(Mouse(.press, column: place.column + 1, row: place.row + 1))
    #expect(screen.comparison.cursor == 2)
    screen.perform(.nextCandidate)
    #expect(screen.announcement == "3.jpg · 1, 2, 4 of 6")
    #expect(screen.offers(.previousCandidate))
    for _ in 0..<2 { screen.perform(.nextCandidate) }
    #expect(screen.refusal(of: .nextCandidate) == "This is the last candidate.")
  }
}
