import Foundation
import Harness
import TestLimit
import Testing

/// The gallery in fewer colors, in ASCII, and on light and dark backgrounds.
@Suite(.fewAtOnce, .limited) struct ColorTests {
  @Test(
    arguments: [
      ("256", ["TERM": "xterm-256color", "COLORTERM": nil]),
      ("16", ["TERM": "xterm-16color", "COLORTERM": nil, "COLORFGBG": "15;0"]),
      ("8", ["TERM": "xterm", "COLORTERM": nil, "COLORFGBG": "15;0"]),
      ("mono", ["TERM": "vt100", "COLORTERM": nil]),
      ("no-color", ["NO_COLOR": "1"]),
      ("light", ["COLORFGBG": "0;15"]),
      // TERM is not xterm here, because libvterm 0.1.4 miscounts xterm's REP at the right edge.
      ("ascii", ["LANG": "C", "TERM": "tmux-256color"]),
    ] as [(String, [String: String?])])
  func listAndAlertMatchTheSnapshot(name: String, changes: [String: String?]) async throws {
    let session = try await Program.open(columns: 80, rows: 24, changes: changes)
    defer { session.close() }
    session.type("jj\r")
    let screen = try await session.waitForTexts("Alert", "Ok")
    assertSnapshot(screen, named: "colors-\(name)")
  }

  @Test func noColorTurnsAllColorsOff() async throws {
    let session = try await Program.open(changes: ["NO_COLOR": "1"])
    defer { session.close() }
    let colors = Set(session.screen.cells.joined().flatMap { [$0.style.foreground, $0.style.background] })
    #expect(colors == [.default])
  }

  @Test func aLightBackgroundChangesTheColorsOnly() async throws {
    let dark = try await Program.open()
    defer { dark.close() }
    let before = dark.screen
    dark.type("\u{1B}]11;rgb:ffff/ffff/eeee\u{1B}\\")
    let name = try #require(before.position(of: "Tintype"))
    let style = before.cells[name.row][name.column].style
    let after = try await dark.wait(for: "the light theme") { $0.cells[name.row][name.column].style != style }
    #expect(after.text == before.text)
  }

  /// An image that the terminal draws has the window's color at its edges, and the selection's begins in the next cell.
  @Test func theSelectionIsAroundAnImage() async throws {
    let folder = try ColorFolder(["wide.ppm": .red], width: 400, height: 40)
    let session = try TerminalSession(
      Program.path, [folder.url.path, "--pictures", "sixel"], size: Size(columns: 120, rows: 36),
      environment: Program.environment, pixelsPerCell: (10, 20), graphics: .sixel)
    defer { session.close() }
    let (_, screen) = try await session.waitForGraphics("the thumbnail") { graphics, screen in
      screen.contains("1/1") && graphics.images.contains { $0.pixels?.width == 80 }
    }
    // The texts are beside the thumbnail's eight columns.
    let isSelected = screen.cells.filter { $0[0].text == "▌" }.map { row in
      row[1..<9].allSatisfy { $0.style.background == row[10].style.background }
    }
    #expect(isSelected == [true, false, true])
  }

  /// Yellow text is illegible on white.
  @Test(arguments: ["xterm", "xterm-16color"])
  func fewColorsAreUsedOnlyOnADarkBackground(type: String) async throws {
    let session = try await Program.open(changes: ["TERM": type, "COLORTERM": nil])
    defer { session.close() }
    @Sendable func colors(of screen: Screen) -> Set<Color> {
      Set(screen.cells.joined().flatMap { [$0.style.foreground, $0.style.background] })
    }
    #expect(colors(of: session.screen) == [.default])
    session.type("\u{1B}]11;rgb:ffff/ffff/eeee\u{1B}\\j")
    #expect(colors(of: try await session.waitForText(" 2/")) == [.default])
    session.type("\u{1B}]11;rgb:1010/1010/1010\u{1B}\\")
    try await session.wait(for: "the keys in yellow") { colors(of: $0).count > 1 }
  }

  @Test func withoutUTF8TheOutputIsASCII() async throws {
    let session = try await Program.open(changes: ["LANG": "C"])
    defer { session.close() }
    #expect(session.output.filter { $0 >= 0x80 } == [])
  }
}
