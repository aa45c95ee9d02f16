import Foundation
import GRDB
import Gallery
import TestLimit
import Testing

@testable import Store

@Suite(.limited) struct AppraisalIndexTests {
  private func entry(_ name: String, size: Int = 1, hash: UInt64 = .max, sharpness: [UInt16] = [])
    -> AppraisalIndex.Entry
  {
    AppraisalIndex.Entry(
      path: FilePath("/\(name)"), stamp: PhotoIndex.Stamp(size: size, modifiedAt: 1_700_000_000_123_456_789),
      appraisal: ImageAppraisal(hash: hash, sharpness: sharpness))
  }

  @Test func appraisalsAreKeptAndReplaced() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let index = AppraisalIndex(folder: folder.path) { Issue.record("\($0.message)") }
    let (a, b) = (entry("a", sharpness: [0, 1, 256, .max]), entry("b", hash: 1))
    try await index.add([a, b])
    #expect(try await index.appraisals(of: ["/a", "/c", "/b"]) == ["/a": a, "/b": b])
    let changed = entry("b", size: 2, hash: 7, sharpness: [9])
    try await index.add([changed])
    // Another session reads what this one has stored.
    let next = AppraisalIndex(folder: folder.path) { Issue.record("\($0.message)") }
    #expect(try await next.appraisals(of: ["/a", "/b"]) == ["/a": a, "/b": changed])
  }

  @Test func aDamagedIndexIsMadeAgain() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("no database at all, but long enough for one".utf8).write(to: folder.appending(path: "appraisals.sqlite"))
    let index = AppraisalIndex(folder: folder.path)
    try await index.add([entry("a")])
    #expect(try await index.appraisals(of: ["/a"]) == ["/a": entry("a")])
  }

  /// A hash is small, so a large folder keeps all of them when it has lost the sharpness of most photos.
  @Test func theSharpnessThatWasStoredFirstIsRemovedFirst() async throws {
    let index = AppraisalIndex(folder: nil, limits: .init(entries: 100, sharpEntries: 2))
    for name in ["a", "b", "c"] { try await index.add([entry(name, sharpness: [1])]) }
    try await index.add((0..<50).map { entry("hash \($0)") })
    #expect(
      try await index.appraisals(of: ["/a", "/b", "/c"]) == [
        "/a": entry("a"), "/b": entry("b", sharpness: [1]), "/c": entry("c", sharpness: [1]),
      ])
    // What is stored again counts as new.
    try await index.add([entry("b", sharpness: [2]), entry("d", sharpness: [3])])
    #expect(
      try await index.appraisals(of: ["/a", "/b", "/c", "/d"]) == [
        "/a": entry("a"), "/b": entry("b", sharpness: [2]), "/c": entry("c"), "/d": entry("d", sharpness: [3]),
      ])
    #expect(try await index.appraisals(of: (0..<50).map { FilePath("/hash \($0)") }).count == 50)
  }

  @Test func theEntriesThatWereStoredFirstAreRemovedFirst() async throws {
    let index = AppraisalIndex(folder: nil, limits: .init(entries: 3, sharpEntries: 3))
    try await index.add(["a", "b", "c"].map { entry($0) })
    try await index.add([entry("a", hash: 1), entry("d")])
    #expect(
      try await index.appraisals(of: ["/a", "/b", "/c", "/d"]) == [
        "/a": entry("a", hash: 1), "/c": entry("c"), "/d": entry("d"),
      ])
  }

  @Test func theFirstVersionOfTheFileIsKept() async throws {
    let queue = try DatabaseQueue()
    try AppraisalIndex.migrator.migrate(queue, upTo: "2026-11-24")
    try await queue.write { db in
      for (path, sharpness) in [("/a", Data([1, 0])), ("/b", Data())] {
        try db.execute(
          sql: "INSERT INTO appraisal VALUES (?, 1, 2, 3, ?)", arguments: [Data(path.utf8), sharpness])
      }
    }
    try AppraisalIndex.migrator.migrate(queue)
    let numbers = try await queue.read { try Int?.fetchAll($0, sql: "SELECT sharpNumber FROM appraisal ORDER BY path") }
    #expect(numbers == [1, nil])
  }
}
