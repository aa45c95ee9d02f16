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

  private func makeRoom(_ feed: Result<WallFeed, APIError>, images: OutputChoice = .none) -> WallScreen {
    WallScreen(
      viewModel: WallViewModel(service: StubWall(feed: feed), calendar: LocalClock { _ in 0 }), host: host,
      context: host.makeContext(images: images))
  }

  /// Opens the room with the suggestion to follow Ada, and with a photo of hers from the day before.
  private func open(images: OutputChoice = .none) async -> WallScreen {
    let photo = Photo(
      id: 7, name: "Harbor", description: "Boats at dawn", createdAt: Date(timeIntervalSince1970: 0), imageURL: "",
      image: .file("/7.jpg"))
    let screen = makeRoom(
      .success(
        WallFeed(items: [
          FeedItem(id: 1, date: Date(timeIntervalSince1970: 90_000), content: .member(ada)),
          FeedItem(id: 2, date: Date(timeIntervalSince1970: 0), content: .photo(photo, by: ada)),
        ])), images: images)
    screen.enter()
    await host.wait { !screen.isLoading }
    return screen
  }

  @Test func photosAndMembersAreDrawnInSectionsByDay() async throws {
    let screen = await open()
    let drawing = screen.drawing()
    let texts = [
      "Friday, 1970-01-02", "Ada", "[+ Follow]", "1 photo", "Thursday, 1970-01-01", "Harbor", "Boats at dawn",
      "posted by Ada",
    ]
    let lines = try texts.map { try #require(drawing.line(with: $0), "\($0)") }
    #expect(lines == lines.sorted())
    #expect(drawing.contains("Wall") && drawing.contains("1/2"))
    #expect(drawing.lines[lines[1]].hasSuffix(" 01:00") && drawing.lines[lines[5]].hasSuffix(" 00:00"))
    // A narrow row has room for the name alone.
    #expect(screen.drawing(columns: 20).lines.contains { $0.hasSuffix("Harbor") })
  }

  @Test func aWideScreenShowsThePhotoNextToTheList() async {
    let screen = await open()
    screen.perform(.moveToLast)
    #expect(screen.drawing(columns: 120).lines.contains { $0.contains("2/2") && $0.contains("│ Harbor") })
    screen.perform(.switchWindow)
    #expect(screen.label(of: .switchWindow) == "List" && screen.refusal(of: .moveDown) == "All details are visible.")
  }

  @Test func aMembersPhotosAreNamedInTheDetail() async {
    let lines = await open().drawing(columns: 120).lines
    #expect(lines.contains { $0.hasSuffix("│   1 photo   Harbor") || $0.hasSuffix("│ 1 photo   Harbor") })
  }

  @Test(arguments: [(columns: 120, rows: 36), (80, 24), (60, 20), (40, 12)])
  func aMembersPhotosAreShownInTheDetailWhereThereAreImages(columns: Int, rows: Int) async throws {
    let screen = await open(images: .symbols)
    if columns < 80 { screen.perform(.switchWindow) }
    let lines = screen.drawing(columns: columns, rows: rows).lines.map { line in
      String(line.split(separator: "│", omittingEmptySubsequences: false).last ?? "")
    }
    let heading = try #require(lines.firstIndex { $0.contains("1 photo ──") })
    let name = try #require(lines.lastIndex { $0.contains("Harbor") && !$0.contains("┘") })
    // The corners of the photo's place are between the two.
    #expect(lines[heading + 1].contains("┌") && lines[name - 1].contains("└") && name - heading >= 5)
  }

  @Test func moreOfAMembersPhotosAreScrolledIntoView() async {
    let posts = (1...90).map { number in
      let photo = Photo(
        id: number, name: "Post \(number).", createdAt: Date(timeIntervalSince1970: 0), imageURL: "",
        image: .file("/\(number).jpg"))
      return FeedItem(id: number, date: Date(timeIntervalSince1970: 0), content: .photo(photo, by: ada))
    }
    let member = FeedItem(id: 0, date: Date(timeIntervalSince1970: 1), content: .member(ada))
    let screen = makeRoom(.success(WallFeed(items: [member] + posts)), images: .symbols)
    screen.enter()
    await host.wait { !screen.isLoading }
    screen.perform(.switchWindow)
    func shows(_ name: String) -> Bool { screen.drawing(columns: 70, rows: 30).contains(name) }
    #expect(shows("Post 1.") && !shows("Post 90."))
    #expect(screen.offers(.moveDown))
    screen.perform(.moveToLast)
    #expect(!shows("Post 1.") && shows("Post 90."))
    screen.perform(.moveToFirst)
    #expect(shows("Post 1."))
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
