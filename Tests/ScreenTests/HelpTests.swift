import Harness
import TestLimit
import Testing

/// The help: which keys it shows first, and how it finds some of them.
@Suite(.fewAtOnce, .limited) struct HelpTests {
  /// Returns the first line below the field.
  private func first(_ screen: Screen) -> String? {
    let lines = screen.lines.drop { !$0.contains("─ Keys ─") }.dropFirst(2)
    return lines.first { $0.contains(#/│ +\w/#) }
  }

  @Test(arguments: [("photos", "Photos", "1/36"), ("wall", "Wall", "1/"), ("guestbook", "Guestbook", "Esc Done")])
  func theKeysOfTheRoomComeFirst(room: String, heading: String, text: String) async throws {
    let session = try Home().enter(room, columns: 60, rows: 20)
    defer { session.close() }
    try await session.waitForText(text)
    session.type("\u{1B}OP")
    let screen = try await session.waitForText("─ Keys ─")
    #expect(first(screen)?.contains("│  \(heading) ") == true, "\(screen.text)")
  }

  @Test func theKeysOfTheViewerComeFirstInTheViewer() async throws {
    let session = try await Program.open(columns: 60, rows: 20)
    defer { session.close() }
    session.type("v")
    try await session.waitForText("Esc Back")
    session.type("?")
    let screen = try await session.waitForTexts("─ Keys ─", "Toggle slideshow")
    #expect(first(screen)?.contains("│  Viewer ") == true, "\(screen.text)")
    session.type("\u{1B}")
    try await session.wait(for: "the viewer") { !$0.contains("─ Keys ─") && $0.contains("Esc Back") }
  }

  @Test(arguments: ScreenSize.allCases) func aTypedTextFindsKeys(size: ScreenSize) async throws {
    let session = try await Program.open(columns: size.columns, rows: size.rows)
    defer { session.close() }
    session.type("?")
    try await session.waitForText("Type to find a key")
    // Letters that are commands elsewhere are text here.
    session.type("quit")
    let found = try await session.waitForTexts("Quit Tintype", "Esc Clear")
    #expect(!found.contains("View full-screen"))
    for _ in 0..<4 { session.press(.backspace) }
    try await session.waitForTexts("Type to find a key", "View full-screen")
    session.type("ctrl-d")
    try await session.wait(for: "the line of Ctrl-d") {
      $0.contains("Down half a page") && !$0.contains("View full-screen")
    }
    session.type("\u{1B}")
    try await session.waitForTexts("Type to find a key", "View full-screen")
    session.type("\u{1B}")
    try await session.wait(for: "the list") { !$0.contains("─ Keys ─") && $0.contains("1/36") }
  }
}
