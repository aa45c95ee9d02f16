import Foundation
import GRDB
import Gallery
import Synchronization
import TestLimit
import Testing

@testable import Store

@Suite(.limited) final class PhotoIndexTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
  private var path: String { folder + "/index.sqlite" }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func makeIndex() -> PhotoIndex {
    PhotoIndex(folder: folder) { Issue.record("\($0.message)") }
  }

  private func entry(_ path: FilePath, size: Int = 1, metadata: PhotoMetadata = PhotoMetadata()) -> PhotoIndex.Entry {
    let stamp = PhotoIndex.Stamp(size: size, modifiedAt: 1_700_000_000_123_456_789, sidecarModifiedAt: 5)
    return PhotoIndex.Entry(path: path, stamp: stamp, metadata: MetadataRecord(metadata))
  }

  private var metadata: PhotoMetadata {
    var metadata = PhotoMetadata()
    (metadata.title, metadata.keywords, metadata.iso) = ("T", ["a b", "ü"], 409_600)
    return metadata
  }

  @Test func entriesAreThereAfterReopening() async throws {
    let full = entry(FilePath("/p/a.jpg"), metadata: metadata)
    let odd = entry(FilePath(Array("/p/".utf8) + [0xFF, 0x0A]))
    try await makeIndex().add([full, odd])
    #expect(try await makeIndex().entries(in: [FilePath("/p")]).map(\.self) == [full, odd])
  }

  @Test func aNewEntryReplacesTheOldOne() async throws {
    let index = makeIndex()
    let path = FilePath("/p/a.jpg")
    try await index.add([entry(path, size: 1, metadata: metadata)])
    try await index.add([entry(path, size: 2)])
    #expect(try await index.entries(in: [FilePath("/p")])[path] == entry(path, size: 2))
    try await index.remove([path, FilePath("/p/other.jpg")])
    #expect(try await index.entries(in: [FilePath("/p")]).isEmpty)
  }

  @Test func aFolderContainsOnlyTheEntriesBelowIt() async throws {
    let inside = ["/p/a.jpg", "/p/q/b.jpg", "/p/\u{10FFFF}"].map { entry(FilePath($0)) }
    let outside = ["/p.jpg", "/p0.jpg", "/pq/a.jpg", "/o/a.jpg"].map { entry(FilePath($0)) }
    let index = makeIndex()
    try await index.add(inside + outside)
    #expect(try await index.entries(in: [FilePath("/p")]).map(\.path) == inside.map(\.path))
    #expect(try await index.entries(in: ["/"]).count == 7)
    let direct = try await index.entries(in: [FilePath("/p")], isRecursive: false)
    #expect(direct.map(\.path) == [inside[0].path, inside[2].path])
    #expect(
      try await index.entries(in: ["/"], isRecursive: false).map(\.path.printable) == ["/p.jpg", "/p0.jpg"])
  }

  /// The user may name a folder and one in it.
  @Test func eachFileHasOneEntryInTheOrderOfPaths() async throws {
    let paths = ["/p/a.jpg", "/p/a.jpg.jpg", "/p/b/c.jpg", "/p/\u{10FFFF}"].map { FilePath($0) }
    let index = makeIndex()
    try await index.add(paths.reversed().map { entry($0, size: $0.bytes.count) })
    let entries = try await index.entries(in: [FilePath("/p/b"), FilePath("/p"), FilePath("/p/b")])
    #expect(entries.map(\.path) == paths)
    for (position, path) in paths.enumerated() {
      #expect((0...paths.count).allSatisfy { entries.position(of: path, likely: $0) == position })
      #expect(entries[path]?.stamp.size == path.bytes.count)
    }
    for missing in ["/", "/p/a", "/p/a.jpg.jp", "/p/aa", "/q"] { #expect(entries[FilePath(missing)] == nil) }
  }

  @Test func aDamagedIndexIsRebuilt() async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("This is no database, and long enough to be looked at.".utf8).write(to: URL(filePath: path))
    let kept = entry(FilePath("/p/a.jpg"))
    try await makeIndex().add([kept])
    #expect(try await makeIndex().entries(in: [FilePath("/p")]).map(\.self) == [kept])
  }

  /// Entries of older versions may be wrong, so their files are read again.
  @Test func entriesOfOlderVersionsAreReadAgain() async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let queue = try DatabaseQueue(path: path)
    try PhotoIndex.migrator.migrate(queue, upTo: "GPS tags are checked and PNG's raw profiles are read")
    try await queue.write { db in
      try db.execute(sql: "CREATE TABLE photo (path BLOB PRIMARY KEY, size INTEGER, width INTEGER)")
      try db.execute(sql: "INSERT INTO photo VALUES (?, 1, 10)", arguments: [Data("/p/a.jpg".utf8)])
    }
    try queue.close()
    #expect(try await makeIndex().entries(in: [FilePath("/p")]).isEmpty)
    let kept = entry(FilePath("/p/a.jpg"))
    try await makeIndex().add([kept])
    #expect(try await makeIndex().entries(in: [FilePath("/p")]).map(\.self) == [kept])
  }

  @Test func aChangedListOfFieldsEmptiesTheIndex() async throws {
    try await makeIndex().add([entry(FilePath("/p/a.jpg"))])
    let queue = try DatabaseQueue(path: path)
    try await queue.write { try $0.execute(sql: "DELETE FROM grdb_migrations WHERE identifier LIKE 'fields %'") }
    try queue.close()
    #expect(try await makeIndex().entries(in: [FilePath("/p")]).isEmpty)
  }

  @Test func withoutAFolderTheIndexIsInMemory() async throws {
    let told = Mutex(0)
    let index = PhotoIndex(folder: nil) { _ in told.withLock { $0 += 1 } }
    let kept = entry(FilePath("/p/a.jpg"))
    try await index.add([kept])
    #expect(try await index.entries(in: [FilePath("/p")]).map(\.self) == [kept])
    #expect(told.withLock(\.self) == 1)
  }
}
