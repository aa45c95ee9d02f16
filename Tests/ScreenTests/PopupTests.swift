import Foundation
import Harness
import TestLimit
import Testing

@Suite(.fewAtOnce, .limited) struct PopupTests {
  private func openAlert(columns: Int = 120, rows: Int = 36) async throws -> TerminalSession {
    let session = try await Program.open(columns: columns, rows: rows)
    session.type("jj\r")
    try await session.wait(for: "the alert") { $0.contains(" Alert ") && $0.contains("not for sale") }
    return session
  }

  @Test(arguments: ScreenSize.allCases)
  func anAlertLiesOverTheList(size: ScreenSize) async throws {
    let session = try await openAlert(columns: size.columns, rows: size.rows)
    defer { session.close() }
    assertSnapshot(session.screen, named: "alert-\(size.rawValue)")
  }

  @Test func anAlertClosesByAnyOfItsKeysOrAClick() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("jj")
    let before = try await session.waitForTexts("3/36", "by Kristaps Dzonsons")
    for key in ["\r", " ", "\u{1B}", "q", "click"] {
      session.type("\r")
      try await session.waitForText("This item is not for sale")
      if key == "click" { session.click(column: 2, row: 2) } else { session.type(key) }
      let after = try await session.wait(for: "the alert to be gone") { !$0.contains("This item is not for sale") }
      #expect(after.snapshot() == before.snapshot(), "\(key.debugDescription)")
    }
  }

  @Test func keysGoToTheTopmostPopupOnly() async throws {
    let session = try await openAlert()
    defer { session.close() }
    session.type("jjj?\r")
    let screen = try await session.wait(for: "the alert to be gone") { !$0.contains("This item is not for sale") }
    #expect(screen.contains("3/36"))
    #expect(!screen.contains("─ Commands ─"))
  }

  @Test(arguments: ScreenSize.allCases)
  func theViewerShowsAPhotoForSale(size: ScreenSize) async throws {
    let session = try await Program.open(columns: size.columns, rows: size.rows)
    defer { session.close() }
    session.type("j")
    let before = try await session.waitForText("2/36")
    session.type("\r")
    let viewer = try await session.wait(for: "the viewer") { $0.contains("Esc Back") }
    assertSnapshot(viewer, named: "viewer-\(size.rawValue)")
    session.type("\u{1B}")
    let after = try await session.waitForTexts("2/36", "q Quit")
    #expect(after.snapshot() == before.snapshot())
  }

  @Test func theViewerTurnsToTheNextPhotoAndBack() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("v")
    try await session.waitForTexts("Esc Back", "Dune in the wind", "1/36")
    session.type("p")
    try await session.waitForText("This is the first photo.")
    session.type("n\u{1B}[6~np")
    try await session.waitForTexts("Humpback whale calf", "3/36")
    // Without images, the details are on the screen all the time.
    session.type("i")
    try await session.waitForTexts("A young humpback whale", "CC-BY-4.0", "All details are visible.")
    session.type("q")
    try await session.waitForTexts("3/36", "by Kristaps Dzonsons", "t Rows")
  }

  @Test func anyPhotoCanBeViewed() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("jjv")
    try await session.wait(for: "the viewer") { $0.contains("Esc Back") && $0.contains("Humpback whale calf") }
    session.type("q")
    try await session.waitForTexts("3/36", "t Rows")
  }

  @Test(arguments: ScreenSize.allCases)
  func theHelpShowsTheKeys(size: ScreenSize) async throws {
    let session = try await Program.open(columns: size.columns, rows: size.rows)
    defer { session.close() }
    session.type("\u{1B}OP")
    let screen = try await session.waitForTexts("─ Commands ─", "Open highlighted row")
    assertSnapshot(screen, named: "help-\(size.rawValue)")
    session.type("\u{1B}[F")
    try await session.waitForText("Quit Tintype")
    session.type("\u{1B}")
    try await session.wait(for: "the help to be gone") { !$0.contains("─ Commands ─") }
  }

  /// After a resize, each state looks as if it had been entered at that size.
  @Test(arguments: ScreenSize.allCases)
  func aResizedScreenLooksLikeANewOne(to size: ScreenSize) async throws {
    let states = [("list", ""), ("alert", "jj\r"), ("viewer", "j\r"), ("help", "?")]
    for (state, keys) in states {
      let session = try await Program.open(columns: 100, rows: 30)
      defer { session.close() }
      session.type(keys)
      try await session.wait(for: state) { screen in
        switch state {
        case "list": true
        case "alert": screen.contains("Ok") && screen.contains("3/36")
        case "viewer": screen.contains("Esc Back")
        default: screen.contains("─ Commands ─")
        }
      }
      session.resize(to: Size(columns: 33, rows: 9))
      session.resize(to: Size(columns: size.columns, rows: size.rows))
      let kept = try snapshot("\(state)-\(size.rawValue)")
      try await session.wait(for: "\(state) at \(size)") { $0.snapshot() == kept }
    }
  }

  @Test func theScreenCanBeResizedWhileLoading() async throws {
    let session = try Program.start("--delay", "3600")
    defer { session.close() }
    try await session.waitForText("Loading photos…")
    session.resize(to: Size(columns: 40, rows: 12))
    let kept = try snapshot("loading-40x12")
    try await session.wait(for: "loading at 40x12") { $0.snapshot() == kept }
  }
}
