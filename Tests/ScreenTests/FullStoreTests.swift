import Foundation
import GRDB
import Harness
import TestLimit
import Testing
import Torture

/// The disk of what the program keeps is full for a while. Each change that is not kept says so, and nothing that is shown as done is lost.
@Suite(
  .fewAtOnce, .enabled(if: TestFileSystem.canBeMade, "NOT RUN: only root can make a full disk"), .limited)
final class FullStoreTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private let disk: TestFileSystem
  private var photos: URL { folder.appending(path: "photos") }

  /// A change that the user makes in the list of photos.
  struct Change: CustomTestStringConvertible {
    let testDescription: String
    /// The keys, and those that try it once more; nil for the same.
    let keys: String
    var again: String?
    /// What the screen says when it is done.
    let done: String
    /// The keys in the next session, and what the screen says then.
    var look = ""
    let kept: String
    /// Whether it shows although it is not kept yet.
    var showsAtOnce = false
  }

  private static let escape = "\u{1B}[27u"

  static let all = [
    Change(testDescription: "a rating", keys: "gg4", done: "4 stars on", kept: "★★★★", showsAtOnce: true),
    Change(
      testDescription: "a new name", keys: "gg\u{1B}OQ\u{15}first\r", done: "Done: Rename", kept: "first.jpg"),
    Change(
      testDescription: "a collection", keys: "gg&Best\r", done: "Done: Add chelsea.jpg to Best", look: "gk",
      kept: "Best"),
    Change(
      testDescription: "a mark", keys: "gg ", again: "", done: "1 marked", kept: "1 marked", showsAtOnce: true),
    Change(
      testDescription: "a search", keys: "/\u{15}name:rocket\r'\u{13}\u{15}Rocks\r", done: "Saved: Rocks", look: "'",
      kept: "Rocks"),
  ]

  init() throws {
    disk = try #require(TestFileSystem(size: 1024))
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for name in ["chelsea.jpg", "coffee.jpg", "rocket.jpg"] {
      try FileManager.default.copyItem(atPath: Program.photo(name), toPath: photos.appending(path: name).path)
    }
  }

  private func start() async throws -> TerminalSession {
    let session = try Program.start(photos.path, changes: ["HOME": disk.folder])
    try await session.waitForText("640×427")
    return session
  }

  /// Whether a database is being changed.
  private var isChanging: Bool {
    get throws {
      try FileManager.default.subpathsOfDirectory(atPath: disk.folder).contains { $0.hasSuffix(".sqlite-journal") }
    }
  }

  private func hasTable(_ name: String, in file: String) -> Bool {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try? DatabaseQueue(path: "\(disk.folder)/.local/\(file).sqlite", configuration: configuration)
    return (try? queue?.read { try $0.tableExists(name) }) == true
  }

  @Test(arguments: all) func whatIsNotKeptIsSaidAndMadeLater(change: Change) async throws {
    let session = try await start()
    defer { session.close() }
    // All files have to be there before the disk is full.
    session.type("gg1")
    try waitForFiles(in: photos, "the sidecar") {
      FileManager.default.fileExists(atPath: photos.appending(path: "chelsea.jpg.xmp").path)
    }
    try waitForFiles(in: URL(filePath: disk.folder), "the tables") {
      hasTable("step", in: "state/tintype/journal") && hasTable("marks", in: "state/tintype/state")
        && hasTable("entry", in: "share/tintype/guestbook")
    }
    session.type("u")
    try await session.waitForText("Undone: 1 star")
    // What is under way makes room again when it is done.
    for _ in 0..<2 {
      disk.fill()
      try waitForFiles(in: URL(filePath: disk.folder), "the end of changes") { try !isChanging }
    }
    session.type(change.keys)
    try await session.wait(for: "the reason") { $0.alert.contains("the disk is full; free some space") }
    session.type("\r" + String(repeating: Self.escape, count: 4))
    try await session.wait(for: "the list") { $0.alert.isEmpty && $0.contains("640×427") }
    if !change.showsAtOnce { #expect(!session.screen.contains(change.done)) }
    disk.makeRoom()
    session.type(change.again ?? change.keys)
    try await session.waitForText(change.done)
    if change.showsAtOnce {
      session.type(String(repeating: Self.escape, count: 2) + "q")
      #expect(try await session.waitForExit() == .exited(0))
    } else {
      session.kill(SIGKILL)
      _ = try await session.waitForExit()
    }
    let next = try await start()
    defer { next.close() }
    next.type(change.look)
    try await next.waitForText(change.kept)
    #expect(!next.screen.contains("can't be used"))
  }

  /// Without room for any of its files, the program shows photos and their metadata, and writes decisions next to them. The first change
  /// leads to an alert, since it is lost in the end, or can't be undone then.
  @Test(arguments: ["4", " ", "&Best\r"]) func changesAreMadeThatCannotBeKept(keys: String) async throws {
    disk.fill()
    let session = try await start()
    defer { session.close() }
    session.type("gg" + keys.prefix(1))
    try await session.wait(for: "the reason") { $0.alert.contains("the disk is full; free some space") }
    // The file of the steps may be reported next.
    while session.screen.contains("─ Storage problem ─") {
      let alert = session.screen.alert
      session.type("\r")
      try await session.wait(for: "the end of the alert") { $0.alert != alert }
    }
    session.type(String(keys.dropFirst()))
    switch keys {
    case "4":
      let sidecar = photos.appending(path: "chelsea.jpg.xmp")
      try waitForFiles(in: photos, "the rating") {
        (try? String(contentsOf: sidecar, encoding: .utf8))?.contains("<xmp:Rating>4<") == true
      }
      // The steps are another file, which may be reported by itself.
      session.type(Self.escape + "u")
      try await session.waitForText("Undone: 4 stars")
      try waitForFiles(in: photos, "no rating") { !FileManager.default.fileExists(atPath: sidecar.path) }
    case " ": try await session.waitForText("1 marked")
    default: try await session.waitForText("Done: Add chelsea.jpg to Best")
    }
    disk.makeRoom()
    // The file of the steps may have been reported meanwhile.
    session.type(Self.escape + Self.escape + "q")
    #expect(try await session.waitForExit() == .exited(0))
  }
}
