import Foundation
import GRDB
import Gallery
import TestLimit
import Testing

@testable import Store

@Suite(.limited) final class MarkStoreTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func makeStore() -> StateStore { StateStore(folder: folder) { Issue.record("\($0)") } }

  private func store(_ marks: [[UInt8]], of source: UInt8, in store: StateStore? = nil) async throws {
    try await (store ?? makeStore()).setMarks(MarkedLocations(marks), insteadOf: MarkedLocations(), of: [source])
  }

  @Test func marksAreKeptForEachSource() async throws {
    let (paths, other): ([[UInt8]], [[UInt8]]) = ([[47, 1], [47, 255, 10]], [[47]])
    try await store(paths, of: 1)
    try await store(other, of: 2)
    #expect(try await makeStore().marks(of: [1]) == MarkedLocations(paths))
    #expect(try await makeStore().marks(of: [3]).isEmpty)
    try await makeStore().setMarks(MarkedLocations(), insteadOf: MarkedLocations(paths), of: [1])
    #expect(try await makeStore().marks(of: [1]).isEmpty)
    #expect(try await makeStore().marks(of: [2]).all == Set(other))
  }

  /// The JSON of a catalog may contain one.
  @Test func aLocationWithAZeroByteIsNotKept() {
    #expect(MarkedLocations([[47, 0, 47, 1], [47, 2]]).all == [[47, 2]])
  }

  @Test func marksAreKeptForTheSourcesUsedLast() async throws {
    let store = makeStore()
    for source in 1...UInt8(StateStore.mostSources) { try await self.store([[47]], of: source, in: store) }
    // Opening a source uses it, too.
    #expect(try await !store.marks(of: [1]).isEmpty)
    try await self.store([[47]], of: 0, in: store)
    #expect(try await !store.marks(of: [1]).isEmpty)
    #expect(try await store.marks(of: [2]).isEmpty)
    #expect(try await !store.marks(of: [3]).isEmpty)
  }

  @Test func sourcesThatAreOnlyOpenedAreForgottenInTheirOrder() async throws {
    let (store, first) = (makeStore(), UInt8(100))
    let sources = 1...UInt8(StateStore.mostSources)
    for source in sources { try await self.store([[47]], of: source, in: store) }
    for source in [first] + sources.filter({ $0 != first }) { _ = try await store.marks(of: [source]) }
    try await self.store([[47]], of: 0, in: store)
    for source in sources { #expect(try await store.marks(of: [source]).isEmpty == (source == first), "\(source)") }
  }

  @Test func twoCopiesWithOneSourceKeepEachOthersMarks() async throws {
    let (former, source): (MarkedLocations, [UInt8]) = (MarkedLocations([[1], [2], [3]]), [9])
    try await store([[1], [2], [3]], of: 9)
    let copies = [makeStore(), makeStore()]
    try await copies[0].setMarks(MarkedLocations([[1], [3], [4]]), insteadOf: former, of: source)
    let mine = MarkedLocations([[1], [2], [5]])
    try await copies[1].setMarks(mine, insteadOf: former, of: source)
    #expect(try await copies[0].marks(of: source).all == [[1], [4], [5]])
    try await copies[1].setMarks(MarkedLocations([[2], [5]]), insteadOf: mine, of: source)
    #expect(try await copies[0].marks(of: source).all == [[4], [5]])
  }

  @Test func forgottenMarksAreAllStoredWithTheNextOne() async throws {
    try await makeStore().setMarks(MarkedLocations([[1], [2]]), insteadOf: MarkedLocations([[1]]), of: [9])
    #expect(try await makeStore().marks(of: [9]).all == [[1], [2]])
  }

  /// A row may have many megabytes, so it is written only once.
  @Test func marksAreReadAndStoredWithoutAnUpdate() async throws {
    let store = makeStore()
    try await self.store([[47]], of: 1, in: store)
    try await store.file.write { db in
      try db.execute(
        sql: "CREATE TEMP TRIGGER t BEFORE UPDATE ON main.marks BEGIN SELECT RAISE(ABORT, 'no update'); END")
    }
    try await self.store([[47]], of: 2, in: store)
    #expect(try await store.marks(of: [1]).all == [[47]])
  }
}
