import Foundation
import Gallery
import Photos
import Services
import Terminal
import TestLimit
import Testing
import ViewModels

@testable import Screens

@MainActor @Suite(.timeLimit(.minutes(5)), .limited) struct PhotosScreenTests {
  private let host = StubHost()

  /// Opens the room with a number of photos, of which each is for sale.
  private func open(_ count: Int) async -> PhotosScreen {
    await open(StubPhotos(snapshot: snapshot(0..<count)))
  }

  private func snapshot(_ numbers: Range<Int>) -> PhotoSnapshot {
    let photos = numbers.map { number in
      Photo(
        id: number, name: "Photo \(number)", description: "About \(number)", createdAt: Date(timeIntervalSince1970: 0),
        imageURL: "", image: .file(FilePath("/\(number).jpg")), isForSale: true)
    }
    return PhotoSnapshot(photos: PhotoTable(photos))
  }

  private func open(
    _ service: any APIServiceProtocol, desktop: any DesktopServiceProtocol = StubDesktop()
  ) async -> PhotosScreen {
    let viewModel = PhotoListViewModel(service: service)
    let choosing = PhotoChoosingViewModel(
      list: viewModel, decisions: StubDecisions(), desktop: desktop, exporter: StubExporter())
    let screen = PhotosScreen(
      viewModel: viewModel, choosing: choosing, savedSearches: SavedSearches(service: StubSearches()),
      source: OpenSource(place: Place(arguments: [], name: "test")),
      firstView: .list,
      host: host, context: host.makeContext())
    screen.enter()
    await host.wait { viewModel.state == .loaded || !viewModel.rows.isEmpty }
    return screen
  }

  /// On a busy machine, the keys arrive together.
  @Test func aKeyBeforeTheFirstFrameOfTheContactSheetMovesAsInTheList() async {
    let screen = await open(36)
    screen.perform(.contactSheet)
    screen.perform(.moveDown)
    screen.perform(.moveRight)
    #expect(screen.highlighted == 2)
    screen.perform(.moveToLast)
    #expect(screen.highlighted == 35)
  }

  private struct ChangingPhotos: APIServiceProtocol {
    let answers = PhotoStream.makeStream()

    func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream { answers.stream }
  }

  /// The decisions about many photos are read for a moment, in which the rows may move.
  @Test func aCullBeginsAtTheHighlightedPhotoEvenIfOneBeforeItIsGone() async {
    let service = ChangingPhotos()
    var first = snapshot(0..<10_000)
    var second = snapshot(1..<10_000)
    first.capabilities = .folder
    second.capabilities = .folder
    service.answers.continuation.yield(.success(first))
    let screen = await open(service)
    screen.perform(.moveToLast)
    screen.perform(.moveUp)
    screen.perform(.cull)
    service.answers.continuation.yield(.success(second))
    await host.wait { !host.viewedNames.isEmpty }
    #expect(host.viewedNames == ["Photo 9998"])
  }

  @Test func aCullEndsARangeThatWasBegun() async {
    let service = ChangingPhotos()
    var photos = snapshot(0..<5)
    photos.capabilities = .folder
    service.answers.continuation.yield(.success(photos))
    let screen = await open(service)
    screen.perform(.markRange)
    #expect(screen.statusText.hasPrefix("Marking a range"))
    screen.perform(.cull)
    await host.wait { !host.viewedNames.isEmpty }
    #expect(!screen.statusText.hasPrefix("Marking a range"))
  }

  /// The keys that are typed into what was opened meanwhile must not decide about photos.
  @Test(arguments: [Command.cull, .trashRejects])
  func aCullThatIsCountedLateOpensNothingOverAnotherLayer(command: Command) async {
    let service = ChangingPhotos()
    var photos = snapshot(0..<5)
    photos.capabilities = .folder
    service.answers.continuation.yield(.success(photos))
    let screen = await open(service)
    screen.perform(command)
    host.isCovered = true
    await host.wait { host.askedCount == 1 }
    #expect(host.viewed.isEmpty && host.notes.isEmpty)
  }

  private struct RecordingDesktop: DesktopServiceProtocol {
    let opened = AsyncStream<ImageLocation>.makeStream()

    func open(_ image: ImageLocation) async throws(APIError) { opened.continuation.yield(image) }
    func browse(_: String) async throws(APIError) {}
    func run(_: [[UInt8]], input _: [UInt8]) async throws(APIError) {}
    func imageCopyCommand() async -> [[UInt8]]? { nil }
    func playCommand(from _: Double) async -> [[UInt8]]? { nil }
  }

  /// Culls two photos, of which the second is picked, and chooses a step that follows.
  @discardableResult
  private func cull(_ desktop: any DesktopServiceProtocol = StubDesktop(), then key: Character) async throws
    -> PhotosScreen
  {
    var picked = PhotoMetadata()
    picked.rating = 1
    let photos = [nil, picked].enumerated().map { number, metadata in
      Photo(
        id: number, name: "\(number).jpg", createdAt: Date(timeIntervalSince1970: 0), imageURL: "",
        image: .file(FilePath("/\(number).jpg")), metadata: metadata)
    }
    var snapshot = PhotoSnapshot(photos: PhotoTable(photos))
    snapshot.capabilities = .folder
    let screen = await open(StubPhotos(snapshot: snapshot), desktop: desktop)
    screen.perform(.cull)
    await host.wait { host.summary != nil }
    let makeSummary = try #require(host.summary)
    let summary = makeSummary {}
    #expect(summary.drawing().contains("1 picked · 0 rejected · 1 undecided"))
    #expect(summary.type(.key(Key(.character(key)))))
    return screen
  }

  @Test func thePicksOfACullAreOpenedInOtherPrograms() async throws {
    let desktop = RecordingDesktop()
    let screen = try await cull(desktop, then: "o")
    var opened = desktop.opened.stream.makeAsyncIterator()
    #expect(await opened.next() == .file("/1.jpg"))
    withExtendedLifetime(screen) {}
  }

  @Test func thePathsOfThePicksAreCopied() async throws {
    try await cull(then: "y")
    #expect(host.copied == ["/1.jpg"])
  }

  @Test func thePicksAreSavedAsACatalog() async throws {
    try await cull(then: "e")
    #expect(host.popups.last?.name == "Save 1 photo as a catalog")
  }

  /// A mark that the user has not made would decide what the next key is about.
  @Test(arguments: [("o", 0), ("y", 0), ("M", 0), ("E", 0), ("e", 0), ("d", 0), ("m", 1)])
  func onlyTheStepThatMarksThePicksMarksThem(key: Character, count: Int) async throws {
    let screen = try await cull(then: key)
    #expect(screen.choosing.marks.count == count)
  }

  @Test func anEmptyListRefusesCommandsForPhotos() async {
    let screen = await open(0)
    for command in [
      Command.press, .view, .mark, .markRange, .markAll, .openOutside, .copyPlace, .export, .sort, .contactSheet,
    ] {
      #expect(screen.refusal(of: command) == "There is no photo.", "\(command)")
    }
    #expect(screen.refusal(of: .moveDown) == "Nothing here.")
    for command in [Command.search, .reload] { #expect(screen.offers(command), "\(command)") }
  }

  @Test func aCommandThatIsRefusedDoesNothing() async {
    let screen = await open(0)
    screen.perform(.export)
    #expect(host.popups.isEmpty)
  }

  @Test func thePressedPhotoOpensInTheViewer() async {
    let screen = await open(3)
    screen.perform(.moveToLast)
    screen.perform(.press)
    #expect(host.viewed == [2])
  }

  @Test func commandsWithoutAnObjectAreAbsent() async {
    let screen = await open(3)
    #expect(screen.refusal(of: .showProblems) == "There are no problems.")
    #expect(screen.refusal(of: .stopLoading) == "Nothing is being loaded.")
    for command in [Command.close, .zoomIn, .follow] {
      #expect(!screen.knows(command), "\(command)")
    }
  }

  @Test func aTextFieldLeavesFewCommands() async {
    let screen = await open(3)
    screen.perform(.search)
    #expect(screen.isTyping)
    let moves = Move.commands.map(\.command)
    #expect(Set(screen.actions.map(\.command)) == Set([.press, .complete, .listAll, .close] + moves))
    screen.perform(.close)
    #expect(!screen.isTyping)
    #expect(screen.offers(.press))
  }

  @Test func theContactSheetMovesSidewaysAndResizes() async {
    let screen = await open(30)
    screen.perform(.contactSheet)
    #expect(screen.offers(.moveLeft) && screen.offers(.moveRight))
    screen.perform(.moveRight)
    screen.perform(.press)
    #expect(host.viewed == [1])
    for _ in 0..<10 { screen.perform(.zoomIn) }
    #expect(screen.refusal(of: .zoomIn) == "Largest size.")
    screen.perform(.toggleRows)
    #expect(screen.refusal(of: .zoomOut) == "Smallest size.")
    screen.perform(.toggleRows)
    #expect(screen.offers(.zoomOut))
    for _ in 0..<10 { screen.perform(.zoomOut) }
    #expect(screen.refusal(of: .zoomOut) == "Smallest size.")
    screen.perform(.close)
    #expect(screen.offers(.toggleRows) && !screen.offers(.moveLeft))
  }

  @Test func aClickOnAHeadingLeadsToTheList() async throws {
    let screen = await open(3)
    screen.perform(.switchWindow)
    let row = try #require(screen.drawing(columns: 100).line(with: "Photos"))
    #expect(screen.actions.first { $0.command == .switchWindow }?.label == "List")
    screen.handle(Mouse(.press, column: 2, row: row))
    #expect(screen.actions.first { $0.command == .switchWindow }?.label == "Details")
    screen.perform(.moveDown)
    #expect(screen.highlighted == 1)
  }

  /// Another photo may be at the pointer after a reload.
  @Test func aClickAfterAReloadOpensNothingInTheContactSheet() async throws {
    let service = ChangingPhotos()
    service.answers.continuation.yield(.success(snapshot(0..<30)))
    let screen = await open(service)
    screen.perform(.contactSheet)
    let row = try #require(screen.drawing().line(with: "Photo 1"))
    func click() { screen.handle(Mouse(.press, column: 5, row: row)) }
    click()
    service.answers.continuation.yield(.success(snapshot(0..<31)))
    await host.wait { screen.viewModel.rows.count == 31 }
    click()
    #expect(host.viewed.isEmpty)
    click()
    #expect(host.viewed.count == 1)
  }

  @Test func markingMovesOnAndOffersTheCommandsForMarksFirst() async {
    let screen = await open(3)
    #expect(screen.hints.prefix(3) == [.stopLoading, .moveUp, .press])
    screen.perform(.mark)
    #expect(screen.hints.prefix(6) == [.stopLoading, .moveUp, .mark, .markAll, .moveTo, .trash])
    screen.perform(.press)
    #expect(host.viewed == [1])
    screen.perform(.copyPlace)
    #expect(host.copied == ["/0.jpg"])
  }

  @Test func aRangeIsClosedBeforeTheProgramQuits() async {
    let screen = await open(5)
    screen.perform(.markRange)
    #expect(screen.statusText.hasPrefix("Marking a range – V to finish"))
    // The window quits only if nothing can be closed.
    #expect(screen.offers(.close))
    screen.perform(.close)
    #expect(!screen.offers(.close))
    #expect(screen.statusText == "5 photos · test · catalog order")
  }

  @Test func aCommandForMarksIncludesTheRangeThatWasBegun() async {
    let screen = await open(5)
    screen.perform(.markRange)
    screen.perform(.moveDown)
    screen.perform(.copyPlace)
    #expect(host.copied == ["/0.jpg\n/1.jpg"])
    #expect(host.notes == ["Copied: 2 paths"])
  }

  @Test func textsNameTheCurrentKeys() async {
    let screen = await open(5)
    host.keys.bind(.search, to: ["f"])
    host.keys.bind(.markRange, to: ["m"])
    #expect(screen.refusal(of: .nextFound) == "No search yet. Press f to search.")
    screen.perform(.markRange)
    #expect(screen.statusText.hasPrefix("Marking a range – m to finish"))
  }

  @Test func aSlideshowBeginsAtTheHighlightedPhoto() async {
    let screen = await open(3)
    screen.perform(.moveDown)
    screen.perform(.slideshow)
    #expect(host.viewed == [1] && host.slideshows == [true])
    // The next photo is opened without one.
    screen.perform(.press)
    #expect(host.slideshows == [true, false])
  }

  @Test func photosOfTheContactSheetAreShownWholeOrCropped() async {
    let screen = await open(3)
    screen.perform(.contactSheet)
    #expect(screen.label(of: .zoomToFill) == "Crop" && screen.label(of: .justify) == nil)
    screen.perform(.zoomToFill)
    screen.perform(.justify)
    #expect(screen.sheet.cropsPhotos && screen.sheet.isJustified)
    #expect(screen.label(of: .zoomToFill) == "Whole" && screen.label(of: .justify) == "Grid")
    screen.perform(.zoomToFill)
    screen.perform(.justify)
    #expect(!screen.sheet.cropsPhotos && !screen.sheet.isJustified)
  }

  /// The name of the photo says nothing about the search.
  @Test func theContactSheetSaysWhyTheHighlightedPhotoWasFound() async {
    let screen = await open(5)
    screen.perform(.contactSheet)
    #expect(!screen.drawing().contains("About"))
    screen.find("about")
    await host.wait { screen.viewModel.search.matchCount == 5 }
    #expect(screen.drawing().lines.last == "  About 0")
    screen.perform(.moveRight)
    #expect(screen.drawing().lines.last == "  About 1")
    screen.find("photo")
    await host.wait { screen.viewModel.search.query != nil && !screen.viewModel.search.isRunning }
    #expect(!screen.drawing().contains("About"))
  }

  @Test func theListOfSearchesSaysThatNothingIsFound() async throws {
    let screen = await open(3)
    let text = "No search matches “zzz”."
    screen.savedSearches.save(SavedSearch(name: "Best", query: "rating:5"))
    await screen.savedSearches.settle()
    screen.perform(.savedSearches)
    let popup = try #require(host.popups.last as? FindPopup)
    await host.wait { !popup.entries.isEmpty }
    #expect(!popup.drawing().contains(text))
    #expect(popup.type(.paste("zzz")))
    #expect(popup.drawing().boxLines.joined(separator: " ").contains(text))
  }

  @Test func theCalendarListsADayOfTheHighlightedPhotosMonth() async throws {
    let screen = await open(3)
    screen.perform(.calendar)
    let calendar = try #require(host.popups.last as? CalendarScreen)
    await host.wait { calendar.viewModel.count != nil }
    #expect(calendar.drawing().lines.first == " January 1970 · 3 photos")
    // The calendar follows the list.
    screen.find("1")
    await host.wait { screen.viewModel.rows.count == 1 && calendar.viewModel.count == 1 }
    calendar.perform(.press)
    await host.wait { screen.field.text == "date:1970-01-01 1" && !screen.viewModel.search.isRunning }
    #expect(screen.viewModel.rows.count == 1 && !screen.isTyping)
  }

  @Test func aSavedSearchIsRun() async throws {
    let screen = await open(3)
    screen.savedSearches.save(SavedSearch(name: "One", query: "1"))
    await screen.savedSearches.settle()
    screen.perform(.savedSearches)
    try #require(host.popups.last as? FindPopup).perform(.press)
    await host.wait { screen.viewModel.rows.count == 1 }
    #expect(screen.field.text == "1" && !screen.isTyping && screen.shortcuts.map(\.title) == ["Search: One"])
  }

  @Test func theAddressOfAMapIsCopiedWhereThereIsNoBrowser() async {
    let screen = await open(1)
    let popup = screen.mapPopup("https://map.example/1")
    #expect(popup.drawing().contains("https://map.example/1"))
    popup.perform(.press)
    #expect(host.copied == ["https://map.example/1"] && host.notes == ["Copied: https://map.example/1"])
    #expect(screen.mapPopup("https://map.example/2").type(.key("c")))
    #expect(host.copied.count == 1)
  }

  @Test func aLabelIsChosenFromAMenu() async throws {
    var snapshot = snapshot(0..<3)
    snapshot.capabilities = .folder
    let screen = await open(StubPhotos(snapshot: snapshot))
    screen.perform(.label)
    let popup = try #require(host.popups.last as? ChoicePopup)
    popup.perform(.press)
    #expect(screen.viewModel.rows[0].decisions.label != nil)
    #expect(screen.viewModel.rows[1].decisions.label == nil)
  }
}
