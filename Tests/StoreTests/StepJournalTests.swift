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

  @Test func stepsStayWithTheirParts() async throws {
    let journal = StepJournal(folder: folder) { Issue.record("\($0)") }
    #expect(try await journal.lastStep() == nil)
    try await journal.add("one", [part("a", "1")], date: Date(timeIntervalSince1970: 10))
    try await journal.add("two", [part("a", "2"), part("b", "3")], date: Date(timeIntervalSince1970: 20))
    let again = StepJournal(folder: folder) { Issue.record("\($0)") }
    let last = try #require(try await again.lastStep())
    #expect(last.step.title == "two" && last.parts == [part("a", "2"), part("b", "3")])
    // Only the part of one photo could be undone.
    try await again.setUndone(true, step: last.step.id, [part("b", "4")])
    let undone = try #require(try await again.lastUndoneStep())
    #expect(Set(undone.parts) == [part("a", "2"), part("b", "4")])
    let steps = try await again.steps(most: 5)
    #expect(steps.map(\.title) == ["two", "one"] && steps.map(\.isUndone) == [true, false])
    #expect(steps.map(\.date.timeIntervalSince1970) == [20, 10])
  }

  @Test(arguments: ["madeAt = 1e300", "madeAt = 'abc'", "title = x'ff00'"])
  func invalidValuesCountAsDamage(value: String) async throws {
    try await StepJournal(folder: folder) { Issue.record("\($0)") }.add("one", [part("a", "1")], date: .now)
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
