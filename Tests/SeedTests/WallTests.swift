import Foundation
import Gallery
import Services
import TestLimit
import Testing
import ViewModels

/// The cases of the article about mixed rows: one list has photos and members, and each row knows what a press does.
@MainActor
@Suite(.limited) struct WallTests {
  private let mockSocialService = MockSocialService()
  private let viewModel: WallViewModel
  /// What the hooks were called with.
  private let seen = Recorder<String>()

  init() {
    viewModel = WallViewModel(service: mockSocialService, calendar: LocalClock { _ in 0 })
    viewModel.onReload = { [seen] in seen.add("reload") }
    viewModel.onLoading = { [seen] in seen.add("loading \($0)") }
    viewModel.onAlert = { [seen] in seen.add("alert \($0.title): \($0.message)") }
    viewModel.onOpen = { [seen] in seen.add("open \($0.name)") }
  }

  @Test func theWallIsLoadingWhileItFetches() async throws {
    try await fetchWall()
    #expect(seen.entries == ["loading true", "reload", "loading false"])
  }

  @Test func oneListHasPhotosAndMembers() async throws {
    try await fetchWall()
    let photo = try #require(viewModel.rows[0] as? WallPhotoRow)
    let member = try #require(viewModel.rows[1] as? MemberRow)
    #expect([photo.title, photo.author, member.name] == ["Fog", "Ada", "Bea"])
  }

  @Test func theNewestDayIsFirstAndHasItsOwnSection() async throws {
    try await fetchWall()
    #expect(viewModel.rows.map(\.section) == ["Wednesday, 2017-10-04", "Tuesday, 2017-10-03"])
  }

  @Test func aPressedPhotoIsOpened() async throws {
    try await fetchWall()
    let row = try #require(viewModel.rows[0] as? any Pressable)
    row.press()
    #expect(seen.entries.last == "open Fog")
  }

  @Test func aPressedMemberIsFollowedOnceTheServiceHasAnswered() async throws {
    try await fetchWall()
    let row = try #require(viewModel.rows[1] as? MemberRow)
    let states = Recorder<FollowState>()
    let subscription = row.follow.bind { states.add($0) }
    row.press()
    try await mockSocialService.follows.answer(.success(()))
    try await states.wait(for: 3)
    #expect(states.entries == [.notFollowing, .asking(toFollow: true), .following])
    withExtendedLifetime(subscription) {}
  }

  @Test func aFailedFollowAlertsAndGivesTheButtonBack() async throws {
    try await fetchWall()
    let row = try #require(viewModel.rows[1] as? MemberRow)
    row.press()
    try await mockSocialService.follows.answer(.failure(.noNetwork))
    try await seen.wait(for: 4)
    #expect(seen.entries.last == "alert Can't follow: \(APIError.noNetwork.message)")
    #expect(row.follow.value == .notFollowing)
  }

  /// Fetches a member of 2017-10-03 and a photo of the next day.
  private func fetchWall() async throws {
    let (ada, bea) = (
      Member(id: 1, name: "Ada", avatar: .file("/ada.jpg")), Member(id: 2, name: "Bea", avatar: .file("/bea.jpg"))
    )
    let date = Date(timeIntervalSince1970: 1_507_032_000)
    let feed = WallFeed(items: [
      FeedItem(id: 1, date: date, content: .member(bea)),
      FeedItem(id: 2, date: date + 86_400, content: .photo(photo("Fog"), by: ada)),
    ])
    viewModel.fetch()
    try await mockSocialService.walls.answer(.success(feed))
    try await seen.wait(for: 3)
  }
}

@MainActor
private final class MockSocialService: SocialServiceProtocol {
  let walls = HeldRequests<Void, WallFeed>()
  let follows = HeldRequests<Member.ID, Void>()

  func fetchWall() async throws(APIError) -> WallFeed { try await walls.ask(()) }

  func setFollowing(_: Bool, member: Member.ID) async throws(APIError) { try await follows.ask(member) }
}
