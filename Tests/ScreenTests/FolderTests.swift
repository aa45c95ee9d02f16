import Foundation
import TestLimit
import Testing

@Suite(.fewAtOnce, .limited) struct FolderTests {
  @Test func aFolderOpensWithAllFoldersInIt() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    let below = folder.appending(path: "holiday")
    try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, place) in [("chelsea.jpg", folder), ("coffee.jpg", below), ("rocket.jpg", below)] {
      try FileManager.default.copyItem(atPath: Program.photo(name), toPath: place.appending(path: name).path)
    }
    try Data("not a photo".utf8).write(to: folder.appending(path: "notes.txt"))
    let session = try Program.start(folder.path)
    defer { session.close() }
    let screen = try await session.waitForTexts("chelsea.jpg", "coffee.jpg", "rocket.jpg", "1/3")
    #expect(!screen.contains("notes.txt"))
    try await session.waitForTexts("Pixels", "451×300")
  }

  @Test func aSinglePhotoOpensInTheViewer() async throws {
    let session = try Program.start(Program.photo("chelsea.jpg"))
    defer { session.close() }
    try await session.waitForTexts("chelsea.jpg", "1/1", "Esc Back")
    session.type("\u{1B}")
    try await session.waitForTexts("Photos", "451×300", "1 photo · chelsea.jpg")
  }

  /// File names are bytes, which the shell passes on unchanged.
  @Test func aPhotoWhoseNameIsNotUTF8Opens() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let script =
      "mkdir \"$1\"; cd \"$1\"; for i in 1 2; do cp \"$2\" $i$(printf '\\351').jpg; done; "
      + "exec \"$0\" --pictures none ./*.jpg"
    let session = try TerminalSession(
      "/bin/sh", ["-c", script, Program.path, folder, Program.photo("chelsea.jpg")],
      size: Size(columns: 120, rows: 36), environment: Program.environment)
    defer { session.close() }
    try await session.waitForTexts("1�.jpg", "2�.jpg", "1/2", "451×300")
  }

  @Test func namedPhotosAreListedInTheirOrder() async throws {
    let session = try Program.start(
      Program.photo("rocket.jpg"), Program.photo("chelsea.jpg"), Program.photo("gone.jpg"))
    defer { session.close() }
    let screen = try await session.waitForTexts("rocket.jpg", "chelsea.jpg", "1/2", "1 problem")
    let places = ["rocket.jpg", "chelsea.jpg"].compactMap { screen.position(of: $0)?.row }
    #expect(places == places.sorted())
    session.type("!")
    try await session.waitForTexts("There is no file at", "gone.jpg")
  }
}
