import Foundation
import Gallery
import Services
import TestLimit
import Testing

@testable import ViewModels

@MainActor
@Suite(.limited) struct WallViewModelTests {
  private let service = HeldSocialService()
  private let history = History()
  private let ada = Member(id: 1, name: "Ada", avatar: .file("/ada.jpg"))
  private let bea = Member(id: 2, name: "Bea", avatar: .file("/bea.jpg"))

  private func makeViewModel() -> WallViewModel {
    let viewModel = WallViewModel(service: service, calendar: LocalClock { _ in -5 * 3600 })
    viewModel.onReload = { [unowned viewModel, history] in
      history.add("reload \(viewModel.rows.map { "\($0.id)" })")
    }
    viewModel.onAlert = { [history] in history.add("alert \($0.message)") }
    viewModel.onLoading = { [history] in history.add("loading \($0)") }
    viewModel.onOpen = { [history] in history.add("open \($0.name)") }
    return viewModel
  }

  private func loaded(_ feed: WallFeed) async throws -> WallViewModel {
    let viewModel = makeViewModel()
    viewModel.fetch()
    try await service.feeds.answer(0, .success(feed))
    try await history.wait(for: 3)
    return viewModel
  }

  /// Returns a date a number of hours after 2024-01-31T00:00Z.
  private func date(_ hours: Double) -> Date { Date(timeIntervalSince1970: 1_706_659_200 + hours * 3600) }

  private func suggestion(_ id: Int, _ member: Member, hours: Double = 0) -> FeedItem {
    FeedItem(id: id, date: date(hours), content: .member(member))
  }

  private func post(_ id: Int, _ name: String, by member: Member, hours: Double = 0) -> FeedItem {
    FeedItem(id: id, date: date(hours), content: .photo(photo(name, description: "two\nlines"), by: member))
  }

  private func follow(_ viewModel: WallViewModel, _ row: Int = 0) throws -> MemberRow {
    try #require(viewModel.rows[row] as? MemberRow)
  }

  @Test func rowsAreNewestFirstInSectionsByTheUsersDays() async throws {
    // Five hours west of Greenwich, 04:00Z on the 1st of February is still the 31st of January.
    let viewModel = try await loaded(
      WallFeed(items: [
        post(1, "A", by: ada, hours: 1), suggestion(2, bea, hours: 30), post(3, "C", by: bea, hours: 28),
        suggestion(4, ada, hours: 30),
      ]))
    #expect(history.entries == ["loading true", #"reload ["2", "4", "3", "1"]"#, "loading false"])
    #expect(
      viewModel.rows.map(\.section) == [
        "Thursday, 2024-02-01", "Thursday, 2024-02-01", "Wednesday, 2024-01-31", "Tuesday, 2024-01-30",
      ])
    let row = try #require(viewModel.rows[2] as? WallPhotoRow)
    #expect([row.title, row.description, row.author, row.time] == ["C", "two lines", "Bea", "23:00"])
    row.press()
    #expect(history.entries[3...] == ["open C"])
  }

  @Test func aMemberHasThePhotosThatTheMemberPosted() async throws {
    let viewModel = try await loaded(
      WallFeed(items: [
        post(1, "Old", by: ada, hours: 1), suggestion(2, ada, hours: 2), post(3, "New", by: ada, hours: 3),
        post(4, "Other", by: bea, hours: 4), suggestion(5, Member(id: 3, name: "Cy", avatar: .file("/cy.jpg"))),
      ]))
    let row = try follow(viewModel, 2)
    #expect(row.count == "2 photos" && row.words == ["2 photos", "Not following"])
    #expect(row.detail.photos.map(\.name) == ["New", "Old"])
    // Screens without images show the names.
    #expect(row.detail.fields == [PhotoDetail.Field("2 photos", "New"), PhotoDetail.Field(" ", "Old")])
    let silent = try follow(viewModel, 4).detail
    #expect(silent.photos.isEmpty && silent.fields.isEmpty)
  }

  @Test func pressingAMemberFollowsThenUnfollows() async throws {
    let viewModel = try await loaded(WallFeed(items: [suggestion(1, ada)]))
    let row = try follow(viewModel)
    let states = History()
    let subscription = row.follow.bind { states.add("\($0)") }
    row.press()
    try await service.follows.answer(0, .success(()))
    try await states.wait(for: 3)
    row.press()
    try await service.follows.answer(1, .success(()))
    try await states.wait(for: 5)
    #expect(
      states.entries == [
        "notFollowing", "asking(toFollow: true)", "following", "asking(toFollow: false)", "notFollowing",
      ])
    #expect(await service.follows.requests == ["follow 1", "unfollow 1"])
    #expect(history.entries.count == 3)
    withExtendedLifetime(subscription) {}
  }

  @Test func aFailedRequestRestoresTheStateAndAlerts() async throws {
    let viewModel = try await loaded(WallFeed(items: [suggestion(1, ada)], followed: [1]))
    let row = try follow(viewModel)
    let states = History()
    let subscription = row.follow.bind { states.add("\($0)") }
    row.press()
    try await service.follows.answer(0, .failure(.noNetwork))
    try await history.wait(for: 4)
    #expect(states.entries == ["following", "asking(toFollow: false)", "following"])
    #expect(history.entries[3...] == ["alert \(APIError.noNetwork.message)"])
    withExtendedLifetime(subscription) {}
  }

  @Test func pressingAMemberDuringARequestDoesNothing() async throws {
    let viewModel = try await loaded(WallFeed(items: [suggestion(1, ada)]))
    let row = try follow(viewModel)
    let states = History()
    let subscription = row.follow.bind { states.add("\($0)") }
    row.press()
    row.press()
    try await service.follows.answer(0, .success(()))
    try await states.wait(for: 3)
    row.press()
    try await service.follows.waitUntilAsked(2)
    #expect(await service.follows.requests == ["follow 1", "unfollow 1"])
    #expect(states.entries[1...] == ["asking(toFollow: true)", "following", "asking(toFollow: false)"])
    withExtendedLifetime(subscription) {}
  }

  @Test func twoRowsOfAMemberShareOneState() async throws {
    let viewModel = try await loaded(WallFeed(items: [suggestion(1, ada), suggestion(2, ada), suggestion(3, bea)]))
    let rows = try (0...2).map { try follow(viewModel, $0) }
    rows[0].press()
    #expect(rows.map(\.follow.value) == [.asking(toFollow: true), .asking(toFollow: true), .notFollowing])
  }

  @Test func aReloadKeepsTheStateOfAMemberPressedSince() async throws {
    let feed = [suggestion(1, ada), suggestion(2, bea)]
    let viewModel = try await loaded(WallFeed(items: feed))
    try follow(viewModel, 0).press()
    viewModel.fetch()
    try await service.feeds.waitUntilAsked(2)
    // The request is answered, but the feed may have been read before.
    let states = History()
    let subscription = try follow(viewModel, 0).follow.bind { states.add("\($0)") }
    try await service.follows.answer(0, .success(()))
    try await states.wait(for: 2)
    try await service.feeds.answer(1, .success(WallFeed(items: feed, followed: [2])))
    try await history.wait(for: 6)
    #expect(try [0, 1].map { try follow(viewModel, $0).follow.value } == [.following, .following])
    #expect(states.entries == ["asking(toFollow: true)", "following"])
    viewModel.fetch()
    try await service.feeds.answer(2, .success(WallFeed(items: feed, followed: [])))
    try await history.wait(for: 9)
    #expect(try [0, 1].map { try follow(viewModel, $0).follow.value } == [.notFollowing, .notFollowing])
    withExtendedLifetime(subscription) {}
  }

  @Test func aFailedFetchAlertsKeepsTheRowsAndCanBeRetried() async throws {
    let viewModel = try await loaded(WallFeed(items: [suggestion(1, ada)]))
    viewModel.fetch()
    viewModel.fetch()
    try await service.feeds.answer(1, .failure(.noNetwork))
    try await history.wait(for: 6)
    #expect(
      history.entries[3...] == ["loading true", "loading false", "alert \(APIError.noNetwork.message)"])
    #expect(viewModel.state == .failed(.noNetwork))
    viewModel.fetch()
    try await service.feeds.answer(2, .success(WallFeed(items: [])))
    try await history.wait(for: 9)
    #expect(history.entries[6...] == ["loading true", "reload []", "loading false"])
  }

  @Test func anAnswerToACanceledFetchChangesNothing() async throws {
    let viewModel = makeViewModel()
    viewModel.fetch()
    let canceled = viewModel.fetching
    try await service.feeds.waitUntilAsked(1)
    viewModel.cancelFetch()
    try await service.feeds.answer(0, .success(WallFeed(items: [suggestion(1, ada)])))
    try await end(of: canceled)
    #expect(history.entries == ["loading true", "loading false"])
    #expect(viewModel.state == .idle)
  }
}

private final class HeldSocialService: SocialServiceProtocol {
  let feeds = Held<Void, WallFeed>()
  let follows = Held<String, Void>()

  func fetchWall() async throws(APIError) -> WallFeed { try await feeds.ask(()) }

  func setFollowing(_ isFollowing: Bool, member: Member.ID) async throws(APIError) {
    try await follows.ask("\(isFollowing ? "follow" : "unfollow") \(member)")
  }
}
