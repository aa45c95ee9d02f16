import Foundation
import Harness
import TestLimit
import Testing

/// Contact sheets from inside the gallery.
@Suite(.fewAtOnce, .limited) final class FormScreenTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private var photos: URL { folder.appending(path: "photos") }
  private var changes: [String: String?] {
    var changes: [String: String?] = ["HOME": folder.path]
    for name in ["STATE", "CACHE", "DATA"] { changes["XDG_\(name)_HOME"] = "\(folder.path)/\(name)" }
    return changes
  }

  init() throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for name in ["a", "b"] {
      try FileManager.default.copyItem(
        atPath: Program.photo("chelsea.jpg"), toPath: photos.appending(path: "\(name).jpg").path)
    }
  }

  private func start() async throws -> TerminalSession {
    let session = try Program.start(photos.path, columns: 120, rows: 36, changes: changes)
    try await session.waitForText("1/2")
    return session
  }

  private func files(_ path: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder.appending(path: path).path)
    return names?.compactMap { $0 as? String }.filter { $0.contains(".") }.sorted() ?? []
  }

  /// Opens a form over the bundled gallery, whose screen is always the same.
  private func open(_ keys: String, _ size: ScreenSize, until text: String) async throws -> TerminalSession {
    let session = try TerminalSession(
      Program.path, ["--pictures", "none", "--delay", "0"], size: Size(columns: size.columns, rows: size.rows),
      environment: Program.environment, workingDirectory: "/")
    try await session.waitForText("1/36")
    session.type(keys)
    try await session.waitForText(text)
    return session
  }

  @Test(arguments: ScreenSize.allCases) func theFormOfAContactSheet(size: ScreenSize) async throws {
    let session = try await open("\u{10}", size, until: "Contact sheet of 36")
    defer { session.close() }
    assertSnapshot(session.screen, named: "sheet-form-\(size.rawValue)")
  }

  @Test func aContactSheetIsMadeAndTakenBack() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("\u{10}")
    try await session.waitForTexts("Contact sheet of 2 photos", "photos.pdf", "1 page")
    // Up leads to the last field, the file.
    session.type("\u{1B}[A\u{15}~/photos/both.png\r")
    try await session.waitForTexts("1/3", "both.png")
    session.type("u")
    try await session.waitForTexts("Undone: Contact sheet both.png: 2 photos", "1/2")
    #expect(files("photos") == ["a.jpg", "b.jpg"] && files("DATA/Trash/files") == ["both.png"])
    session.type("\u{12}")
    try await session.waitForTexts("Redone: Contact sheet both.png: 2 photos", "1/3")
  }
}
