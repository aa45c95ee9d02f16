import Foundation
import Gallery
import Services
import TestLimit
import Testing

@testable import Catalog
@testable import Photos

/// The loading of catalogs from files, in the same way as in the program.
@Suite(.limited) final class CatalogLoadingTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func rows(_ ids: some Sequence<Int>) -> String {
    ids.map { #"{"id":\#($0),"name":"N","created_at":"2017-11-06T14:48:50Z","image_url":"a.jpg"}"# + "\n" }.joined()
  }

  private func write(_ json: String) throws -> String {
    let path = folder + "/c.json"
    try Data(json.utf8).write(to: URL(filePath: path))
    return path
  }

  private func gzip(_ path: String) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "exec gzip -c \"$0\"", path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    return output.fileHandleForReading.readDataToEndOfFile()
  }

  private func answers(_ path: String) async -> [Result<PhotoSnapshot, APIError>] {
    await CatalogFile(path: FilePath(path)).fetchPhotos().reduce(into: []) { $0.append($1) }
  }

  @Test func snapshotsGrowAndTheLastIsComplete() async throws {
    let path = try write(rows(1...40_000))
    var counts: [Int] = []
    var isComplete: [Bool] = []
    for answer in await answers(path) {
      let snapshot = try answer.get()
      #expect(snapshot.photos.last?.id == snapshot.photos.count)
      counts.append(snapshot.photos.count)
      isComplete.append(snapshot.isComplete)
    }
    #expect(isComplete == counts.dropLast().map { _ in false } + [true])
    #expect(counts == counts.sorted())
    #expect(counts.last == 40_000)
  }

  @Test func aSmallFileIsSentAsOneSnapshot() async throws {
    let answers = await answers(try write(rows(1...10)))
    #expect(try answers.map { try $0.get().isComplete } == [true])
  }

  @Test func allMembersOfAGzipFileAreDecompressed() async throws {
    let packed = try gzip(try write(rows(1...30_000))) + gzip(try write(rows(30_001...30_002)))
    let path = folder + "/packed.json.gz"
    try (packed + Data(count: 512)).write(to: URL(filePath: path))
    let last = try #require(await answers(path).last).get()
    #expect(last.photos.map(\.id) == Array(1...30_002))
    #expect(last.problems.count == 0)
  }

  @Test func damagedGzipKeepsThePhotosBeforeTheDamage() async throws {
    var packed = try gzip(try write(rows(1...30_000)))
    let path = folder + "/packed.json.gz"
    try packed.prefix(packed.count / 2).write(to: URL(filePath: path))
    let cut = try #require(await answers(path).last).get()
    #expect(cut.photos.count > 1000)
    #expect(cut.photos.map(\.id) == Array(1...cut.photos.count))
    #expect(cut.problems.first.map(\.reason) == ["the compressed data is incomplete; download it again"])
    // Damage the checksum at the end.
    packed[packed.count - 8] ^= 1
    try packed.write(to: URL(filePath: path))
    let damaged = try #require(await answers(path).last).get()
    #expect(damaged.photos.count == 30_000)
    #expect(damaged.problems.first.map(\.reason) == ["the compressed data is damaged; compress it again"])
  }

  @Test func gzipIsDecompressedInSmallPieces() throws {
    var packed = try gzip(try write(String(repeating: " ", count: 1 << 24)))
    var pieces: [Int] = []
    let inflater = try Inflater()
    try packed.withUnsafeMutableBytes { try inflater.inflate($0) { pieces.append($0.count) } }
    try inflater.finish()
    #expect(pieces.reduce(0, +) == 1 << 24)
    #expect(pieces.allSatisfy { $0 <= 1 << 18 })
  }

  @Test func aFileWithOnlyInvalidPhotosFailsWithTheFirstProblem() async throws {
    let path = try write("{}\n{\"id\": 1}\n")
    guard case .failure(let error) = await answers(path).last else { return #expect(Bool(false), "no failure") }
    #expect(error.message == "c.json cannot be read: line 1, column 1 (photo 1): id is missing.")
  }
}
