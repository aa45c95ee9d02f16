import Foundation
import Gallery
import Photos
import Services
import Terminal
import TestLimit
import Testing
import ViewModels

@testable import Screens

/// The viewer and the contact sheet, on a list of photos.
@MainActor @Suite(.timeLimit(.minutes(5)), .limited) struct ViewerScreenTests {
  private let host = StubHost()
  private let clock = HeldClock()

  private func load(_ names: [String]) async -> PhotoListViewModel {
    await load(
      PhotoSnapshot(photos: PhotoTable(photos(names))))
  }

  private func photos(_ names: [String]) -> [Photo] {
    names.enumerated().map { id, name in
      Photo(
        id: id, name: name, description: "About \(name)", createdAt: Date(timeIntervalSince1970: 0), imageURL: "",
        image: .file("/a.jpg"), isForSale: id == 0, camera: "Camera of \(name)", author: "Ada")
    }
  }

  private func load(_ snapshot: PhotoSnapshot) async -> PhotoListViewModel {
    let viewModel = PhotoListViewModel(service: StubPhotos(snapshot: snapshot))
    // Gives the list its marks.
    _ = PhotoChoosingViewModel(
      list: viewModel, decisions: StubDecisions(), desktop: StubDesktop(), exporter: StubExporter())
    viewModel.onLoading = { [host] _ in host.setNeedsDisplay() }
    viewModel.fetch()
    await host.wait { viewModel.state == .loaded }
    return viewModel
  }

  private func open(_ names: String..., images: OutputChoice = .none) async throws -> ViewerScreen {
    try open(await load(names), images: images)
  }

  private func open(_ viewModel: PhotoListViewModel, images: OutputChoice = .none) throws -> ViewerScreen {
    let shown = try #require(ViewerViewModel(0, among: { viewModel.rows }, clock: clock))
    let viewer = ViewerScreen(shown, images: host.makeContext(images: images).images, clock: clock)
    viewer.onChange = { [host] in host.setNeedsDisplay() }
    return viewer
  }

  private func caption(_ viewer: ViewerScreen) -> String { viewer.drawing().lines.last ?? "" }

  @Test func aPhotoThatIsGoneRefusesDecisionsAndSaysWhy() async throws {
    var folder = PhotoSnapshot(photos: PhotoTable(photos(["Dune", "Gate"])))
    folder.capabilities = .folder
    let (all, none) = (PhotoListViewModel(service: StubPhotos(snapshot: folder)), await load([]))
    let choosing = PhotoChoosingViewModel(
      list: all, decisions: StubDecisions(), desktop: StubDesktop(), exporter: StubExporter())
    all.onLoading = { [host] _ in host.setNeedsDisplay() }
    all.fetch()
    await host.wait { all.state == .loaded }
    var isGone = false
    let shown = try #require(ViewerViewModel(0, among: { isGone ? none.rows : all.rows }, clock: clock))
    let viewer = ViewerScreen(shown, images: host.makeContext(images: .none).images, clock: clock)
    for command in [Command.mark, .reject] { #expect(viewer.offers(command), "\(command)") }
    isGone = true
    for command in [Command.mark, .trash, .reject, .rateOne, .label] {
      #expect(viewer.refusal(of: command) == "The photo is no longer there.", "\(command)")
    }
    withExtendedLifetime(choosing) {}
  }

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

  @Test func theCaptionShowsTheFormatsOfThePhotosFiles() async throws {
    let photos = ["a.cr2", "a.jpg"].enumerated().map { id, name in
      Photo(
        id: id, name: name, createdAt: Date(timeIntervalSince1970: 0), imageURL: name,
        image: .file(FilePath("/\(name)")))
    }
    var snapshot = PhotoSnapshot(photos: PhotoTable(photos))
    snapshot.groups = PhotoParts().groups(of: snapshot.photos)
    let viewer = try open(await load(snapshot))
    #expect(viewer.drawing(columns: 60, rows: 8).lines.last?.hasSuffix("RAW+JPEG  1/1") == true)
    // The name needs the room.
    #expect(viewer.drawing(columns: 30, rows: 8).lines.last == " a.jpg                    1/1")
  }

  @Test func aBadgeIsShortenedBeforeItIsLeftOut() {
    let photo = Photo(
      id: 1, name: "a.cr2", createdAt: Date(timeIntervalSince1970: 0), imageURL: "", image: .file("/a.cr2"))
    let caption = ViewerCaption(
      detail: PhotoRow([photo]).detail, position: ["1/3"], signs: [],
      badges: [(["▤ 12 shots", "▤ 12"], .accent), (["RAW"], .secondary)])
    func line(columns: Int) -> String {
      Drawing(columns: columns, rows: 1) { caption.draw(on: $0) }.lines.first ?? ""
    }
    #expect(line(columns: 40).hasSuffix("RAW  ▤ 12 shots  1/3"))
    #expect(line(columns: 30).hasSuffix("  ▤ 12  1/3"))
    #expect(line(columns: 20).hasSuffix("  1/3") && !line(columns: 20).contains("▤"))
  }

  @Test func signsLeaveRoomForTheName() {
    let photo = Photo(
      id: 1, name: "DSC_0108.jpg", createdAt: Date(timeIntervalSince1970: 0), imageURL: "", image: .file("/a.jpg"))
    let caption = ViewerCaption(
      detail: PhotoRow([photo]).detail, position: ["3 of 47 · 90 picked", "3/47"],
      signs: [("Sharpness 530", .secondary), ("★", .accent)])
    func line(columns: Int) -> String {
      Drawing(columns: columns, rows: 1) { caption.draw(on: $0) }.lines.first ?? ""
    }
    #expect(line(columns: 51) == "DSC_0108.jpg  ★  Sharpness 530  3 of 47 · 90 picked")
    #expect(line(columns: 38) == "DSC_0108.jpg    ★  3 of 47 · 90 picked")
    #expect(line(columns: 30) == "DSC_0108.jpg           ★  3/47")
    #expect(line(columns: 10) == "DSC…  3/47")
  }

  @Test func thereIsNoRowBeforeTheFirstOrAfterTheLast() async throws {
    let viewer = try await open("Dune", "Gate")
    var turns: [RowIndex] = []
    viewer.viewModel.onTurn = { turns.append($0) }
    #expect(viewer.refusal(of: .previousPhoto) == "This is the first photo.")
    viewer.perform(.nextPhoto)
    #expect(viewer.refusal(of: .nextPhoto) == "This is the last photo.")
    viewer.perform(.nextPhoto)
    viewer.perform(.previousPhoto)
    #expect(turns == [1, 0])
    // The arrow keys are left to turning until the user zooms in.
    #expect(!viewer.knows(.moveRight) && !viewer.knows(.moveLeft))
    // The drawing has 60 columns, of which a fifth at each side turns.
    _ = viewer.drawing(columns: 60, rows: 20)
    for column in [11, 12, 47, 48] { viewer.handle(Mouse(.press, column: column, row: 5)) }
    viewer.handle(Mouse(.press, column: 0, row: 19))
    #expect(turns == [1, 0, 1])
  }

  @Test func aRowThatDoesNotExistOpensNoViewer() async throws {
    let viewModel = await load(["Dune"])
    #expect(ViewerViewModel(1, among: { viewModel.rows }, clock: clock) == nil)
  }

  @Test func withoutImagesNothingCanBeZoomed() async throws {
    let viewer = try await open("Dune")
    for command in [Command.zoomIn, .zoomOut, .zoom, .zoomToFill, .rotate] {
      #expect(viewer.refusal(of: command) == "No images are shown.", "\(command)")
    }
    for command in [Command.moveUp, .moveDown] {
      #expect(viewer.refusal(of: command) == "All details are visible.", "\(command)")
    }
  }

  @Test func theMetadataIsShownUponRequest() async throws {
    let viewer = try await open("Dune", images: .symbols)
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
    #expect(viewer.drawing().contains("▶"))
    for name in ["Gate", "Dune"] {
      clock.endSleep()
      await host.wait { viewer.drawing().contains(" \(name)  by") }
    }
    viewer.perform(.slideshow)
    #expect(!viewer.drawing().contains("▶"))
    #expect(try await open("Dune").refusal(of: .slideshow) == "There is no other photo.")
  }

  /// A timer that goes on would turn too early, and one that does not begin again would never turn.
  @Test func turningRestartsTheTimeOfAPhoto() async throws {
    let viewer = try await open("Dune", "Gate", "Whale")
    viewer.perform(.slideshow)
    await clock.waitForSleep()
    for command in [Command.nextPhoto, .previousPhoto, .mark] {
      viewer.perform(command)
      await clock.waitForSleep()
      #expect(clock.sleepCount == 1, "\(command)")
    }
    clock.endSleep()
    await host.wait { viewer.drawing().contains("Whale") }
  }

  @Test func aPausedSlideshowHasNoTimer() async throws {
    let viewer = try await open("Dune", "Gate")
    viewer.perform(.slideshow)
    await clock.waitForSleep()
    viewer.perform(.slideshow)
    #expect(viewer.drawing().contains("‖ Paused") && viewer.label(of: .slideshow) == "Continue")
    viewer.perform(.nextPhoto)
    #expect(viewer.drawing().contains("Gate"))
    #expect(clock.sleepCount == 0)
    viewer.perform(.slideshow)
    await clock.waitForSleep()
    clock.endSleep()
    await host.wait { viewer.drawing().contains("Dune") }
    #expect(viewer.drawing().contains("▶") && !viewer.drawing().contains("Paused"))
  }

  @Test func aClosedViewerLeavesNoTimer() async throws {
    let viewer = try await open("Dune", "Gate")
    viewer.perform(.slideshow)
    await clock.waitForSleep()
    viewer.perform(.close)
    #expect(clock.sleepCount == 0)
  }

  @Test func aShuffledSlideshowShowsEachPhotoOnceAndGoesBack() async throws {
    let viewer = try await open("Dune", "Gate", "Whale", "Harbor", "Bridge")
    var turns: [RowIndex] = []
    viewer.viewModel.onTurn = { turns.append($0) }
    viewer.perform(.shuffle)
    #expect(viewer.drawing().contains("▶  Shuffled") && viewer.label(of: .shuffle) == "In order")
    for count in 1...4 {
      clock.endSleep()
      await host.wait { turns.count == count }
    }
    #expect(turns.sorted() == [1, 2, 3, 4])
    // The user sees again what has just been there.
    for _ in 1...4 { viewer.perform(.previousPhoto) }
    #expect(Array(turns[4...]) == [turns[2], turns[1], turns[0], 0])
    viewer.perform(.shuffle)
    viewer.perform(.nextPhoto)
    #expect(turns.last == 1 && !viewer.drawing().contains("Shuffled"))
  }

  @Test func aSlideshowShowsTheDescriptionBelowTheTitle() async throws {
    let viewer = try await open("Dune", "Gate", images: .symbols)
    #expect(!viewer.drawing().contains("About Dune"))
    viewer.perform(.slideshow)
    #expect(viewer.drawing().lines[28].hasPrefix(" Dune  by Ada") && viewer.drawing().lines[29] == " About Dune")
    viewer.perform(.toggleTitle)
    #expect(!viewer.drawing().contains("Dune"))
  }

  @Test func thePhotoHasTheWholeScreenWithoutTheTitle() async throws {
    let viewer = try await open("Dune", images: .symbols)
    #expect(viewer.extent == .window)
    viewer.perform(.toggleTitle)
    #expect(viewer.extent == .screen)
    // The corners of the image's place are in the last row of the stub's screen.
    #expect(viewer.drawing(rows: 24).lines.last?.hasPrefix("└") == true)
    viewer.perform(.toggleTitle)
    #expect(caption(viewer).hasPrefix(" Dune"))
  }

  /// A sixel in the last row would make the terminal scroll.
  @Test func sixelsLeaveTheLastRowFree() async throws {
    let viewer = try await open("Dune", images: #require(OutputChoice(rawValue: "sixel")))
    viewer.perform(.toggleTitle)
    let lines = viewer.drawing(rows: 24).lines
    #expect(lines[22].hasPrefix("└") && lines[23].isEmpty)
  }

  /// Where no images are shown, the texts that are beside an image otherwise take its place, and scroll.
  @Test func textTakesThePlaceOfAnImage() async throws {
    let viewer = try await open("Dune", "Gate")
    let lines = viewer.drawing(rows: 5).lines
    #expect(lines.first == " About Dune" && lines.last?.contains("1/2") == true)
    #expect(viewer.refusal(of: .toggleInfo) == "All details are visible.")
    viewer.perform(.moveDown)
    #expect(viewer.drawing(rows: 5).lines.first != " About Dune")
    viewer.perform(.nextPhoto)
    #expect(viewer.drawing(rows: 5).lines.first == " About Gate")
    _ = viewer.drawing(rows: 30)
    #expect(viewer.refusal(of: .moveDown) == "All details are visible.")
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
    #expect(drawing.contains("│long long long… ●│ Gate ○"))
  }

  /// Photos in two folders, of which each fills a row.
  @Test func theContactSheetHasTheSectionsOfTheList() async throws {
    let photos = ["a", "b"].flatMap { folder in (1...3).map { "\(folder)/\($0).jpg" } }.enumerated().map { id, path in
      Photo(
        id: id, name: "Photo \(id)", createdAt: Date(timeIntervalSince1970: 0), imageURL: path,
        image: .file(FilePath("/\(path)")))
    }
    var snapshot = PhotoSnapshot(photos: PhotoTable(photos))
    snapshot.capabilities = .folder
    let lines = sheet(await load(snapshot)).lines.filter { !$0.isEmpty }
    let texts = ["a/", "Photo 0", "b/", "Photo 3"].map { text in lines.firstIndex { $0.contains(text) } ?? -1 }
    #expect(texts == texts.sorted() && Set(texts).count == 4 && texts[0] == 0, "\(lines)")
    #expect(lines[texts[1]].contains("Photo 2") && lines[texts[3]].contains("Photo 5"))
    #expect(sheet(await load([])).lines.allSatisfy(\.isEmpty))
  }
}
