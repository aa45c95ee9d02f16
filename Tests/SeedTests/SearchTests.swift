import Gallery
import Services
import TestLimit
import Testing
import ViewModels

/// The cases of the article about the music search: a text goes in, and tracks, failures and alerts come out.
@MainActor
@Suite(.limited) struct SearchTests {
  private let mockMusicService = MockMusicService()
  private let clock = HeldClock()
  private let searchText = Subject<String>()
  private let enter = Subject<String>()
  private let viewModel: CoversViewModel
  private let output: CoversViewModel.Output
  private let alerts = Recorder<Alert>()
  private let states = Recorder<CoversViewModel.State>()
  private let subscriptions: [Subscription]

  init() {
    viewModel = CoversViewModel(service: mockMusicService, clock: clock)
    output = viewModel.transform(CoversViewModel.Input(term: searchText, submit: enter))
    subscriptions = [
      output.alerts.bind { [alerts] in alerts.add($0) },
      output.state.bind { [states] in states.add($0) },
    ]
  }

  @Test func aSearchShowsTheTracksThatItFinds() async throws {
    try await openTheRoom()
    enter.send("bach")
    try await mockMusicService.searches.answer(.success([track("Air", on: "Suite 3"), track("Gigue", on: "Suite 1")]))
    try await states.wait(for: 4)
    #expect(output.rows.value.map(\.track) == ["Air", "Gigue"])
    #expect(states.entries[2...] == [.searching("bach"), .found("bach", count: 2)])
  }

  @Test func typingSearchesOnceAfterAPause() async throws {
    try await openTheRoom()
    for text in ["b", "ba", "bach"] { searchText.send(text) }
    #expect(mockMusicService.searches.requests == [""])
    try await clock.endSleeps(3)
    try await mockMusicService.searches.answer(.success([]))
    #expect(mockMusicService.searches.requests == ["", "bach"])
  }

  @Test func theLastSearchWins() async throws {
    try await openTheRoom()
    enter.send("old")
    try await mockMusicService.searches.wait(for: 2)
    enter.send("new")
    try await mockMusicService.searches.wait(for: 3)
    try await mockMusicService.searches.answer(.success([track("Old", on: "Old")]))
    try await mockMusicService.searches.answer(.success([track("New", on: "New")]))
    try await states.wait(for: 5)
    #expect(states.entries[2...] == [.searching("old"), .searching("new"), .found("new", count: 1)])
    #expect(output.rows.value.map(\.track) == ["New"])
  }

  @Test func aFailedSearchShowsItsError() async throws {
    try await openTheRoom()
    enter.send("bach")
    try await mockMusicService.searches.answer(.failure(.serverOverload))
    try await alerts.wait(for: 1)
    #expect(alerts.entries == [Alert(title: "Search error", .serverOverload)])
    #expect(output.state.value == .failed("bach", .serverOverload))
  }

  @Test func aTappedCoverShowsItsAlbumAndItsTrack() async throws {
    try await openTheRoom(with: [track("Air", on: "Suite 3")])
    output.rows.value[0].press()
    #expect(alerts.entries == [Alert(title: "Tapped: Suite 3", message: "music: Air", button: "Ok")])
  }

  /// Answers the search for an empty text with which the room begins.
  private func openTheRoom(with tracks: [Track] = []) async throws {
    try await mockMusicService.searches.answer(.success(tracks))
    try await states.wait(for: 2)
  }

  private func track(_ name: String, on album: String) -> Track {
    Track(
      id: name.hashValue, trackName: name, collectionName: album, artistName: "Bach",
      artwork: .web("http://h/\(album.hashValue).jpg"))
  }
}

@MainActor
private final class MockMusicService: MusicServiceProtocol {
  let searches = HeldRequests<String, [Track]>()

  func search(_ term: String, onRetry _: @escaping @Sendable (APIError) -> Void) async throws(APIError) -> [Track] {
    try await searches.ask(term)
  }
}
