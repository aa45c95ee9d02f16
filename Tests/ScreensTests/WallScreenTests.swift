import Foundation
import Gallery
import Photos
import Services
import Terminal
import TestLimit
import Testing
import ViewModels

@testable import Screens

@MainActor @Suite(.timeLimit(.minutes(5)), .limited) struct WallScreenTests {
  private let host = StubHost()
  private let ada = Member(id: 1, name: "Ada", avatar: .file("/ada.jpg"))

  private func makeRoom(_ feed: Result<WallFeed, APIError>) -> WallScreen {
    WallScreen(
      viewModel: WallViewModel(service: StubWall(feed: feed), calendar: LocalClock { _ in 0 }), host: host,
      context: host.makeContext())
  }

  /// Opens the room with the suggestion to follow Ada, and with a photo of hers from the day before.
  private func open() async -> WallScreen {
    let photo = Photo(
      id: 7, name: "Harbor", description: "Boats at dawn", createdAt: Date(timeIntervalSince1970: 0), imageURL: "",
      image: .file("/7.jpg"))
    let screen = makeRoom(
      .success(
        WallFeed(items: [
          FeedItem(id: 1, date: Date(timeIntervalSince1970: 90_000), content: .member(ada)),
          FeedItem(id: 2, date: Date(timeIntervalSince1970: 0), content: .photo(photo, by: ada)),
        ])))
    screen.enter()
    await host.wait { !screen.isLoading }
    return screen
  }

  @Test func photosAndMembersAreDrawnInSectionsByDay() async throws {
    let drawing = await open().drawing()
    let texts = ["1970-01-02", "Ada", "[+ Follow]", "1970-01-01", "Harbor", "Boats at dawn", "posted by Ada"]
    let lines = try texts.map { try #require(drawing.line(with: $0), "\($0)") }
    #expect(lines == lines.sorted())
    #expect(drawing.contains("Wall") && drawing.contains("1/2"))
  }

  @Test func aWideScreenShowsThePhotoNextToTheList() async {
    let screen = await open()
    screen.perform(.moveToLast)
    #expect(screen.drawing(columns: 120).lines.contains { $0.contains("2/2") && $0.contains("│ Harbor") })
    screen.perform(.switchWindow)
    #expect(screen.label(of: .switchWindow) == "List" && screen.refusal(of: .moveDown) == "All details are visible.")
  }

  @Test func theStatusCountsPhotosAndMembers() async {
    #expect(await open().statusText == "1 photo, 1 member")
  }

  @Test func aMemberIsFollowedAndThenUnfollowed() async {
    let screen = await open()
    #expect(screen.label(of: .press) == "Follow" && screen.offers(.follow))
    screen.perform(.press)
    #expect(screen.label(of: .press) == "Follow")
    #expect(screen.drawing().contains("Following…]"))
    await host.wait { screen.label(of: .press) == "Unfollow" }
    #expect(screen.drawing().contains("[✓ Following]"))
    screen.perform(.follow)
    await host.wait { screen.label(of: .press) == "Follow" }
    #expect(screen.drawing().contains("[+ Follow]"))
  }

  @Test func aPhotoIsOpenedAndNotFollowed() async {
    let screen = await open()
    screen.perform(.moveToLast)
    #expect(screen.refusal(of: .follow) == "This is a photo, not a member.")
    #expect(screen.offers(.press) && screen.label(of: .press) == nil)
    screen.perform(.press)
    // The viewer leaves members out, so the photo is its first.
    #expect(host.viewed == [0])
  }

  @Test func theSecondClickOpensUnlessTheUserHasMovedInBetween() async throws {
    let screen = await open()
    let row = try #require(screen.drawing().line(with: "Harbor"))
    func click() { screen.handle(Mouse(.press, column: 5, row: row)) }
    click()
    screen.perform(.moveUp)
    screen.perform(.moveDown)
    click()
    #expect(host.viewed.isEmpty)
    click()
    #expect(host.viewed == [0])
  }

  @Test func loadingCanBeStopped() {
    let screen = makeRoom(.failure(.serverOverload))
    screen.enter()
    #expect(screen.statusText.hasSuffix("Loading the wall…"))
    #expect(screen.refusal(of: .reload) == "Already loading.")
    #expect(screen.drawing().contains("━━━"))
    screen.perform(.stopLoading)
    #expect(!screen.knows(.stopLoading) && screen.offers(.reload))
    #expect(screen.drawing().contains("Nothing is loaded."))
    #expect(screen.drawing().contains("Press r to load the wall."))
  }

  @Test func aWallThatCannotBeLoadedSaysWhy() async {
    let screen = makeRoom(.failure(.serverOverload))
    screen.enter()
    await host.wait { !host.alerts.isEmpty }
    #expect(host.alerts == [Alert(title: "Can't load the wall", .serverOverload)])
    let drawing = screen.drawing(columns: 140)
    #expect(drawing.contains("busy") && drawing.contains("Press r to try again."))
    #expect(screen.refusal(of: .press) == "Nothing to open.")
  }

  @Test func anEmptyWallSaysSo() async {
    let screen = makeRoom(.success(WallFeed(items: [])))
    screen.enter()
    await host.wait { !screen.isLoading }
    #expect(screen.drawing().contains("Nobody has posted yet.") && screen.drawing().contains("Press r to look again."))
    #expect(screen.refusal(of: .moveDown) == "Nothing here.")
    #expect(screen.status.isEmpty)
  }
}
