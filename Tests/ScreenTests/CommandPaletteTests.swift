import Harness
import TestLimit
import Testing

/// The list of commands: first those of the place, with their keys. It finds them by typing, and runs them as their keys do.
@Suite(.fewAtOnce, .limited) struct CommandPaletteTests {
  private static let sizes = [(40, 12), (60, 20), (80, 24), (120, 36), (200, 60)]

  @Test(arguments: ScreenSize.allCases) func aTypedTextFindsCommands(size: ScreenSize) async throws {
    let session = try await Program.open(columns: size.columns, rows: size.rows)
    defer { session.close() }
    session.type("?")
    try await session.waitForTexts("─ Commands ─", "Type a command", "Open highlighted row")
    session.type("mark")
    let found = try await session.wait(for: "what is found") { !$0.contains("Open highlighted row") }
    assertSnapshot(found, named: "palette-found-\(size.rawValue)")
  }

  @Test(arguments: sizes) func aCommandIsFoundCompletedAndRun(columns: Int, rows: Int) async throws {
    let session = try await Program.open(columns: columns, rows: rows)
    defer { session.close() }
    session.type(":")
    try await session.waitForText("Type a command")
    session.type("vw\t")
    try await session.waitForText("│  View full-screen ")
    session.type("\r")
    try await session.wait(for: "the viewer") { $0.contains("Esc Back") && !$0.contains("─ Commands ─") }
    // In the viewer, other commands come first.
    session.type(":")
    let viewer = try await session.waitForTexts("Type a command", "Viewer")
    #expect(!viewer.contains("View full-screen"))
    session.type("next\r")
    try await session.wait(for: "the next photo") { $0.contains("2/36") && !$0.contains("─ Commands ─") }
    session.type(":q\r")
    try await session.wait(for: "the list") { $0.contains("? Help") && $0.contains("q Quit") }
    session.type(":q\r")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func aCommandThatIsNotPossibleSaysWhyAsItsKeyDoes() async throws {
    let session = try await Program.open(columns: 40, rows: 12)
    defer { session.close() }
    let reason = "No search yet. Press / to search."
    session.type("n")
    let byKey = try await session.waitForText(reason)
    session.type(":next match")
    try await session.waitForText("n             Next match")
    session.type("\r")
    let byPalette = try await session.waitForText(reason)
    #expect(byPalette.lines.last == byKey.lines.last)
    // The list stays, so that another command can be chosen.
    #expect(byPalette.contains("─ Commands ─"))
  }

  @Test func theArrowsChoose() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type(":go to")
    let screen = try await session.waitForTexts("Go to last", "Go to Wall", "Go to Guestbook")
    let (first, second) = (screen.position(of: "Go to last")?.row, screen.position(of: "Go to Wall")?.row)
    #expect(second == first.map { $0 + 1 })
    session.type("\u{1B}[B\u{1B}[B\u{1B}[A\r")
    try await session.wait(for: "the wall") { $0.contains(" members") && !$0.contains("─ Commands ─") }
  }

  @Test func aClickOnALineRunsIt() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type(":")
    let screen = try await session.waitForText("Toggle contact sheet")
    let line = try #require(screen.position(of: "Toggle contact sheet"))
    session.click(column: line.column + 3, row: line.row)
    try await session.wait(for: "the contact sheet") { $0.contains("c List") && !$0.contains("─ Commands ─") }
    session.type(":")
    try await session.waitForText("Type a command")
    session.click(column: 1, row: 20)
    try await session.wait(for: "the sheet alone") { $0.contains("c List") && !$0.contains("─ Commands ─") }
  }

  /// Escape clears the text, and then closes the list. Nothing is left of it.
  @Test(arguments: sizes) func escapeClosesThePalette(columns: Int, rows: Int) async throws {
    let session = try await Program.open(columns: columns, rows: rows)
    defer { session.close() }
    let before = session.screen
    session.type(":reload")
    try await session.waitForText("Reload and retry")
    session.type("\u{1B}")
    try await session.waitForText("Type a command")
    session.type("\u{1B}")
    let after = try await session.wait(for: "the list") { !$0.contains("─ Commands ─") }
    #expect(after.snapshot() == before.snapshot())
  }

  @Test(arguments: [("photos", "Photos", "1/36"), ("wall", "Wall", "1/"), ("guestbook", "Guestbook", "Esc Done")])
  func theCommandsOfTheRoomComeFirst(room: String, heading: String, text: String) async throws {
    let session = try Home().enter(room, columns: 60, rows: 20)
    defer { session.close() }
    try await session.waitForText(text)
    // In the guestbook, the other keys are typed.
    session.type("\u{1B}OP")
    let screen = try await session.waitForText("─ Commands ─")
    let first = screen.lines.drop { !$0.contains("Type a command") }.dropFirst().first
    #expect(first?.contains("│  \(heading) ") == true, "\(screen.text)")
    session.type("\u{1B}OP")
    try await session.wait(for: "the room") { !$0.contains("─ Commands ─") && $0.contains(text) }
  }

  @Test func theMenuOfPlacesIsAStripAboveTheFooter() async throws {
    let session = try await Program.open(columns: 80, rows: 24)
    defer { session.close() }
    session.type("g")
    let screen = try await session.waitForTexts("─ Go to ─", "p  Photos", "Dune in the wind")
    #expect(screen.position(of: "Go to")?.row == 18)
    assertSnapshot(screen, named: "go-to-80x24")
    session.type("\u{1B}[C\u{1B}[B\u{1B}[B\r")
    try await session.wait(for: "the photos") { !$0.contains("─ Go to ─") && $0.contains("1/36") }
    session.type("g")
    let again = try await session.waitForText("w  Wall")
    let wall = try #require(again.position(of: "w  Wall"))
    session.click(column: wall.column + 4, row: wall.row)
    try await session.wait(for: "the wall") { $0.contains(" members") && !$0.contains("─ Go to ─") }
  }
}
