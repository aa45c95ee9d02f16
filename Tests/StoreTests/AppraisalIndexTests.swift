import Foundation
import GRDB
import Gallery
import Testing

@testable import Store

@Suite struct AppraisalIndexTests {
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
}
