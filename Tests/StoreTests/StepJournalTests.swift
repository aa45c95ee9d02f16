import Foundation
import GRDB
import Gallery
import TestLimit
import Testing

@testable import Store

@Suite(.limited) final class StepJournalTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func part(_ name: String, _ text: String) -> StepJournal.Part {
    StepJournal.Part(photo: .file(FilePath(Array("/\(name)".utf8) + [0xFF])), undo: Data(text.utf8), redo: Data())
  }

  private func makeJournal() -> StepJournal { StepJournal(folder: folder) { Issue.record("\($0)") } }

  /// Keeps a step whose parts wait.
  private func keep(_ title: String, _ photos: [ImageLocation], in journal: StepJournal, at seconds: Double = 0)
    async throws -> StepJournal.Step.ID
  {
    let request = StepJournal.Request(
      title: title, date: Date(timeIntervalSince1970: seconds), session: 7, operations: photos.map { ($0, Data()) })
    return try #require(try await journal.keep([request]).first)
  }

  /// Adds a step whose parts are written.
  private func add(_ title: String, _ parts: [StepJournal.Part], to journal: StepJournal, at seconds: Double = 0)
    async throws -> StepJournal.Step.ID
  {
    let step = try await keep(title, parts.map(\.photo), in: journal, at: seconds)
    _ = try await journal.prepare(parts, removing: [], of: step, in: "/")
    try await journal.settle(parts, of: step)
    return step
  }

  @Test func stepsStayWithTheirParts() async throws {
    let journal = makeJournal()
    #expect(try await journal.lastStep(in: "/") == nil)
    _ = try await add("one", [part("a", "1")], to: journal, at: 10)
    _ = try await add("two", [part("a", "2"), part("b", "3")], to: journal, at: 20)
    let again = makeJournal()
    let last = try #require(try await again.lastStep(in: "/"))
    #expect(last.title == "two" && last.session == 7)
    let open = try #require(try await again.setUndone(true, last.id)).open
    #expect(Set(open) == [part("a", "2"), part("b", "3")])
    try await again.settle([part("b", "4")], of: last.id)
    #expect(try await again.waitingParts().map(\.part) == [part("a", "2")])
    #expect(try await again.lastUndoneStep(in: "/")?.id == last.id)
    // The part that was not undone has nothing to do when the step is made again.
    #expect(try await again.setUndone(false, last.id)?.open == [part("b", "4")])
    let steps = try await again.steps(most: 5)
    #expect(steps.map(\.title) == ["two", "one"] && steps.map(\.isUndone) == [false, false])
    #expect(steps.map(\.date.timeIntervalSince1970) == [20, 10])
  }

  /// Two copies of the program may have found the step, and two servers of another machine the call.
  @Test func aStepIsUndoneOnce() async throws {
    let journal = makeJournal()
    let (first, second) = (
      try await add("one", [part("a", "1")], to: journal), try await add("two", [part("b", "2")], to: journal)
    )
    #expect(try await journal.setUndone(true, second, token: "call")?.open == [part("b", "2")])
    #expect(try await journal.setUndone(true, second) == nil)
    #expect(try await journal.setUndone(true, first, token: "call") == nil)
    #expect(try await journal.waitingParts().map(\.part) == [part("b", "2")])
    #expect(try await journal.lastStep(in: "/")?.id == first)
  }

  /// A crash may leave a step that was prepared. It is written before what the user decided later about the same photo.
  @Test func changesOfAPhotoWaitInTheirOrder() async throws {
    let journal = makeJournal()
    let both = try await journal.keep(
      ["a", "b"].map {
        StepJournal.Request(
          title: $0, date: .init(timeIntervalSince1970: 0), session: 7, operations: [(part($0, "").photo, Data())])
      })
    for (step, name) in zip(both, ["a", "b"]) {
      _ = try await journal.prepare([part(name, name)], removing: [], of: step, in: "/")
      try await journal.settle([part(name, name)], of: step)
    }
    let first = try await keep("first", [part("c", "").photo], in: journal)
    _ = try await journal.prepare([part("c", "1")], removing: [], of: first, in: "/")
    let second = try await keep("second", [part("c", "").photo], in: journal)
    #expect(try await journal.waitingParts().map(\.step.id) == [first, second])
    try await journal.settle([part("c", "1")], of: first)
    try await journal.settle([part("c", "2")], of: second)
    #expect(try await journal.lastStep(in: "/")?.id == second)
  }

  @Test func aNewStepEndsTheRedoButKeepsWhatWaits() async throws {
    let journal = makeJournal()
    for name in ["a", "b"] { _ = try await add(name, [part(name, name)], to: journal) }
    for _ in 0..<2 {
      let last = try #require(try await journal.lastStep(in: "/"))
      _ = try await journal.setUndone(true, last.id)
    }
    let undone = try #require(try await journal.lastUndoneStep(in: "/"))
    try await journal.settle([part("a", "a")], of: undone.id)
    let new = try await keep("new", [part("b", "").photo, part("c", "").photo], in: journal)
    #expect(try await journal.lastUndoneStep(in: "/") != nil, "the step may turn out to change nothing")
    let parts = try await journal.parts(of: new)
    #expect(parts.waiting == [part("b", ""), part("c", "")])
    #expect(parts.earlier.map(\.part.photo) == [part("b", "").photo])
    let prepared = [part("b", ""), part("c", "new")]
    #expect(try await journal.prepare(prepared, removing: [], of: new, in: "/") == prepared)
    #expect(try await journal.lastUndoneStep(in: "/") == nil)
    #expect(try await journal.steps(most: 5).map(\.title) == ["new", "b"])
    // The undone part comes first: it is older than the new one, of which nobody knows yet what there is to undo.
    #expect(try await journal.waitingParts().map(\.part) == [part("b", "b"), part("b", ""), part("c", "new")])
    // The step that was undone before the new one can't be made again, although it is still there.
    _ = try await journal.setUndone(true, new)
    #expect(try await journal.lastUndoneStep(in: "/")?.id == new)
  }

  /// A hyphen comes before the slash.
  @Test func aFolderHasNoStepsOfOneWhoseNameBeginsAlike() async throws {
    let journal = makeJournal()
    _ = try await add("one", [part("a-b/c", "1")], to: journal)
    #expect(try await journal.lastStep(in: "/a") == nil)
    #expect(try await journal.lastStep(in: "/a-b")?.title == "one")
  }

  @Test func partsThatChangeNothingLeaveTheJournal() async throws {
    let journal = makeJournal()
    let step = try await keep("one", [part("a", "").photo, part("b", "").photo], in: journal)
    #expect(
      try await journal.prepare([part("b", "1")], removing: [part("a", "").photo], of: step, in: "/") == [
        part("b", "1")
      ])
    #expect(try await journal.waitingParts().map(\.part) == [part("b", "1")])
    let other = try await keep("two", [part("a", "").photo], in: journal)
    _ = try await journal.prepare([], removing: [part("a", "").photo], of: other, in: "/")
    #expect(try await journal.steps(most: 5).map(\.title) == ["one"])
  }

  /// Otherwise the later one of two copies would take what the first one has written for what was there before.
  @Test func theFirstCopyOfTheProgramPreparesAPart() async throws {
    let (journal, other) = (makeJournal(), makeJournal())
    let photo = part("a", "").photo
    let step = try await keep("one", [photo], in: journal)
    #expect(try await other.prepare([part("a", "first")], removing: [], of: step, in: "/") == [part("a", "first")])
    #expect(try await journal.prepare([part("a", "second")], removing: [], of: step, in: "/") == [part("a", "first")])
    _ = try await journal.prepare([], removing: [photo], of: step, in: "/")
    #expect(try await journal.parts(of: step).waiting == [part("a", "first")])
    try await other.settle([part("a", "first")], of: step)
    #expect(try await journal.prepare([part("a", "second")], removing: [], of: step, in: "/") == [])
    #expect(try await journal.parts(of: step).settled == [part("a", "first")])
  }

  @Test func manyStepsAreKeptTogether() async throws {
    let journal = makeJournal()
    let requests = (0..<3).map {
      StepJournal.Request(title: "\($0)", date: .now, session: 7, operations: [(.file("/a"), Data([UInt8($0)]))])
    }
    #expect(try await journal.keep(requests).count == 3)
    #expect(try await journal.keep([]) == [])
    let again = makeJournal()
    #expect(try await again.waitingParts().map { $0.part.redo } == [Data([0]), Data([1]), Data([2])])
  }

  @Test func theOldestStepsAreForgottenUnlessTheyWait() async throws {
    let journal = makeJournal()
    _ = try await add("written", [part("a", "1")], to: journal)
    let waiting = try await keep("waiting", [part("b", "").photo], in: journal)
    let later = (0..<10_000).map { StepJournal.Request(title: "\($0)", date: .now, session: 7, operations: []) }
    _ = try await journal.keep(later)
    let steps = try await journal.steps(most: .max)
    #expect(steps.count == 10_001 && steps.last?.title == "waiting")
    #expect(try await journal.waitingParts().map(\.step.id) == [waiting])
  }

  @Test(arguments: ["madeAt = 1e300", "madeAt = 'abc'", "title = x'ff00'", "session = 'abc'"])
  func invalidValuesCountAsDamage(value: String) async throws {
    _ = try await add("one", [part("a", "1")], to: makeJournal())
    let queue = try DatabaseQueue(path: folder + "/journal.sqlite")
    try await queue.write { try $0.execute(sql: "UPDATE step SET \(value)") }
    try queue.close()
    await confirmation { reported in
      let journal = StepJournal(folder: folder) {
        #expect($0.fault == .damaged && $0.setAside != nil)
        reported()
      }
      #expect((try? await journal.steps(most: 1)) == [])
    }
  }
}
