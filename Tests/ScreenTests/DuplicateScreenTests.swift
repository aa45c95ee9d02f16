import Foundation
import Harness
import TestLimit
import Testing

/// Photos that are there in several files: the search for them, and the key that keeps the best.
@Suite(.fewAtOnce, .limited) final class DuplicateScreenTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private var photos: URL { folder.appending(path: "photos") }
  private var changes: [String: String] {
    var changes = ["HOME": folder.path]
    for name in ["STATE", "CACHE", "DATA", "CONFIG"] { changes["XDG_\(name)_HOME"] = "\(folder.path)/\(name)" }
    return changes
  }

  init() throws {
    Leftovers.removeAtEnd(folder)
    for name in ["a.jpg", "b.jpg", "c.jpg", "copies/a.jpg", "copies/small.jpg"] {
      let file = photos.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      let photo = ["b.jpg": "coffee.jpg", "c.jpg": "rocket.jpg"][name] ?? "chelsea.jpg"
      try FileManager.default.copyItem(atPath: Program.photo(photo), toPath: file.path)
    }
    try FileManager.default.removeItem(at: photos.appending(path: "copies/small.jpg"))
  }

  /// Makes a smaller copy of a photo with the program itself.
  private func shrink() async throws {
    let script = try await Script.run(
      "\"$0\" export photos/a.jpg --to photos/copies --long-edge 200 --format webp --name small", in: folder,
      changes: changes)
    #expect(script.code == 0, "\(script.errors)")
  }

  private var sidecars: [String] {
    get throws {
      try FileManager.default.subpathsOfDirectory(atPath: photos.path).filter { $0.hasSuffix(".xmp") }.sorted()
    }
  }

  private func waitForSidecars(_ names: [String]) throws {
    try waitForFiles(in: photos, "\(names), not \(try sidecars)") { try sidecars == names }
  }

  /// Ids of catalogs may repeat.
  @Test func aCatalogWithOneIdTwiceIsSearched() async throws {
    let photos = ["a.jpg", "b.jpg"].map { name in
      #"{"id": 7, "name": "\#(name)", "image_url": "photos/\#(name)", "created_at": "2026-01-01T00:00:00Z"}"#
    }
    let catalog = #"{"photos": [\#(photos.joined(separator: ", "))]}"#
    try Data(catalog.utf8).write(to: folder.appending(path: "catalog.json"))
    let script = try await Script.run("\"$0\" duplicates catalog.json", in: folder, changes: changes)
    #expect(script.code == 0 && script.output == "" && script.errors == "", "\(script)")
  }

  @Test func theBestIsKeptAndTheOthersAreRejectedAndComeBack() async throws {
    try await shrink()
    let session = try Program.start(photos.path, columns: 120, rows: 36, changes: changes)
    defer { session.close() }
    try await session.waitForTexts("1/5", "5 photos")
    session.type("w")
    try await session.waitForText("Search for is:duplicate first.")
    session.type("/is:duplicate\r")
    try await session.waitForTexts("3 of 5 photos", "1/3", "2/3", "3/3", "Same bytes", "200×133", "WebP")
    #expect(!session.screen.text.contains("b.jpg") && !session.screen.text.contains("c.jpg"))
    session.type("w")
    try await session.waitForTexts("Rejected: 2 photos · kept a.jpg", "✗ Rejected")
    try waitForSidecars(["copies/a.jpg.xmp", "copies/small.webp.xmp"])
    session.type("u")
    try await session.wait(for: "no rejection") {
      $0.contains("Undone: Rejected: 2 photos") && !$0.contains("✗ Rejected")
    }
    try waitForSidecars([])
    // Nothing has been moved or changed.
    #expect(FileManager.default.fileExists(atPath: photos.appending(path: "copies/a.jpg").path))
  }

  @Test func theCommandPrintsGroupsAndTheirDifferences() async throws {
    try await shrink()
    func run(_ arguments: String) async throws -> Script {
      try await Script.run("\"$0\" duplicates \(arguments)", in: folder, changes: changes)
    }
    let text = try await run("photos")
    let size = try FileManager.default.attributesOfItem(atPath: Program.photo("chelsea.jpg"))[.size] as? Int ?? 0
    #expect(text.code == 1 && text.errors == "")
    #expect(text.output.hasPrefix("\(photos.path)/a.jpg\n    451×300, JPEG, \(size / 1000) kB, no metadata\n"))
    #expect(text.output.contains("/copies/a.jpg\n    451×300, JPEG, \(size / 1000) kB, no metadata, same bytes\n"))
    #expect(text.output.contains("/copies/small.webp\n    200×133, WebP, "))
    let table = try await run("photos --format tsv")
    let lines = table.output.split(separator: "\n")
    #expect(
      lines.first == "group\tpath\twidth\theight\tformat\tbytes\thas_metadata\trating\thas_same_bytes"
        && lines.count == 4)
    #expect(lines[2] == "1\t\(photos.path)/copies/a.jpg\t451\t300\tJPEG\t\(size)\tno\t\tyes")
    struct Photo: Decodable {
      let path: String
      let bytes: Int
      let hasSameBytes: Bool
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let groups = try decoder.decode([[Photo]].self, from: Data(try await run("photos --format json").output.utf8))
    #expect(groups.map { $0.map(\.hasSameBytes) } == [[false, true, false]] && groups[0][0].bytes == size)
    let list = try await Script.run("\"$0\" list photos is:duplicate --format tsv", in: folder, changes: changes)
    #expect(list.output.split(separator: "\n").count == 4)
    let none = try await run("photos/b.jpg photos/c.jpg")
    #expect(none.code == 0 && none.output == "" && none.errors == "")
    #expect(try await run("photos/none").code == 2)
  }
}
