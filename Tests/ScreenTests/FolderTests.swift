import Foundation
import Testing

@Suite struct FolderTests {
  @Test func aFolderOpensWithAllBelowIt() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    let below = folder.appending(path: "holiday")
    try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, place) in [("chelsea.jpg", folder), ("coffee.jpg", below), ("fig.jpg", below)] {
      try FileManager.default.copyItem(atPath: Program.photo(name), toPath: place.appending(path: name).path)
    }
    try Data("not a photo".utf8).write(to: folder.appending(path: "notes.txt"))
    let session = try Program.start(folder.path)
    defer { session.close() }
    let screen = try await session.waitForTexts("chelsea.jpg", "coffee.jpg", "fig.jpg", "1/3")
    #expect(!screen.contains("notes.txt"))
    try await session.waitForTexts("Pixels", "451×300")
  }
}
