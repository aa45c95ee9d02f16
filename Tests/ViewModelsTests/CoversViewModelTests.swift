import Gallery
import Services
import Synchronization
import TestLimit
import Testing

@testable import ViewModels

@MainActor
@Suite(.limited) struct CoversViewModelTests {
  private let service = HeldMusicService()
  private let clock = ManualClock()
  private let history = History()
  private let term = Subject<String>()
  private let submit = Subject<String>()
  private let viewModel: CoversViewModel
  private let output: CoversViewModel.Output
  private let subscriptions: [Subscription]

  init() {
    viewModel = CoversViewModel(service: service, clock: clock)
    let output = viewModel.transform(CoversViewModel.Input(term: term, submit: submit))
    self.output = output
    subscriptions = [
      output.rows.bind { [history] in history.add("rows \($0.map(\.track))") },
      output.state.bind { [history] in history.add("\($0)") },
      output.alerts.bind { [history] in history.add("alert \($0.title): \($0.message) [\($0.button)]") },
    ]
  }

  @Test func bindingSearchesForAnEmptyTerm() async throws {
    try await enter()
    #expect(history.entries == ["rows []", #"searching("")"#, #"rows ["A", "B"]"#, #"found("", count: 2)"#])
    #expect(await service.searches.requests == [""])
  }

  @Test func bindingAgainSearchesAgain() async throws {
    try await service.searches.waitUntilAsked(1)
    let again = viewModel.transform(CoversViewModel.Input(term: Subject(), submit: Subject()))
    try #require(history.entries == ["rows []", #"searching("")"#, "idle", #"searching("")"#])
    try await service.searches.answer(1, .success([track("A")]))
    try await history.wait(for: 6)
    #expect(again.rows.value.map(\.track) == ["A"])
  }

  @Test func aTypedTermIsSearchedForAfterAPause() async throws {
    try await enter()
    for (number, text) in ["b", "ba", " bach "].enumerated() {
      term.send(text)
      try await clock.wait(forReadings: number + 1)
    }
    try await clock.wait(forSleepUntil: .milliseconds(300))
    #expect(await service.searches.requests == [""])
    clock.advance(by: .milliseconds(300))
    try await service.searches.answer(1, .success([track("C")]))
    try await history.wait(for: 7)
    #expect(history.entries[4...] == [#"searching("bach")"#, #"rows ["C"]"#, #"found("bach", count: 1)"#])
    #expect(await service.searches.requests == ["", "bach"])
  }

  @Test func theNewestSearchWinsWhateverTheOrderOfTheAnswers() async throws {
    try await enter()
    submit.send("old")
    try await service.searches.waitUntilAsked(2)
    submit.send("new")
    try await service.searches.waitUntilAsked(3)
    try await service.searches.answer(2, .success([track("N")]))
    try await history.wait(for: 8)
    try await service.searches.answer(1, .success([track("O")]))
    submit.send("next")
    try await history.wait(for: 9)
    #expect(
      history.entries[4...] == [
        #"searching("old")"#, #"searching("new")"#, #"rows ["N"]"#, #"found("new", count: 1)"#,
        #"searching("next")"#,
      ])
  }

  @Test func aSearchCancelsTheOneBefore() async throws {
    try await enter()
    submit.send("old")
    try await service.searches.waitUntilAsked(2)
    submit.send("new")
    try await service.searches.waitUntilCanceled(1)
    try await service.searches.waitUntilAsked(3)
    #expect(await service.searches.requests == ["", "old", "new"])
  }

  @Test func anAnswerToAnEarlierSearchChangesNothing() async throws {
    try await enter()
    let old = try #require(viewModel.begin(.submitted("old")))
    let new = try #require(viewModel.begin(.submitted("new")))
    viewModel.receive(CoversViewModel.Answer(search: old, tracks: .failure(.noNetwork)))
    viewModel.receive(CoversViewModel.Answer(search: new, tracks: .success([])))
    #expect(
      history.entries[4...] == [
        #"searching("old")"#, #"searching("new")"#, "rows []", #"found("new", count: 0)"#,
      ])
  }

  @Test func aSubmittedTermIsNotSearchedForAgainWhenTyped() async throws {
    try await enter()
    submit.send("bach")
    try await service.searches.waitUntilAsked(2)
    #expect(viewModel.begin(.typed("bach ")) == nil)
    #expect(viewModel.begin(.submitted("bach")) == nil)
    try await service.searches.answer(1, .success([]))
    try await history.wait(for: 7)
    #expect(viewModel.begin(.typed("bach")) == nil)
    #expect(viewModel.begin(.submitted("bach"))?.term == "bach")
  }

  @Test func aFailedSearchAlertsKeepsTheRowsAndCanBeRepeated() async throws {
    try await enter()
    submit.send("bach")
    try await service.searches.answer(1, .failure(.noNetwork))
    try await history.wait(for: 7)
    #expect(
      history.entries[4...] == [
        #"searching("bach")"#, #"failed("bach", Gallery.APIError.noNetwork)"#,
        "alert Search error: \(APIError.noNetwork.message) [Ok]",
      ])
    #expect(output.rows.value.map(\.track) == ["A", "B"])
    submit.send("bach")
    try await service.searches.answer(2, .success([track("C")]))
    try await history.wait(for: 10)
    #expect(history.entries[7...] == [#"searching("bach")"#, #"rows ["C"]"#, #"found("bach", count: 1)"#])
  }

  @Test func aSearchThatIsTriedAgainSaysSo() async throws {
    try await enter()
    submit.send("bach")
    try await service.searches.waitUntilAsked(2)
    service.onRetry.withLock { $0?(.serverOverload) }
    try await history.wait(for: 6)
    #expect(output.state.value.isLoading)
    try await service.searches.answer(1, .success([track("C")]))
    try await history.wait(for: 8)
    #expect(
      history.entries[4...] == [
        #"searching("bach")"#, #"retrying("bach", Gallery.APIError.serverOverload)"#, #"rows ["C"]"#,
        #"found("bach", count: 1)"#,
      ])
    // A late report changes nothing.
    viewModel.retry(CoversViewModel.Search(term: "bach", generation: 2), after: .noNetwork)
    #expect(!output.state.value.isLoading)
  }

  @Test func pressingACoverShowsTheAlbumAndTheTrack() async throws {
    try await enter()
    output.rows.value[1].press()
    #expect(history.entries[4...] == ["alert Tapped: Album B: music: B [Ok]"])
    let cover = try #require(output.rows.value[1] as? CoverRow)
    #expect(cover.artwork(pixels: 500) == .web("http://h/600x600bb.jpg"))
  }

  @Test func tracksOfAnAlbumFollowItsCover() async throws {
    let tracks = [
      track("A", on: "X"), track("B", on: "Y"), track("C", on: "X"), track("D", on: "X", cover: "other"),
      track("E", on: "X"),
    ]
    try await service.searches.answer(0, .success(tracks))
    try await history.wait(for: 4)
    #expect(history.entries[2...] == [#"rows ["A", "C", "E", "B", "D"]"#, #"found("", count: 3)"#])
    #expect(output.rows.value.map { $0 is CoverRow } == [true, false, false, true, true])
    output.rows.value[1].press()
    #expect(history.entries[4...] == ["alert Tapped: Album X: music: C [Ok]"])
    for row in output.rows.value.prefix(3) {
      let detail = row.detail(pixels: 0)
      #expect(detail.name == "Album X" && detail.author == "Artist")
      #expect(detail.fields.map(\.label) == ["Tracks", " ", " "] && detail.fields.map(\.value) == ["A", "C", "E"])
    }
    #expect(output.rows.value[3].detail(pixels: 0).fields == [PhotoDetail.Field("Track", "B")])
  }

  /// The names on album X, and how its rows show them.
  @Test(arguments: [
    // The part that all begin with goes, up to the last mark.
    (["Bach: Suite – Air", "Bach: Suite – Aria"], ["Air", "Aria"]),
    (["Bach: Spring", "Bach: Summer"], ["Spring", "Summer"]),
    // Beginnings without a mark stay, and so do those that only some have.
    (["The Sun", "The Moon"], ["The Sun", "The Moon"]), (["Bach: Air", "Satie: Air"], ["Bach: Air", "Satie: Air"]),
    (["Bach: Air", "Bach: Aria", "Encore"], ["Bach: Air", "Bach: Aria", "Encore"]),
    // A single track shares its beginning with the album alone.
    (["Bach: Air"], ["Bach: Air"]), (["Album X - Air"], ["Air"]), (["Album X"], ["Album X"]),
    (["Album X: Air", "Encore"], ["Air", "Encore"]),
  ])
  func tracksAreShownWithoutThePartsThatTheyRepeat(names: [String], shown: [String]) async throws {
    try await service.searches.answer(0, .success(names.map { track($0, on: "X") }))
    try await history.wait(for: 4)
    #expect(output.rows.value.map(\.track) == shown)
    // The detail and the alert have the whole names.
    #expect(output.rows.value[0].detail(pixels: 0).fields.map(\.value) == names)
    output.rows.value.last?.press()
    #expect(history.entries.last == "alert Tapped: Album X: music: \(names[names.count - 1]) [Ok]")
  }

  private func enter() async throws {
    try await service.searches.answer(0, .success([track("A"), track("B")]))
    try await history.wait(for: 4)
  }

  private func track(_ name: String, on album: String? = nil, cover: String = "h") -> Track {
    Track(
      id: name.hashValue, trackName: name, collectionName: "Album \(album ?? name)", artistName: "Artist",
      artwork: .web("http://\(cover)/100x100bb.jpg"))
  }
}

private final class HeldMusicService: MusicServiceProtocol {
  let searches = Held<String, [Track]>()

  /// The callback of the last search.
  let onRetry = Mutex<(@Sendable (APIError) -> Void)?>(nil)

  func search(_ term: String, onRetry: @escaping @Sendable (APIError) -> Void) async throws(APIError) -> [Track] {
    self.onRetry.withLock { $0 = onRetry }
    return try await searches.ask(term)
  }
}
