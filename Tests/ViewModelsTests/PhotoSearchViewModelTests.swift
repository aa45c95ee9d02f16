import Gallery
import TestLimit
import Testing

@testable import Finding
@testable import Photos
@testable import ViewModels

@MainActor
@Suite(.limited) struct PhotoSearchViewModelTests {
  private let fixture = PhotoListFixture()
  private var viewModel: PhotoListViewModel { fixture.viewModel }
  private var search: PhotoSearchViewModel { viewModel.search }
  private var said: [String] { fixture.history.entries }
  private var progress: [String] { fixture.progress.entries }

  @Test func matchesAreListedBestFirstUntilTheTextIsEmpty() async throws {
    try await fixture.load(.all("Riverside walk", "River", "Dog", "Overdrive"))
    try await fixture.rows { search.find("river") }
    try await fixture.rows { search.find("walk river") }
    try await fixture.rows { search.find("") }
    #expect(
      said[3...] == [
        #"reload ["River", "Riverside walk"]"#, #"reload ["Riverside walk"]"#,
        #"reload ["Riverside walk", "River", "Dog", "Overdrive"]"#,
      ])
    #expect(search.matchCount == nil && search.query == nil)
    #expect(viewModel.source.loadedCount == 4)
  }

  @Test func theSameTextAgainDoesNothing() async throws {
    try await fixture.load(.all("A", "B"))
    try await fixture.rows { search.find("a") }
    try await end(of: search.running)
    let (said, progress) = (said, progress)
    search.find("a")
    #expect(self.said == said && self.progress == progress)
  }

  @Test func anInvalidQueryReportsAFaultAndKeepsTheRows() async throws {
    try await fixture.load(.all("Alder", "Birch"))
    try await fixture.rows { search.find("ald") }
    try await end(of: search.running)
    search.find("ald color:red")
    let fault = QueryError.unknownField("color").message
    #expect(search.fault == fault)
    #expect(viewModel.rows.map(\.name) == ["Alder"])
    try await fixture.rows { search.find("ald") }
    try await end(of: search.running)
    #expect(search.fault == nil)
    #expect(said[3...] == [#"reload ["Alder"]"#, #"reload ["Alder"]"#])
    #expect(progress == ["", "", "1 found", "\(fault), 1 found", "1 found", "1 found"])
  }

  @Test func aSearchThatFindsNothingSaysWhatToWrite() async throws {
    try await fixture.load(.all("Bridge", "Harbor"))
    try await fixture.rows { search.find("brigde") }
    try await end(of: search.advising)
    #expect(search.advice == "No text has “brigde”. Did you mean “bridge”?")
    #expect(progress.last == "0 found")
    // It is gone with the next search.
    try await fixture.rows { search.find("bridge") }
    try await end(of: search.running)
    #expect(search.advice == nil && search.matchCount == 1)
  }

  /// No text has the letters, so there is no advice, but they begin the name of a field.
  @Test func aSearchThatFindsNothingOffersTheFieldThatItBegins() async throws {
    try await fixture.load(.all("Bridge", "Harbor"))
    try await fixture.rows { search.find("widt") }
    try await end(of: search.advising)
    #expect(search.advice == nil)
    #expect(search.completions.map(\.term) == ["width:"])
  }

  @Test func theServerIsAskedOnceTheUserStopsTyping() async throws {
    let (server, clock) = (HeldContentSearch(), ManualClock())
    let fixture = PhotoListFixture(clock: clock, server: server)
    let search = fixture.viewModel.search
    let images = ["A", "B", "C"].map { ImageLocation.web("https://host/\($0)") }
    try await fixture.load(.all(zip(["A", "B", "C"], images).map { photo($0, at: $1) }))
    let rows = fixture.history.entries.count
    search.find("smart:do")
    search.find("smart:dog ")
    #expect(search.awaitsServer)
    try await clock.wait(forSleepers: 1)
    clock.advance(by: .seconds(1))
    // One of the best photos is not in the list.
    try await server.texts.answer(0, .success([images[2], .web("https://host/D"), images[0]]))
    try await fixture.history.wait(for: rows + 1)
    #expect(fixture.history.entries[rows...] == [#"reload ["C", "A"]"#])
    #expect(search.matchCount == 2 && !search.awaitsServer && search.fault == nil)
    // A condition is another search of the same photos.
    try await fixture.rows { search.find("name:a smart:dog") }
    #expect(fixture.viewModel.rows.map(\.name) == ["A"])
    #expect(await server.texts.requests == ["dog"])
    // A search that is no longer wanted is canceled, and a failure is reported.
    search.find("smart:cat")
    try await clock.wait(forSleepers: 1)
    clock.advance(by: .seconds(1))
    try await server.texts.waitUntilAsked(2)
    search.find("smart:cow")
    try await server.texts.waitUntilCanceled(1)
    try await clock.wait(forSleepers: 1)
    clock.advance(by: .seconds(1))
    let asking = search.asking
    try await server.texts.answer(2, .failure(.permissionDenied(subject: "host")))
    try await end(of: asking)
    #expect(search.fault == APIError.permissionDenied(subject: "host").message && !search.awaitsServer)
    #expect(fixture.viewModel.rows.map(\.name) == ["A"])
  }

  @Test func aSourceThatKnowsNoContentsSaysSo() async throws {
    try await fixture.load(.all("A", "B"))
    search.find("smart:dog")
    #expect(search.fault == QueryError.noServer.message && !search.awaitsServer)
    #expect(viewModel.rows.map(\.name) == ["A", "B"])
  }

  @Test func adviceForAnEarlierTextIsNotShown() async throws {
    try await fixture.load(.all("Bridge", "Harbor"))
    try await fixture.rows { search.find("brigde") }
    try await end(of: search.running)
    let older = try #require(search.advising)
    search.find("bridge")
    #expect(older.isCancelled)
    try await end(of: older)
    try await end(of: search.running)
    #expect(search.advice == nil && search.matchCount == 1)
  }

  @Test func theNewestSearchWins() async throws {
    try await fixture.load(.all("Alder", "Birch"))
    search.find("a")
    let older = search.running
    search.find("birch")
    #expect(older?.isCancelled == true)
    try await end(of: older)
    try await end(of: search.running)
    #expect(said[3...] == [#"reload ["Birch"]"#])
  }

  @Test func aCanceledSearchChangesNothing() async throws {
    try await fixture.load(.all("Alder", "Birch"))
    search.find("birch")
    let older = search.running
    search.find("")
    #expect(older?.isCancelled == true)
    try await end(of: older)
    #expect(said[3...] == [#"reload ["Alder", "Birch"]"#])
  }

  @Test func theNextAndThePreviousMatchWrapAround() async throws {
    try await fixture.load(.all("Ash one", "Birch", "Ash two", "Cedar", "Ash three"))
    #expect(search.match(after: 0) == nil)
    try await fixture.rows { search.find("ash") }
    #expect(viewModel.rows.count == 3)
    #expect([0, 1, 2].map { search.match(after: $0) } == [1, 2, 0])
    #expect([0, 1, 2].map { search.match(after: $0, isBackwards: true) } == [2, 0, 1])
    let names = try await fixture.rows { search.toggleListsAll() }
    #expect(names == ["Ash one", "Birch", "Ash two", "Cedar", "Ash three"])
    #expect(search.listsAll && search.matchCount == 3)
    #expect([0, 1, 2, 3, 4].map { search.match(after: $0) } == [2, 2, 4, 4, 0])
    #expect([0, 1, 2, 3, 4].map { search.match(after: $0, isBackwards: true) } == [4, 0, 0, 2, 2])
    // The sorted list is Ash one, three, two, Birch, Cedar.
    try await fixture.rows { search.sort(by: .name) }
    #expect([0, 1, 2, 3].map { search.match(after: $0) } == [1, 2, 0, 0])
    try await fixture.rows { search.find("zz") }
    #expect(search.match(after: 0) == nil && viewModel.rows.count == 5)
    try await fixture.rows { search.toggleListsAll() }
    #expect(search.match(after: 0) == nil && viewModel.rows.isEmpty)
  }

  @Test func sortingByTheSameKeyAgainReversesTheOrder() async throws {
    try await fixture.load(.all("Birch 10", "Cedar", "alder", "Birch 9"))
    let row = viewModel.rows[1]
    for (key, names, place) in [
      (PhotoOrder.Key.name, ["alder", "Birch 9", "Birch 10", "Cedar"], 3),
      (.name, ["Cedar", "Birch 10", "Birch 9", "alder"], 0),
      (.source, ["Birch 10", "Cedar", "alder", "Birch 9"], 1),
      (.source, ["Birch 9", "alder", "Cedar", "Birch 10"], 2),
    ] {
      #expect(try await fixture.rows { search.sort(by: key) } == names)
      #expect(viewModel.rows.index(of: row)?.value == place)
    }
    // Dates are sorted newest first.
    search.sort(by: .date)
    #expect(search.order == PhotoOrder(.date, isAscending: false))
  }

  @Test func matchesStaySortedWhilePhotosAreLoaded() async throws {
    let first = PhotoSnapshot.beginning("Ash 2", "Birch", "Ash 3")
    try await fixture.load(first)
    try await fixture.rows { search.sort(by: .name) }
    let row = try await fixture.rows { search.find("ash") } == ["Ash 2", "Ash 3"] ? viewModel.rows[0] : nil
    #expect(viewModel.source.isReading)
    try await fixture.give(first.adding("Ash 1", "Cedar"))
    try await end(of: search.running)
    #expect(viewModel.rows.map(\.name) == ["Ash 1", "Ash 2", "Ash 3"])
    #expect(row.flatMap(viewModel.rows.index(of:)) == 1)
    // A row finds its photo at another index of the table.
    try await fixture.give(.all("Birch", "Ash 4", "Ash 2"))
    try await end(of: search.running)
    #expect(viewModel.rows.map(\.name) == ["Ash 2", "Ash 4"])
    #expect(row.flatMap(viewModel.rows.index(of:)) == 0)
    #expect(search.matchCount == 2 && viewModel.source.loadedCount == 3)
    #expect(try await fixture.rows { search.find("") } == ["Ash 2", "Ash 4", "Birch"])
  }

  @Test func rowsHighlightTheMatches() async throws {
    try await fixture.load(
      PhotoSnapshot(photos: PhotoTable([photo("Étang", camera: "X100", description: "A pond")])))
    try await fixture.rows { search.find("etang camera:x100") }
    let row = viewModel.rows[0]
    #expect(row.found(inName: row.name).map { String(row.name[$0]) } == ["Étang"])
    #expect(row.found(inSubtitle: row.subtitle).map { String(row.subtitle[$0]) } == ["X100"])
    try await fixture.rows { search.find("") }
    #expect(viewModel.rows[0].found(inName: "Étang").isEmpty)
  }

  @Test func pressingAMatchOpensIt() async throws {
    try await fixture.load(PhotoSnapshot(photos: PhotoTable([photo("Alder"), photo("Birch", isForSale: true)])))
    try await fixture.rows { search.find("birch") }
    viewModel.rows[0].press()
    viewModel.rows[0].view()
    #expect(said.suffix(2) == ["open Birch", "open Birch"])
    #expect(viewModel.rows[0].detail.name == "Birch")
    #expect(viewModel.rows.index(ofPhoto: try #require(viewModel.selectedPhoto).id) == 0)
  }
}
