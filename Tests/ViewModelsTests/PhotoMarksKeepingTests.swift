import Finding
import Gallery
import Photos
import Services
import TestLimit
import Testing

@testable import ViewModels

/// Storing marks, and restoring those of the last session.
@MainActor
@Suite(.timeLimit(.minutes(5)), .limited) struct PhotoMarksKeepingTests {
  private let service = HeldMarks()
  private let clock = ManualClock()
  private let marks: PhotoMarks
  private let fixture: PhotoListFixture

  init() {
    marks = PhotoMarks(service: service, clock: clock)
    fixture = PhotoListFixture(marks: marks)
  }

  /// Returns photos whose locations are their names. Their IDs are others in each session.
  private func table(_ names: String, session: Int = 0) -> PhotoTable {
    PhotoTable(
      names.split(separator: " ").map { name in
        let photo = photo(String(name), at: .file(FilePath("/\(name)")))
        return Photo(
          id: photo.id &+ session, name: photo.name, createdAt: photo.createdAt, imageURL: "", image: photo.image)
      })
  }

  private func snapshot(_ photos: PhotoTable, isComplete: Bool = true) -> PhotoSnapshot {
    PhotoSnapshot(photos: photos).with { $0.isComplete = isComplete }
  }

  private func toggle(_ name: String) {
    let rows = fixture.viewModel.rows
    for row in rows.indices where rows.photo(at: row).name == name { marks.toggle(row: row, in: rows) }
  }

  private var marked: String { fixture.choosing.markedPhotos.map(\.name).joined(separator: " ") }

  /// Answers the request for the stored marks, which is the first one.
  private func answerLoading(_ stored: String) async throws {
    try await service.work.answer(0, .success(HeldMarks.set(stored)))
    while let work = marks.keeping?.work { await work.value }
  }

  @Test func marksAreRestoredToPhotosThatAreThereAndThoseThatAppear() async throws {
    var photos = table("a b", session: 7)
    try await fixture.load(snapshot(photos, isComplete: false))
    marks.load()
    try await answerLoading("b c gone")
    #expect(marked == "b")
    photos.append(table("c d", session: 9)) { _ in true }
    try await fixture.give(snapshot(photos))
    await marks.settle()
    #expect(marked == "b c")
    #expect(await service.work.requests == ["read"])
  }

  @Test func changesAreStoredTogetherAfterAPause() async throws {
    try await fixture.load(snapshot(table("a b c")))
    marks.load()
    try await answerLoading("c")
    toggle("a")
    try await clock.wait(forSleepUntil: .seconds(1))
    clock.advance(by: .milliseconds(900))
    // A key that marks and is held down doesn't put it off.
    toggle("b")
    #expect(await service.work.requests == ["read"])
    clock.advance(by: .milliseconds(100))
    try await service.work.answer(1, .success(MarkedLocations()))
    #expect(await service.work.requests == ["read", "write a b c"])
  }

  @Test func whileMarksAreWrittenOnlyTheNewestWait() async throws {
    try await fixture.load(snapshot(table("a b c")))
    marks.load()
    toggle("a")
    async let settled: Void = marks.settle()
    try await service.work.answer(0, .success(MarkedLocations()))
    try await service.work.waitUntilAsked(2)
    toggle("b")
    toggle("c")
    toggle("a")
    async let again: Void = marks.settle()
    try await service.work.answer(1, .success(MarkedLocations()))
    try await service.work.answer(2, .success(MarkedLocations()))
    _ = await (settled, again)
    #expect(await service.work.requests == ["read", "write a", "write b c"])
  }

  @Test(arguments: [(false, "write a gone"), (true, "write a")])
  func photosThatAreGoneLoseTheirMarksIfTheSourceIsComplete(isComplete: Bool, request: String) async throws {
    try await fixture.load(snapshot(table("a b"), isComplete: isComplete))
    marks.load()
    try await answerLoading("gone")
    toggle("a")
    async let settled: Void = marks.settle()
    try await service.work.answer(1, .success(MarkedLocations()))
    await settled
    #expect(await service.work.requests == ["read", request])
  }

  /// Otherwise, a key would rate a photo that nobody sees, instead of the highlighted one.
  @Test func photosThatAreRemovedByAnotherProgramLoseTheirMarks() async throws {
    try await fixture.load(snapshot(table("a b")))
    marks.load()
    try await answerLoading("b")
    #expect(marks.count == 1)
    try await fixture.give(snapshot(table("a")))
    try await service.work.answer(1, .success(MarkedLocations()))
    while let work = marks.keeping?.work { await work.value }
    #expect(marks.count == 0)
  }

  @Test func aRestoredMarkThatIsRemovedIsNotStoredAgain() async throws {
    try await fixture.load(snapshot(table("a b"), isComplete: false))
    marks.load()
    try await answerLoading("a later")
    toggle("a")
    async let settled: Void = marks.settle()
    try await service.work.answer(1, .success(MarkedLocations()))
    await settled
    #expect(await service.work.requests == ["read", "write later"])
  }

  /// A photo that has been taken away is in no snapshot that is complete.
  @Test func anotherPageMayHaveTheMissingPhotos() async throws {
    try await fixture.load(snapshot(table("a")).with { $0.nextPage = "2" })
    marks.load()
    try await answerLoading("later")
    toggle("a")
    async let settled: Void = marks.settle()
    try await service.work.answer(1, .success(MarkedLocations()))
    await settled
    #expect(await service.work.requests == ["read", "write a later"])
  }

  @Test func marksStayWhileTheSourceIsReadAgain() async throws {
    try await fixture.load(snapshot(table("a b")))
    marks.load()
    try await answerLoading("b")
    fixture.viewModel.fetch()
    try await fixture.give(snapshot(table("a", session: 1), isComplete: false))
    toggle("a")
    async let settled: Void = marks.settle()
    try await service.work.answer(1, .success(MarkedLocations()))
    await settled
    #expect(await service.work.requests == ["read", "write a b"])
    try await fixture.give(snapshot(table("a b", session: 1)))
    await marks.settle()
    while let work = marks.keeping?.work { await work.value }
    #expect(marked == "a b")
  }

  @Test func marksThatCannotBeReadAreNotOverwritten() async throws {
    let error = APIError.notKept(path: "/s", .readOnly)
    try await fixture.load(snapshot(table("a")))
    marks.load()
    try await service.work.answer(0, .failure(error))
    while let work = marks.keeping?.work { await work.value }
    toggle("a")
    async let settled: Void = marks.settle()
    try await service.work.answer(1, .failure(error))
    await settled
    #expect(alerts == ["alert Can't restore the marks: \(error.message)"])
    async let again: Void = marks.settle()
    try await service.work.answer(2, .success(HeldMarks.set("b")))
    try await service.work.answer(3, .success(MarkedLocations()))
    await again
    #expect(await service.work.requests == ["read", "read", "read", "write a"])
  }

  @Test func aMarkThatIsMadeWhileOthersAreRestoredStays() async throws {
    try await fixture.load(snapshot(table("a b")))
    marks.load()
    try await service.work.waitUntilAsked(1)
    toggle("a")
    async let settled: Void = marks.settle()
    try await service.work.answer(0, .success(HeldMarks.set("b")))
    try await service.work.answer(1, .success(MarkedLocations()))
    await settled
    #expect(marked == "a b")
    #expect(await service.work.requests == ["read", "write a b"])
  }

  private var alerts: [String] { fixture.history.entries.filter { $0.hasPrefix("alert") } }

  @Test func aFailureIsReportedAgainAfterASuccess() async throws {
    let alert = Alert(title: "Can't keep the marks", message: APIError.notKept(path: "/s", .full).message)
    try await fixture.load(snapshot(table("a")))
    marks.load()
    try await answerLoading("")
    for (number, succeeds) in [false, false, true, false].enumerated() {
      toggle("a")
      async let settled: Void = marks.settle()
      try await service.work.answer(
        number + 1, succeeds ? .success(MarkedLocations()) : .failure(.notKept(path: "/s", .full)))
      await settled
      #expect(marks.failure == (succeeds ? nil : alert))
    }
    #expect(alerts == Array(repeating: "alert \(alert.title): \(alert.message)", count: 2))
    #expect(await service.work.requests == ["read", "write a", "write ", "write a", "write "])
  }

  @Test func aSnapshotDoesNotShortenThePause() async throws {
    try await fixture.load(snapshot(table("a b")))
    marks.load()
    try await answerLoading("b")
    toggle("a")
    try await clock.wait(forSleepUntil: .seconds(1))
    try await fixture.give(snapshot(table("a b")))
    toggle("b")
    async let settled: Void = marks.settle()
    try await service.work.answer(1, .success(MarkedLocations()))
    #expect(await service.work.requests == ["read", "write a"])
    await settled
  }

  /// A disk that is taken away looks like an empty folder or one that cannot be read.
  @Test(arguments: ["", "c"]) func marksOfPhotosThatCannotBeReadStay(rest: String) async throws {
    try await fixture.load(snapshot(table("a b c")))
    marks.load()
    try await answerLoading("a b")
    try await fixture.give(
      snapshot(table(rest)).with {
        if !rest.isEmpty { $0.problems.append(CatalogProblem(.folder, .source(.notFound(path: "/a")))) }
      })
    await marks.settle()
    try await fixture.give(snapshot(table("a b c", session: 1)))
    await marks.settle()
    #expect(marked == "a b")
    #expect(await service.work.requests == ["read"])
  }

  @Test func theNewPathOfAMarkedPhotoIsStored() async throws {
    let (old, new) = (photo("a", at: .file(FilePath("/a"))), photo("a", at: .file(FilePath("/z"))))
    try await fixture.load(snapshot(PhotoTable([old])))
    marks.load()
    try await answerLoading("a")
    try await fixture.give(snapshot(PhotoTable([new])))
    try await service.work.answer(1, .success(MarkedLocations()))
    await marks.settle()
    #expect(await service.work.requests == ["read", "write z"])
  }

  @Test func aPhotoThatIsReadAgainWithAnotherIDStaysMarked() async throws {
    try await fixture.load(snapshot(table("a b")))
    marks.load()
    try await answerLoading("b")
    try await fixture.give(snapshot(table("a b", session: 3)))
    while let work = marks.keeping?.work { await work.value }
    #expect(marked == "b")
    #expect(await service.work.requests == ["read"])
  }

  @Test func restoredMarksAppearInASearchForMarks() async throws {
    try await fixture.load(snapshot(table("a b c")))
    marks.load()
    try await service.work.waitUntilAsked(1)
    #expect(try await fixture.rows { fixture.viewModel.search.find("is:marked") } == [])
    let count = fixture.history.entries.count
    try await answerLoading("b")
    // The note about the marks comes before the rows.
    try await fixture.history.wait(for: count + 2)
    #expect(fixture.viewModel.rows.map(\.name) == ["b"])
  }

  /// The list does not lose a row under the highlight.
  @Test func aSearchForMarksKeepsItsRowsUntilItIsRunAgain() async throws {
    try await fixture.load(snapshot(table("a b c")))
    marks.load()
    toggle("a")
    toggle("b")
    let search = fixture.viewModel.search
    #expect(try await fixture.rows { search.find("is:marked") } == ["a", "b"])
    toggle("a")
    marks.toggle(photo("c").id)
    #expect(fixture.viewModel.rows.map(\.name) == ["a", "b"])
    #expect(try await fixture.rows { search.sort(by: .name) } == ["a", "b"])
    try await fixture.give(snapshot(table("a b c")))
    #expect(fixture.viewModel.rows.map(\.name) == ["a", "b"])
    #expect(try await fixture.rows { search.findMarkedAgain() } == ["b", "c"])
    marks.toggle(photo("c").id)
    #expect(try await fixture.rows { search.findAgain() } == ["b"])
  }
}

/// A service that holds its answers until the test gives them.
final class HeldMarks: MarkServiceProtocol {
  let work = Held<String, MarkedLocations>()

  func marks() async throws(APIError) -> MarkedLocations { try await work.ask("read") }

  func setMarks(_ marks: MarkedLocations, insteadOf former: MarkedLocations) async throws(APIError) {
    let names = marks.all.map { String(decoding: $0.dropFirst(), as: UTF8.self) }.sorted()
    _ = try await work.ask("write \(names.joined(separator: " "))")
  }

  /// Returns the locations of photos with these names.
  static func set(_ names: String) -> MarkedLocations {
    MarkedLocations(names.split(separator: " ").map { Array("/\($0)".utf8) })
  }
}
