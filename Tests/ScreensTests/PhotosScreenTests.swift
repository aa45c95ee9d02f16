import Foundation
import Gallery
import Photos
import Services
import Terminal
import Testing
import ViewModels

@testable import Screens

/// A source that answers at once.
private struct FixedPhotos: APIServiceProtocol {
  let snapshot: PhotoSnapshot

  func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream {
    AsyncStream { answers in
      answers.yield(.success(snapshot))
      answers.finish()
    }
  }
}

/// A desktop that opens nothing.
private struct NoDesktop: DesktopServiceProtocol {
  func open(_: ImageLocation) async throws(APIError) {}
}

/// An exporter that writes nothing.
private struct NoExporter: ExportServiceProtocol {
  func export(_: [Photo], to _: FilePath) async throws(ExportError) -> ExportReport { ExportReport(count: 0) }
}

@MainActor @Suite struct PhotosScreenTests {
  private let host = StubHost()

  /// Opens the room with a number of photos, of which each is for sale.
  private func open(_ count: Int) async -> PhotosScreen {
    let photos = (0..<count).map { number in
      Photo(
        id: number, name: "Photo \(number)", createdAt: Date(timeIntervalSince1970: 0), imageURL: "",
        image: .file("/\(number).jpg"), isForSale: true)
    }
    let viewModel = PhotoListViewModel(
      service: FixedPhotos(snapshot: PhotoSnapshot(photos: PhotoTable(photos))), desktop: NoDesktop(),
      exporter: NoExporter())
    let screen = PhotosScreen(
      viewModel: viewModel, source: "test", firstView: .list, host: host, context: host.makeContext())
    screen.enter()
    await host.wait { viewModel.state == .loaded }
    return screen
  }

  private func refusal(of command: Command, in screen: PhotosScreen) -> String? {
    screen.actions.first { $0.command == command }?.refusal
  }

  private func offers(_ command: Command, _ screen: PhotosScreen) -> Bool {
    screen.actions.contains { $0.command == command && $0.isPossible }
  }

  @Test func anEmptyListRefusesCommandsForPhotos() async {
    let screen = await open(0)
    for command in [Command.press, .view, .mark, .markRange, .markAll, .openOutside, .copyPlace, .export] {
      #expect(refusal(of: command, in: screen) == "There is no photo.", "\(command)")
    }
    #expect(refusal(of: .moveDown, in: screen) == "There is nothing to move through.")
    for command in [Command.search, .sort, .reload, .contactSheet] { #expect(offers(command, screen), "\(command)") }
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
    for command in [Command.showProblems, .stopLoading, .close, .zoomIn, .follow] {
      #expect(!screen.actions.contains { $0.command == command }, "\(command)")
    }
  }

  @Test func aTextFieldLeavesFewCommands() async {
    let screen = await open(3)
    screen.perform(.search)
    #expect(screen.isTyping)
    let moves = Move.commands.map(\.command)
    #expect(Set(screen.actions.map(\.command)) == Set([.press, .switchWindow, .close] + moves))
    screen.perform(.close)
    #expect(!screen.isTyping)
    #expect(offers(.press, screen))
  }

  @Test func theContactSheetMovesSidewaysAndResizes() async {
    let screen = await open(30)
    screen.perform(.contactSheet)
    #expect(offers(.moveLeft, screen) && offers(.moveRight, screen))
    #expect(!screen.actions.contains { $0.command == .toggleRows })
    screen.perform(.moveRight)
    screen.perform(.press)
    #expect(host.viewed == [1])
    for _ in 0..<10 { screen.perform(.zoomIn) }
    #expect(refusal(of: .zoomIn, in: screen) == "They are at their largest.")
    for _ in 0..<10 { screen.perform(.zoomOut) }
    #expect(refusal(of: .zoomOut, in: screen) == "They are at their smallest.")
    screen.perform(.close)
    #expect(offers(.toggleRows, screen) && !offers(.moveLeft, screen))
  }

  @Test func markingMovesOnAndOffersTheCommandsForMarksFirst() async {
    let screen = await open(3)
    #expect(screen.hints.prefix(3) == [.stopLoading, .moveUp, .press])
    screen.perform(.mark)
    #expect(screen.hints.prefix(6) == [.stopLoading, .moveUp, .mark, .openOutside, .copyPlace, .export])
    screen.perform(.press)
    #expect(host.viewed == [1])
    screen.perform(.copyPlace)
    #expect(host.copied == ["/0.jpg"])
  }

  @Test func aRangeIsClosedBeforeTheProgramQuits() async {
    let screen = await open(5)
    screen.perform(.markRange)
    #expect(screen.status.hasPrefix("V ends the range"))
    // The window quits only if nothing can be closed.
    #expect(offers(.close, screen))
    screen.perform(.close)
    #expect(!offers(.close, screen))
    #expect(screen.status == "5 photos · test")
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
    #expect(refusal(of: .nextFound, in: screen) == "Nothing is searched for; press f to search.")
    screen.perform(.markRange)
    #expect(screen.status.hasPrefix("m ends the range"))
  }
}
