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
        id: number, name: "Photo \(number)", createdAt: Date(timeIntervalSince1970: 0), imageURL: "",
        image: .file(FilePath("/\(number).jpg")), isForSale: true)
    }
    return PhotoSnapshot(photos: PhotoTable(photos))
  }

  private func open(_ service: any APIServiceProtocol) async -> PhotosScreen {
    let viewModel = PhotoListViewModel(service: service)
    let choosing = PhotoChoosingViewModel(
      list: viewModel, decisions: StubDecisions(), desktop: StubDesktop(), exporter: StubExporter())
    let screen = PhotosScreen(
      viewModel: viewModel, choosing: choosing, savedSearches: SavedSearches(service: StubSearches()),
      source: OpenSource(place: Place(arguments: [], name: "test")),
      firstView: .list,
      host: host, context: host.makeContext())
    screen.enter()
    await host.wait { viewModel.state == .loaded || !viewModel.rows.isEmpty }
    return screen
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
}
