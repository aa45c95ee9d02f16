import Gallery
import Services
import Terminal
import TestLimit
import Testing
import ViewModels

@testable import Screens

@MainActor @Suite(.timeLimit(.minutes(5)), .limited) struct CoversScreenTests {
  private let host = StubHost()

  private func track(_ id: Int, _ name: String, on album: String) -> Track {
    Track(
      id: id, trackName: name, collectionName: album, artistName: "Band of \(name)", artwork: .file("/a.jpg"))
  }

  private func makeRoom(_ tracks: Result<[Track], APIError>, retriedError: APIError? = nil) -> CoversScreen {
    let service = StubMusic(tracks: tracks, retriedError: retriedError)
    return CoversScreen(
      viewModel: CoversViewModel(service: service, clock: HeldClock()), host: host, context: host.makeContext())
  }

  /// Enters the room, and waits until it has searched for an empty term.
  private func open(_ names: String...) async -> CoversScreen {
    await open(names.enumerated().map { id, name in track(id, name, on: "Album of \(name)") })
  }

  private func open(_ tracks: [Track]) async -> CoversScreen {
    let screen = makeRoom(.success(tracks))
    screen.enter()
    await host.wait { !screen.isLoading }
    return screen
  }

  private func search(_ text: String, in screen: CoversScreen) async {
    screen.perform(.search)
    #expect(screen.type(.paste(text)))
    screen.perform(.press)
    await host.wait { !screen.isLoading }
  }

  @Test func aCoverIsDrawnWithAlbumArtistAndTrack() async throws {
    let screen = await open("gulls", "tides")
    let drawing = screen.drawing()
    let line = try #require(drawing.line(with: "Album of gulls"))
    #expect(drawing.lines[line + 1].contains("Band of gulls"))
    #expect(drawing.lines[line + 2].hasSuffix("gulls"))
    #expect(drawing.contains("Covers") && drawing.contains("1/2"))
    #expect(drawing.lines.first?.contains("album, track or artist") == true)
    #expect(screen.statusText == "2 covers")
  }

  @Test func furtherTracksAreListedUnderTheirCover() async throws {
    let screen = await open([
      track(1, "gulls", on: "Ocean"), track(2, "rain", on: "Sky"), track(3, "tides", on: "Ocean"),
    ])
    let drawing = screen.drawing()
    let line = try #require(drawing.line(with: "Ocean"))
    #expect(drawing.lines[line + 2].hasSuffix("gulls") && drawing.lines[line + 3].hasSuffix("tides"))
    #expect(drawing.lines[line + 4].isEmpty && drawing.lines[line + 5].hasSuffix("Sky"))
    // Both names have five letters, so they start in the same column.
    #expect(drawing.lines[line + 2].count == drawing.lines[line + 3].count)
    #expect(screen.statusText == "2 covers" && drawing.contains("1/3"))
    #expect(screen.announcement == "1 of 3: Ocean, Band of gulls, gulls")
    screen.perform(.moveDown)
    #expect(screen.announcement == "2 of 3: Ocean, tides")
    screen.perform(.press)
    #expect(host.alerts == [Alert(title: "Tapped: Ocean", message: "music: tides")])
  }

  @Test func aLongTrackKeepsItsEnd() async {
    let name = "Variations on a long theme by somebody else, BWV 988 - Variation"
    let screen = await open([track(1, "\(name) 1", on: "Sea"), track(2, "\(name) 2", on: "Sky")])
    for columns in 34...60 {
      let lines = screen.drawing(columns: columns).lines
      for number in 1...2 { #expect(lines.contains { $0.hasSuffix("ation \(number)") }, "\(columns) columns") }
      #expect(lines.allSatisfy { $0.count < columns })
    }
  }

  @Test func tracksOfAnAlbumAreReadableInNarrowWindows() async {
    let name = "Variations on a long theme by somebody else, BWV 988 - Variation"
    let screen = await open([track(1, "\(name) 1", on: "Sea"), track(2, "\(name) 2", on: "Sea")])
    let lines = screen.drawing(columns: 34).lines
    for number in 1...2 { #expect(lines.contains { $0.hasSuffix("Variation \(number)") && !$0.contains(": ") }) }
  }

  @Test func theFieldTakesTheKeysAndGivesThemBack() async {
    let screen = await open("gulls")
    #expect(!screen.isTyping && screen.offers(.search) && screen.offers(.reload))
    #expect(!screen.type(.key("g")))
    screen.perform(.search)
    #expect(screen.isTyping && screen.label(of: .press) == "Search")
    #expect(!screen.knows(.search) && !screen.knows(.reload))
    #expect(screen.type(.key("g")))
    #expect(screen.drawing().lines.first?.contains("g") == true)
    screen.perform(.close)
    #expect(!screen.isTyping && screen.label(of: .press) == nil)
  }

  @Test func aSearchShowsWhatItFound() async {
    let screen = await open("gulls", "tides")
    await search("tides", in: screen)
    #expect(screen.statusText == "1 cover for “tides”")
    #expect(screen.drawing().contains("Album of tides") && !screen.drawing().contains("Album of gulls"))
  }

  @Test func aSearchThatFindsNothingSaysSo() async {
    let screen = await open("gulls")
    await search("storms", in: screen)
    #expect(screen.drawing().contains("Nothing found for “storms”."))
    #expect(screen.drawing().contains("Press / to try other words."))
    #expect(screen.announcement == "Nothing found for “storms”. Press / to try other words.")
    screen.perform(.search)
    #expect(screen.announcement?.contains("storms · ") == true)
    #expect(screen.drawing().contains("Try other words."))
    #expect(screen.statusText == "0 covers for “storms”")
  }

  @Test func aServerThatListsNothingInvitesToSearch() async {
    let screen = await open()
    host.keys.bind(.search, to: ["f"])
    #expect(screen.drawing().contains("Press f and type to search."))
  }

  @Test func aSearchInProgressIsNotRepeated() {
    let screen = makeRoom(.success([]))
    screen.enter()
    #expect(screen.statusText.hasSuffix("Searching…"))
    #expect(screen.drawing().contains("Searching…"))
    #expect(screen.refusal(of: .reload) == "Already searching.")
  }

  @Test func aSearchThatIsTriedAgainSaysWhy() async {
    let screen = makeRoom(.success([]), retriedError: .serverOverload)
    screen.enter()
    await host.wait { !screen.statusText.contains("Searching…") }
    #expect(screen.status.map(\.text).last == APIError.serverOverload.message)
    #expect(screen.status.first?.text.hasSuffix("Trying again…") == true)
    let drawing = screen.drawing(columns: 140)
    #expect(drawing.contains(APIError.serverOverload.message) && drawing.contains("Trying again…"))
    #expect(host.alerts.isEmpty && screen.refusal(of: .reload) == "Already searching.")
  }

  @Test func aFailedSearchSaysWhyAndHowToRetry() async {
    let screen = makeRoom(.failure(.serverOverload))
    screen.enter()
    await host.wait { !screen.isLoading }
    #expect(screen.statusText == "Can't load the music")
    #expect(screen.drawing(columns: 140).contains("Press r to try again."))
    #expect(host.alerts == [Alert(title: "Search error", .serverOverload)])
    await search("gulls", in: screen)
    #expect(screen.statusText == "Can't search for “gulls”")
  }

  @Test func thePressedCoverIsNamedInAnAlert() async {
    let screen = await open("gulls", "tides")
    screen.perform(.moveDown)
    screen.perform(.press)
    #expect(host.alerts == [Alert(title: "Tapped: Album of tides", message: "music: tides")])
  }
}
