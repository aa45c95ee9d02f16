import Foundation
import GRDB
import Gallery
import Testing

@testable import Store

@Suite final class StepJournalTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func part(_ name: String, _ text: String) -> StepJournal.Part {
    StepJournal.Part(photo: FilePath(Array("/\(name)".utf8) + [0xFF]), undo: Data(text.utf8), redo: Data())
  }

  private func makeJournal() -> StepJournal { StepJournal(folder: folder) { Issue.record("\($0)") } }

  /// Adds a step whose parts are written.
  private func add(_ title: String, _ parts: [StepJournal.Part], to journal: StepJournal, at seconds: Double = 0)
    async throws -> StepJournal.Step.ID
  {
    let step = try await journal.begin(title, session: 7, date: Date(timeIntervalSince1970: seconds), in: "/")
    _ = try await journal.add(parts, to: step)
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
    #expect(Set(try await again.setUndone(true, last.id).open) == [part("a", "2"), part("b", "3")])
    try await again.settle([part("b", "4")], of: last.id)
    #expect(try await again.waitingParts().map(\.part) == [part("a", "2")])
    #expect(try await again.lastUndoneStep(in: "/")?.id == last.id)
    // The part that was not undone has nothing to do when the step is made again.
    #expect(try await again.setUndone(false, last.id).open == [part("b", "4")])
    let steps = try await again.steps(most: 5)
    #expect(steps.map(\.title) == ["two", "one"] && steps.map(\.isUndone) == [false, false])
    #expect(steps.map(\.date.timeIntervalSince1970) == [20, 10])
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
    let new = try await journal.begin("new", session: 8, date: .now, in: "/")
    #expect(try await journal.add([part("b", "new"), part("c", "new")], to: new) == [part("b", "").photo])
    #expect(try await journal.lastUndoneStep(in: "/") == nil)
    #expect(try await journal.steps(most: 5).map(\.title) == ["new", "b"])
    // The undone part comes first: it is older than the new one, of which nobody knows yet what there is to undo.
    #expect(try await journal.waitingParts().map(\.part) == [part("b", "b"), part("b", ""), part("c", "new")])
    // The step that was undone before the new one can't be made again, although it is still there.
    _ = try await journal.setUndone(true, new)
    #expect(try await journal.lastUndoneStep(in: "/")?.id == new)
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
