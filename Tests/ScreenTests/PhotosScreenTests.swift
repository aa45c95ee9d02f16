import Foundation
import Harness
import TestLimit
import Testing

@Suite(.fewAtOnce, .limited) struct PhotosScreenTests {
  @Test(arguments: ScreenSize.allCases)
  func theSpinnerTurnsWhileLoading(size: ScreenSize) async throws {
    let session = try Program.start("--delay", "3600", columns: size.columns, rows: size.rows)
    defer { session.close() }
    let screen = try await session.waitForText("⠋ Loading photos…")
    assertSnapshot(screen, named: "loading-\(size.rawValue)")
    try await session.waitForText("⠙ Loading photos…")
    try await session.waitForText("⠋ Loading photos…")
  }

  @Test(arguments: ScreenSize.allCases)
  func theListIsNextToTheDetail(size: ScreenSize) async throws {
    let session = try await Program.open(columns: size.columns, rows: size.rows)
    defer { session.close() }
    let list = session.screen
    assertSnapshot(list, named: "list-\(size.rawValue)")
    session.type("\t")
    let screen = try await session.wait(for: "the detail window") { $0.snapshot() != list.snapshot() }
    assertSnapshot(screen, named: "detail-\(size.rawValue)")
  }

  @Test func keysWorkWhileLoading() async throws {
    let session = try Program.start("--delay", "3600")
    defer { session.close() }
    try await session.waitForText("Loading photos…")
    session.type("?")
    try await session.waitForTexts("Commands", "Toggle contact sheet")
    session.type("\u{1B}")
    try await session.wait(for: "the help to be gone") { !$0.contains("Toggle contact sheet") }
    session.type("\u{1B}")
    try await session.waitForText("Nothing is loaded.")
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func theListIsDimmedDuringAReload() async throws {
    let session = try Program.start("--delay", "1")
    defer { session.close() }
    let before = try await session.waitForText("1/36")
    session.type("r")
    let during = try await session.waitForTexts("Loading photos…", "Fushimi Inari")
    let name = try #require(before.position(of: "Fushimi Inari"))
    #expect(before.cells[name.row][name.column].style != during.cells[name.row][name.column].style)
    let after = try await session.wait(for: "the reload's end") { !$0.contains("Loading") }
    #expect(after.snapshot() == before.snapshot())
  }

  @Test func rowsHaveThreeSizes() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("t")
    // The detail has the first row's description, too.
    let large = try await session.wait(for: "rows of six lines") { !$0.contains("Matador rocks") }
    assertSnapshot(large, named: "list-large")
    session.type("t")
    let screen = try await session.waitForText("Harbor light")
    assertSnapshot(screen, named: "list-one-line")
    session.type("t")
    try await session.wait(for: "rows of three lines") { !$0.contains("Harbor light") }
  }

  @Test func keysMoveTheHighlight() async throws {
    let session = try await Program.open()
    defer { session.close() }
    for (keys, position) in [
      ("j", 21), ("\u{1B}[B", 21), ("\u{1B}OB", 21), ("k", 19), ("\u{1B}[A", 19), ("G", 36), ("\u{1B}[F", 36),
      ("gg", 1),
      ("\u{1B}[H", 1), ("\u{1B}[6~", 28), ("\u{06}", 28), ("\u{1B}[5~", 12), ("\u{02}", 12), ("\u{04}", 24),
      ("\u{15}", 16),
    ] {
      session.type("gg" + String(repeating: "j", count: 19))
      try await session.waitForText(" 20/36")
      session.type(keys)
      try await session.waitForText(" \(position)/36")
    }
  }

  @Test func rowsScrollWithAMargin() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("jjjjjjjj")
    let screen = try await session.waitForText("9/36")
    #expect(screen.contains("Inside a red tulip"))
    #expect(!screen.contains("Dune in the wind"))
  }

  @Test func aNarrowScreenShowsOneWindowAtATime() async throws {
    let session = try await Program.open(columns: 60, rows: 20)
    defer { session.close() }
    #expect(!session.screen.contains("by Luca Zanon"))
    session.type("\t")
    let detail = try await session.waitForText("by Luca Zanon")
    // In the detail, q goes back.
    #expect(!detail.contains("Quit"))
    session.type("\u{1B}")
    try await session.wait(for: "the list again") { $0.contains("1/36") && !$0.contains("by Luca Zanon") }
  }

  @Test func aClickHighlightsAndASecondClickPresses() async throws {
    let session = try await Program.open()
    defer { session.close() }
    let whale = try #require(session.screen.position(of: "Humpback whale calf"))
    session.click(column: whale.column, row: whale.row)
    try await session.waitForTexts("3/36", "by Kristaps Dzonsons")
    session.click(column: whale.column, row: whale.row + 1)
    try await session.waitForText("This item is not for sale")
    session.click(column: 0, row: 0)
    try await session.wait(for: "the alert to be gone") { !$0.contains("This item is not for sale") }
    session.scroll(.down, column: whale.column, row: whale.row)
    session.scroll(.down, column: whale.column, row: whale.row)
    session.scroll(.up, column: whale.column, row: whale.row)
    try await session.waitForText("4/36")
  }

  @Test func aScreenThatIsTooSmallSaysSo() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.resize(to: Size(columns: 19, rows: 5))
    try await session.waitForText("20×6")
    session.resize(to: Size(columns: 20, rows: 6))
    let screen = try await session.waitForText("Dune")
    assertSnapshot(screen, named: "list-20x6")
  }
}
