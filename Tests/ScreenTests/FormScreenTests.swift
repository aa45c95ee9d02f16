import Foundation
import Harness
import TestLimit
import Testing

/// Contact sheets and imports from inside the gallery.
@Suite(.fewAtOnce, .limited) final class FormScreenTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private var photos: URL { folder.appending(path: "photos") }
  private var changes: [String: String?] { Program.changes(home: folder) }

  init() throws {
    Leftovers.removeAtEnd(folder)
    for (place, names) in [("photos", ["a", "b"]), ("card/DCIM/100CANON", ["c", "d"])] {
      let place = folder.appending(path: place)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      for name in names {
        let photo = Program.photo(name == "d" ? "coffee.jpg" : "chelsea.jpg")
        try FileManager.default.copyItem(atPath: photo, toPath: place.appending(path: "\(name).jpg").path)
      }
    }
    // Two photos with the same content would be one.
    let photo = folder.appending(path: "card/DCIM/100CANON/c.jpg")
    try Data(contentsOf: URL(filePath: Program.photo("rocket.jpg"))).write(to: photo)
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

  /// Whether a disk is mounted where desktops mount cards, which the form would offer.
  private static let hasDisk = ["/media", "/run/media"].contains { folder in
    (try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty == false
  }

  /// The field of the names has the cursor, since what is offered for a folder depends on the machine.
  @Test(.enabled(if: !hasDisk, "SKIPPED: a card or another disk is mounted"), arguments: ScreenSize.allCases)
  func theFormOfAnImport(size: ScreenSize) async throws {
    let session = try await open("I\u{1B}[B\u{1B}[B\u{1B}[Bn{seq}", size, until: "n{seq}")
    defer { session.close() }
    assertSnapshot(session.screen, named: "import-form-\(size.rawValue)")
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

  @Test func aCardIsImportedAndItsFolderOpened() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("I")
    try await session.waitForTexts("Import from a card", "{date:%Y/%m/%d}")
    session.type("\u{15}~/car")
    try await session.waitForText("~/card/")
    // Completes the card, and goes on to the folder and to its pattern.
    session.type("\t")
    session.type("\u{1B}[B\u{15}~/new\u{1B}[B\u{15}\r")
    try await session.waitForTexts("Import to", "New: 2 photos", "free", "Import, and open the folder")
    session.type("o")
    try await session.waitForTexts("c.jpg", "d.jpg", "1/2")
    #expect(files("new") == ["c.jpg", "d.jpg"] && files("card").count == 2)
    // The copies are there a moment before the journal knows.
    var undone = false
    while !undone {
      session.type("u")
      undone = try await session.wait(for: "undo") {
        $0.contains("Undone: Import: 2 photos") || $0.contains("still at work")
      }.contains("Undone")
      if !undone { session.type("\u{1B}") }
    }
    #expect(files("new") == [])
  }

  /// The new photos are in another folder of the one that opens, behind others.
  @Test func theFirstImportedPhotoIsShown() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("I")
    try await session.waitForText("Import from a card")
    session.type("\u{15}~/card\u{1B}[B\u{15}~/photos\u{1B}[B\u{15}z\r")
    try await session.waitForText("New: 2 photos")
    session.type("o")
    try await session.waitForTexts("3/4", "c.jpg")
  }

  @Test func whatWasImportedIsNotNew() async throws {
    let session = try await start()
    defer { session.close() }
    for expected in ["New: 2 photos", "Imported before: 2"] {
      session.type("I")
      try await session.waitForText("Import from a card")
      session.type("\u{15}~/card\u{1B}[B\u{15}~/new\r")
      try await session.waitForText(expected)
      session.type(expected.hasPrefix("New") ? "y" : "n")
      try await session.wait(for: "the list") { !$0.contains("Import to") }
    }
    #expect(files("new").count == 2)
  }
}
