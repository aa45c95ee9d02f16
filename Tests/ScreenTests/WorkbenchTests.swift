import Foundation
import Harness
import TestLimit
import Testing

/// The header and the footer over a folder of one's own.
@Suite(.fewAtOnce, .limited) final class WorkbenchTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for name in ["a", "b", "c"] {
      let target = photos.appending(path: "\(name).jpg").path
      try FileManager.default.copyItem(atPath: Program.photo("chelsea.jpg"), toPath: target)
    }
  }

  private var photos: URL { folder.appending(path: "2026-07-lofoten") }

  private var changes: [String: String?] {
    ["STATE", "CACHE", "DATA"].reduce(into: [:]) { $0["XDG_\($1)_HOME"] = "\(folder.path)/\($1)" }
  }

  private func start(columns: Int = 80, rows: Int = 24) async throws -> TerminalSession {
    let session = try Program.start(photos.path, columns: columns, rows: rows, changes: changes)
    try await session.waitForTexts("1/3", "3 photos")
    return session
  }

  @Test func theHeaderSaysWhereTheUserIsAndItsTermsCanBeClosed() async throws {
    let session = try await start(columns: 100)
    defer { session.close() }
    #expect(session.screen.lines[0].contains(/tintype…\S+ ▸ 2026-07-lofoten/))
    #expect(!session.screen.contains("Guestbook"))
    session.type("4/rating:>=4 file:a\r")
    let found = try await session.waitForTexts("★≥4 ✕   file:a ✕", "1 of 3 photos")
    let close = try #require(found.position(of: "✕   file"))
    session.click(column: close.column, row: close.row)
    let rest = try await session.wait(for: "the other term alone") { !$0.contains("★≥4") && $0.contains("file:a ✕") }
    let term = try #require(rest.position(of: "file:a"))
    session.click(column: term.column, row: term.row)
    try await session.waitForTexts("Search", "Enter Keep results")
    session.type("\u{1B}")
    try await session.wait(for: "all photos") { $0.contains("3 photos") && !$0.contains("file:a") }
    // The rooms are behind the key for places.
    session.type("gw")
    try await session.waitForTexts("Photos", "Wall", "Guestbook", "1/32")
  }

  @Test func savedSearchesAreBesideTheFolders() async throws {
    let session = try await start(columns: 100)
    defer { session.close() }
    session.type("/file:b\r")
    try await session.waitForTexts("1 of 3 photos", "/ Search")
    session.type("\u{13}")
    try await session.waitForText("Save search")
    session.type("\u{15}The second\r")
    try await session.waitForText("Saved: The second")
    session.type("\u{1B}")
    try await session.wait(for: "all photos") { $0.contains("3 photos") && !$0.contains("file:b") }
    session.type("gf")
    try await session.waitForTexts("Saved searches", "The second", "file:b", "parent folder")
    session.type("second\r")
    try await session.waitForTexts("file:b ✕", "1 of 3 photos")
  }

  @Test func aNarrowHeaderKeepsTheNameAndTheCount() async throws {
    let session = try await start(columns: 80)
    defer { session.close() }
    session.type("/file:a file:jpg rating:0..5 -lofoten -norway\r")
    try await session.waitForTexts("2026-07-lofoten", "5 filters ✕", "of 3 photos")
  }

  @Test func ratingRejectingAndUndoAreInTheFooterOf80Columns() async throws {
    let session = try await start()
    defer { session.close() }
    func expectDecisions(in place: String, rate: String = "1-5 Rate") async throws {
      try await session.wait(for: "the decisions in the footer of \(place)") { screen in
        screen.lines.suffix(2).contains { line in [rate, "X Reject", "u Undo"].allSatisfy(line.contains) }
      }
    }
    try await expectDecisions(in: "the list")
    #expect(session.screen.lines.last?.contains("Enter Open") == true)
    // What is done with photos has a line of its own there.
    #expect(session.screen.lines.dropLast().last?.contains("Space Mark") == true)
    session.type("c")
    try await expectDecisions(in: "the contact sheet")
    session.type("cv")
    try await session.waitForText("Esc Back")
    try await expectDecisions(in: "the viewer")
    session.type("q")
    try await session.waitForText("Enter Open")
    session.type("Q")
    try await session.waitForText("Enter Finish")
    // There, stars pick.
    try await expectDecisions(in: "a cull", rate: "1-5 Pick")
    session.type("q")
    try await session.waitForText("Enter Open")
    session.type("C")
    try await session.waitForText("Enter Keep")
    // Before the first step of a comparison, there is nothing to undo in it.
    session.type("5")
    try await session.waitForText("5 stars on a.jpg")
    session.type("\t")
    try await expectDecisions(in: "a comparison")
  }

  @Test func aKeyWithoutACommandSaysSo() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("%")
    try await session.waitForText("%: no command · ? Help")
    session.type("j")
    try await session.wait(for: "the hints") { $0.contains("2/3") && !$0.contains("no command") }
    // In a field, each letter is text.
    session.type("/d")
    try await session.waitForText("Keep results")
    #expect(!session.screen.contains("no command"))
  }

  @Test func aStepIsUndoneFromAnotherRoom() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("5")
    try await session.waitForTexts("5 stars on a.jpg")
    session.type("gw")
    try await session.waitForText("1/32")
    session.type("u")
    try await session.waitForText("Undone: ")
  }

  /// Makes folders with a number of photos beside the one that is opened, and one in it.
  private func addFolders() throws {
    for (name, count) in ["2026-06-island": 2, "2026-08-oslo": 1, "2026-07-lofoten/selects": 1, "empty": 0] {
      let folder = folder.appending(path: name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for number in 0..<count {
        try FileManager.default.copyItem(
          atPath: Program.photo("coffee.jpg"), toPath: folder.appending(path: "\(name.prefix(7))-\(number).jpg").path)
      }
    }
  }

  @Test func theGalleryGoesToOtherFoldersAndBack() async throws {
    let session = try await start()
    defer { session.close() }
    try addFolders()
    try await session.waitForText("4 photos")
    session.type("j ")
    try await session.waitForTexts("1 marked", "3/4")
    session.type("gf")
    try await session.waitForTexts(
      "─ Folders ─", "This folder", "../ \(folder.lastPathComponent)", "selects", "1 photo", "bundled gallery")
    session.type("sel\r")
    try await session.waitForTexts("2026-07-lofoten ▸ selects", "1/1")
    session.type("\u{7F}")
    // The marks and the place in the list are as they were left.
    try await session.waitForTexts("2026-07-lofoten", "1 marked", "3/4")
    session.type("}")
    try await session.waitForTexts("2026-08-oslo", "1/1")
    session.type("}")
    try await session.waitForText("This is the last folder.")
    session.type("{{")
    try await session.waitForTexts("2026-06-island", "1/2")
    session.type("gfbundled\r")
    try await session.waitForTexts("Guestbook", "36 photos")
    session.type("\u{7F}")
    try await session.waitForText("No folder is open. “Folders” lists yours.")
    session.type("gf")
    try await session.waitForTexts("2026-08-oslo", "2026-06-island", folder.lastPathComponent.suffix(8).description)
  }

  /// What was decided in a folder is kept when the gallery goes to another one, and undone there alone.
  @Test func decisionsStayInTheirFolder() async throws {
    let session = try await start()
    defer { session.close() }
    try addFolders()
    session.type("5")
    try await session.waitForText("5 stars on a.jpg")
    session.type("}")
    try await session.waitForTexts("2026-08-oslo", "1/1")
    session.type("u")
    try await session.waitForText("There is nothing to undo.")
    session.type("{")
    try await session.waitForTexts("2026-07-lofoten", "★★★★★")
    session.type("u")
    try await session.waitForText("Undone: 5 stars on a.jpg")
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func theOrderOfAFolderIsKept() async throws {
    do {
      let session = try await start()
      defer { session.close() }
      try addFolders()
      session.type("Sd")
      try await session.waitForText("by date ↓")
      session.type("}")
      try await session.waitForTexts("2026-08-oslo", "by file name ↑")
      session.type("q")
      #expect(try await session.waitForExit() == .exited(0))
    }
    let session = try Program.start(photos.path, changes: changes)
    defer { session.close() }
    try await session.waitForTexts("4 photos", "by date ↓")
  }

  @Test func theLastFoldersAreOfferedBesideTheBundledGallery() async throws {
    let first = try Program.start("--delay", "0", changes: changes)
    try await first.waitForTexts("1/36", "Guestbook")
    #expect(!first.screen.contains("─ Folders ─"))
    first.type("q")
    #expect(try await first.waitForExit() == .exited(0))
    let second = try await start()
    second.type("q")
    #expect(try await second.waitForExit() == .exited(0))
    let third = try Program.start("--delay", "0", changes: changes)
    defer { third.close() }
    try await third.waitForTexts("─ Folders ─", "2026-07-lofoten", folder.lastPathComponent.suffix(8).description)
    third.type("\u{1B}")
    try await third.wait(for: "the bundled gallery") { $0.contains("1/36") && !$0.contains("─ Folders ─") }
    third.type("gf\r")
    try await third.waitForTexts("▸ 2026-07-lofoten", "3 photos")
  }

  @Test func theCalendarListsADay() async throws {
    let session = try Program.start("--delay", "0", columns: 100, rows: 36, changes: changes)
    defer { session.close() }
    try await session.waitForText("1/36")
    session.type("gt")
    try await session.waitForTexts("Mon", "Sun", "Backspace Months")
    session.type("\u{7F}")
    try await session.waitForTexts("January", "November", "Backspace Years")
    session.type("-")
    let years = try await session.waitForTexts("Years · 36 photos", "2014")
    let year = try #require(years.position(of: "2014"))
    session.click(column: year.column, row: year.row)
    try await session.waitForText("2014 · 1 photo")
    session.click(column: year.column, row: year.row)
    try await session.waitForTexts("2014 · 1 photo", "June", "June 2014 · 1 photo")
    session.type("\r")
    try await session.waitForTexts("June 2014", "Mon", "Best: Dune in the wind")
    session.type("\r")
    try await session.waitForTexts("date:2014-06-", "Dune in the wind", "1/1")
    // The calendar shows the other days, too, and is among the folders.
    session.type("gfcalendar\r")
    try await session.waitForTexts("June 2014", "1 photo")
    session.type("\u{1B}\u{1B}")
    try await session.waitForText("1/36")
  }

  /// Over SSH, there is no screen for a web browser.
  @Test func theMapOfAPhotoIsAnAddressIfThereIsNoBrowser() async throws {
    var changes = changes
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"] { changes[name] = .some(nil) }
    let session = try Program.start("--delay", "0", columns: 100, rows: 36, changes: changes)
    defer { session.close() }
    try await session.waitForText("1/36")
    session.type("/has:gps\r")
    try await session.waitForTexts("has:gps", "4 of 36 photos")
    session.type("go")
    try await session.waitForTexts("─ Map ─", "https://www.openstreetmap.org/?mlat=")
  }

  /// The menu has the same places for each photo, so that they stay where the user has seen them.
  @Test func aPlaceThatIsRefusedStaysInTheMenuAndSaysWhy() async throws {
    let session = try Program.start("--delay", "0", columns: 100, rows: 36, changes: changes)
    defer { session.close() }
    try await session.waitForText("1/36")
    session.type("/-has:gps\r")
    try await session.waitForTexts("-has:gps", "32 of 36 photos")
    session.type("g")
    try await session.waitForTexts("─ Go to ─", "o  Web map")
    session.type("o")
    try await session.wait(for: "the reason") {
      $0.contains("The position of the photo is unknown.") && !$0.contains("─ Go to ─")
    }
  }

  /// Only the last folders are watched. A folder that was visited before them is read again.
  @Test func manyFoldersNeedFewDescriptors() async throws {
    for number in 10..<24 {
      let folder = folder.appending(path: "many/\(number)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: Program.photo("coffee.jpg"), toPath: folder.appending(path: "\(number).jpg").path)
    }
    let session = try Program.start(folder.path + "/many/10", columns: 100, rows: 24, changes: changes)
    defer { session.close() }
    try await session.waitForTexts("▸ 10", "1/1")
    session.type("5")
    try await session.waitForText("5 stars on 10.jpg")
    for number in 11..<24 {
      session.type("}")
      try await session.waitForTexts("many ▸ \(number)", "\(number).jpg", "1/1")
    }
    let descriptors = "/proc/\(session.processID)/fd"
    let open = try FileManager.default.contentsOfDirectory(atPath: descriptors).compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
    }
    #expect((2...12).contains(open.count { $0.contains("inotify") }), "\(open)")
    for name in ["state.sqlite", "index.sqlite"] { #expect(open.count { $0.hasSuffix(name) } <= 2, "\(open)") }
    try FileManager.default.copyItem(
      atPath: Program.photo("coffee.jpg"), toPath: folder.appending(path: "many/10/later.jpg").path)
    session.type("gf")
    try await session.waitForText("─ Folders ─")
    session.type("10\r")
    try await session.waitForTexts("many ▸ 10", "★★★★★", "2 photos")
  }

  @Test func theMarksOfAllVisitedFoldersArePrinted() async throws {
    let session = try Program.start("--print", photos.path, columns: 100, rows: 24, changes: changes)
    defer { session.close() }
    try await session.waitForText("3 photos")
    try addFolders()
    session.type(" ")
    try await session.waitForText("1 marked")
    session.type("}")
    try await session.waitForTexts("2026-08-oslo", "1 photo ")
    session.type(" ")
    try await session.waitForText("1 marked")
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    let printed = String(decoding: session.output, as: UTF8.self).components(separatedBy: "\u{1B}[?1049l").last ?? ""
    #expect(printed.contains("2026-07-lofoten/a.jpg") && printed.contains("2026-08-oslo/2026-08-0.jpg"), "\(printed)")
  }
}
