import Foundation
import Harness
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

  /// Makes a folder of photos, which is called "Norway · 2024".
  private func makeFolder(_ names: [String: String]) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)/Norway · 2024")
    try FileManager.default.createDirectory(at: folder.appending(path: "sub"), withIntermediateDirectories: true)
    for (name, photo) in names {
      try FileManager.default.copyItem(atPath: Program.photo(photo), toPath: folder.appending(path: name).path)
    }
    Leftovers.removeAtEnd(folder.deletingLastPathComponent())
    return folder
  }

  @Test func aSinglePhotoOpensInItsFolder() async throws {
    let folder = try makeFolder([
      "a.jpg": "chelsea.jpg", "b.jpg": "coffee.jpg", "c.jpg": "rocket.jpg", "sub/d.jpg": "rocket.jpg",
    ])
    let session = try Program.start(folder.appending(path: "b.jpg").path)
    defer { session.close() }
    try await session.waitForTexts("b.jpg", "2/3", "Esc Back")
    session.type("\u{1B}[C")
    try await session.waitForTexts("c.jpg", "3/3")
    session.type("pp")
    try await session.waitForTexts("a.jpg", "1/3")
    session.type("n\u{1B}")
    // The folder's name is one part of the header.
    try await session.waitForTexts("▌", "2/3", "3 photos · by file name")
    // A reload stays at the photo.
    session.type("jr")
    try await session.waitForTexts("3/3", "3 photos")
  }

  @Test(arguments: [".b.jpg", "b.data", "b"]) func aPhotoOfAnyNameOpensInItsFolder(name: String) async throws {
    let folder = try makeFolder(["a.jpg": "chelsea.jpg", name: "coffee.jpg", "c.txt": "rocket.jpg"])
    let session = try Program.start(folder.appending(path: name).path)
    defer { session.close() }
    let place = name == ".b.jpg" ? "1/2" : "2/2"
    try await session.waitForTexts(name, place, "Esc Back")
    session.type("\u{1B}")
    try await session.waitForTexts(place, "2 photos")
  }

  @Test func aSlideshowOfAPhotoGoesOnWithItsFolder() async throws {
    let folder = try makeFolder(["a.jpg": "chelsea.jpg", "b.jpg": "coffee.jpg", "c.jpg": "rocket.jpg"])
    let session = try Program.start("--slideshow", "0.2", folder.appending(path: "b.jpg").path)
    defer { session.close() }
    try await session.waitForText("b.jpg")
    try await session.waitForText("c.jpg")
    try await session.waitForText("a.jpg")
  }

  /// Scripts mean the photo alone.
  @Test func commandsForScriptsReadASinglePhotoAlone() async throws {
    let folder = try makeFolder(["a.jpg": "chelsea.jpg", "b.jpg": "coffee.jpg"])
    try Data("no image".utf8).write(to: folder.appending(path: "c.jpg"))
    let session = try TerminalSession(
      "/bin/sh",
      ["-c", "\"$0\" list \"$1/a.jpg\" --format tsv; \"$0\" --strict \"$1/a.jpg\"", Program.path, folder.path],
      size: Size(columns: 100, rows: 24), environment: Program.environment)
    defer { session.close() }
    // The damaged neighbor doesn't keep the photo from opening.
    try await session.waitForTexts("a.jpg", "1/3", "Esc Back")
    let listed = String(decoding: session.output, as: UTF8.self)
    #expect(listed.contains("a.jpg\t") && !listed.contains("b.jpg\t"))
  }

  @Test(arguments: [
    ("notes.txt", "neither an image nor a catalog"), ("data", "neither an image nor a catalog"),
    ("gone.jpg", "There is no file at"),
  ])
  func aFileThatIsNoPhotoIsRefused(name: String, reason: String) async throws {
    let folder = try makeFolder([:])
    if name != "gone.jpg" { try Data("hello".utf8).write(to: folder.appending(path: name)) }
    let session = try Program.start(folder.appending(path: name).path, columns: 200)
    defer { session.close() }
    try await session.waitForText(reason)
    #expect(try await session.waitForExit() == .exited(1))
  }

  @Test func filesOfAllFormatsAreListedAndProblemsLeadToThem() async throws {
    let folder = try makeFolder(["a.jpg": "chelsea.jpg", "download": "coffee.jpg"])
    let files = [
      "b.crw", "b.iiq", "b.mrw", "b.rwl", "b.srw", "b.x3f", "b.3fr", "c.ico", "c.jp2", "c.tga", "d.psd",
    ]
    for name in files {
      try Data("gimp xcf ".utf8 + Array(repeating: 0, count: 60)).write(to: folder.appending(path: name))
    }
    let session = try Program.start(folder.path)
    defer { session.close() }
    try await session.waitForTexts("1/13", "11 problems")
    session.type("!")
    try await session.waitForTexts("─ Problems ─", "b.x3f: No decoder for XCF (GIMP).", "Enter Go to photo")
    session.type("G\r")
    try await session.wait(for: "the last problem's row") { !$0.contains("─ Problems ─") && $0.contains("12/13") }
    try await session.waitForText("d.psd")
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
