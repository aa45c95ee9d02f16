import Foundation
import Harness
import TestLimit
import Testing

/// The interface for screen readers and magnifiers.
@Suite(.fewAtOnce, .limited) struct PlainTests {
  private func open(_ source: [String] = ["--delay", "0"], columns: Int = 80) throws -> TerminalSession {
    try Program.start(Program.path, ["--plain"] + source, size: Size(columns: columns, rows: 24), changes: [:])
  }

  /// Lines, blocks, Braille patterns, and signs that a screen reader would read or skip.
  private func signs(of screen: Screen) -> [Unicode.Scalar] {
    screen.cells.joined().flatMap(\.text.unicodeScalars).filter { scalar in
      (0x2500...0x25FF).contains(scalar.value) || (0x2800...0x28FF).contains(scalar.value)
        || "★✓✗‖▶".unicodeScalars.contains(scalar)
    }
  }

  /// Waits until the cursor is in a line with a text.
  private func waitForCursor(_ session: TerminalSession, on text: String) async throws {
    try await session.wait(for: "the cursor on \(text)") { screen in
      screen.cursor.visible && screen.lines[screen.cursor.row].contains(text)
    }
  }

  @Test func everythingIsSaidInWordsAndTheCursorFollows() async throws {
    let session = try open()
    defer { session.close() }
    try await session.waitForTexts("[Photos]", "1 of 36: Dune in the wind, For sale")
    try await waitForCursor(session, on: "Dune in the wind")
    session.type("jj")
    try await session.waitForText("3 of 36: Humpback whale calf, Not for sale")
    try await waitForCursor(session, on: "Humpback whale calf")
    session.type(" k")
    try await session.waitForText("3 of 36: Humpback whale calf, Not for sale, Marked")
    #expect(signs(of: session.screen) == [])
    session.type("\r")
    try await session.waitForTexts("This item is not for sale", "[ Ok ]")
    try await waitForCursor(session, on: "[ Ok ]")
    #expect(signs(of: session.screen) == [])
    session.type("\r/lake")
    try await session.waitForText("4 of 36")
    try await waitForCursor(session, on: "lake")
    session.type("\r?")
    try await session.waitForText("Type a command")
    #expect(signs(of: session.screen) == [])
    session.type("\u{1B}")
    try await session.waitForText("1 of 4: Volcano and lake")
    session.type("c")
    try await waitForCursor(session, on: "Volcano")
    session.type(" ")
    try await session.waitForText("* Volcano")
    session.type("h")
    try await waitForCursor(session, on: "Volcano")
    #expect(signs(of: session.screen) == [])
    session.type("S")
    try await waitForCursor(session, on: "Order of the catalog")
    #expect(signs(of: session.screen) == [])
    session.type("\u{1B}")
    try await waitForCursor(session, on: "Volcano")
    session.type("v")
    try await waitForCursor(session, on: "Volcano and lake")
    #expect(signs(of: session.screen) == [])
  }

  /// Images are written row by row, and their cells are read again.
  @Test(arguments: GraphicsTerminal.Kind.allCases) func theCursorFollowsBesideImages(kind: GraphicsTerminal.Kind)
    async throws
  {
    let session = try TerminalSession(
      Program.path, ["--plain", "--delay", "0"], size: Size(columns: 80, rows: 24), environment: Program.environment,
      pixelsPerCell: (10, 20), graphics: kind)
    defer { session.close() }
    try await waitForCursor(session, on: "Dune in the wind")
    session.type("jj")
    try await session.wait(for: "the third photo, with its image") { screen in
      screen.contains("3 of 36: Humpback") && !screen.contains("○")
    }
    try await waitForCursor(session, on: "Humpback whale calf")
    session.type("S")
    try await waitForCursor(session, on: "Order of the catalog")
  }

  /// Whatever is in front says in the second line what it is and what is highlighted in it.
  @Test func theTopmostLayerIsAnnounced() async throws {
    let session = try open(columns: 120)
    defer { session.close() }
    let steps = [
      ("", "1 of 36: Dune in the wind, For sale"), ("jj\r", "Alert: This item is not for sale"),
      ("\r", "3 of 36: Humpback"),
      ("S", "Sort by: 1 of 8: Order of the catalog"), ("j", "Sort by: 2 of 8: Date, d"),
      ("\u{1B}", "3 of 36: Humpback"),
      ("?", "Commands: Type a command · 1 of "), ("\u{1B}", "3 of 36: Humpback"),
      (":xyz", "Commands: xyz · No command matches “xyz”."),
      ("\u{15}toggle contact", "Commands: toggle contact · 1 of 1: Toggle contact sheet, c"),
      ("\u{1B}\u{1B}", "3 of 36: Humpback"),
      ("/zzz", "Search: zzz · 0 of 36 · No matches."), ("\u{1B}", "3 of 36: Humpback"),
      (" e", "Save 1 photo as a catalog: File name: marked.json, selected"), ("a", ": File name: a"),
      ("\u{1B}", "4 of 36: Dragonfly"), ("k", "3 of 36: Humpback whale calf, Not for sale, Marked"),
      ("v", "3 of 36: Humpback whale calf, Not for sale"),
      ("n", "4 of 36: Dragonfly"), ("q\t", "Dragonfly on blue flowers: A golden dragonfly"),
      ("\u{1B}[Zgw", "Storage problem: "), ("\r", "1 of 32: "), ("gr", "Dune"), ("gb", "Name"), ("Ada", "Name, Ada"),
      ("\t", "2 of"),
    ]
    for (keys, text) in steps {
      session.type(keys)
      try await session.wait(for: "\(text) after \(keys.debugDescription)") { $0.lines[1].contains(text) }
      #expect(signs(of: session.screen) == [])
    }
  }

  /// Images of characters would be read aloud. The texts have their room.
  @Test func noImagesAreDrawnWithCharacters() async throws {
    let session = try TerminalSession(
      Program.path, ["--plain", "--delay", "0"], size: Size(columns: 80, rows: 24), environment: Program.environment)
    defer { session.close() }
    let list = try await session.waitForTexts("1 of 36: Dune", "Keywords")
    #expect(list.lines[3].hasPrefix(">Dune in the wind"))
    for (keys, text) in [("v", "Back"), ("\u{1B}", "q Quit"), ("c", "c List")] {
      session.type(keys)
      let screen = try await session.waitForText(text)
      #expect(signs(of: screen) == [], "\(screen.text)")
      #expect(Set(screen.cells.joined().map(\.style.background)).count < 4, "\(screen.text)")
    }
  }

  @Test func starsAndNoticesAreAnnounced() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["a.jpg", "b.jpg"] {
      try FileManager.default.copyItem(
        atPath: Program.photo("coffee.jpg"), toPath: folder.appending(path: name).path)
    }
    let session = try Program.start(
      Program.path, ["--plain", folder.path], size: Size(columns: 80, rows: 24),
      changes: ["XDG_STATE_HOME": folder.path + "/state"])
    defer { session.close() }
    try await session.waitForText("1 of 2: a.jpg")
    session.type("A4")
    try await session.waitForText("4 stars on a.jpg · 1 of 2: a.jpg, 4 stars")
    session.type("\u{1B}[17~")
    try await session.waitForText("1 of 2: a.jpg, 4 stars, Red")
    #expect(signs(of: session.screen) == [])
  }
}
