import Foundation
import Harness
import TestLimit
import Testing

@Suite(.fewAtOnce, .limited) struct WideCharacterTests {
  private static let names = [
    "漢字の写真", "한국어 사진 모음", "ＦＵＬＬｗｉｄｔｈ", "🐈 cat 🐈‍⬛ black", "👩‍👩‍👧‍👦 family", "🇫🇷🇯🇵 flags", "1️⃣ keycap",
    "❤️ heart ❤ bare", "e\u{301}e\u{301}\u{323} combining", "Z\u{335}\u{34A}\u{321}\u{330}\u{31A}\u{35C}algo",
    "\u{301}leading mark", "ไทย ภาษา", "हिन्दी चित्र", "עברית", "العربية", "👍🏽 skin", "𝔣𝔯𝔞𝔨𝔱𝔲𝔯",
    "長い名前長い名前長い名前長い名前長い名前長い名前長い名前長い名前長い名前", "\u{1100}\u{1161}\u{11A8} jamo", "a\u{200B}b\u{FEFF}c",
  ]

  @Test(arguments: [(120, 36), (80, 24), (81, 25), (113, 41)])
  func bordersStayInTheirColumn(columns: Int, rows: Int) async throws {
    let catalog = try TemporaryCatalog.named(Self.names)
    let session = try Program.start(catalog.path, columns: columns, rows: rows)
    defer { session.close() }
    let screen = try await session.waitForTexts("1/20", "漢字の写真")
    let divider = try #require(
      (0..<columns).first { screen.cells[2][$0].text == "│" || screen.cells[2][$0].text == "┃" })
    for step in 1...20 {
      let screen = try await session.wait(for: "row \(step)") { $0.contains("\(step)/20") }
      for row in 2..<rows - 2 {
        #expect(["│", "┃"].contains(screen.cells[row][divider].text), "row \(row) at step \(step)")
      }
      session.type("j")
    }
    assertSnapshot(screen, named: "wide-\(columns)x\(rows)")
  }

  @Test func bordersOfAnAlertStayOverWideText() async throws {
    let catalog = try TemporaryCatalog.named(Self.names)
    let session = try Program.start(catalog.path, columns: 80, rows: 24)
    defer { session.close() }
    try await session.waitForText("1/20")
    session.type("tj\r")
    let screen = try await session.waitForText("This item is not for sale")
    let corner = try #require(screen.position(of: "╭"))
    let end = try #require(screen.position(of: "╮"))
    for row in corner.row + 1..<corner.row + 6 {
      #expect(screen.cells[row][corner.column].text == "│")
      #expect(screen.cells[row][end.column].text == "│")
    }
  }
}
