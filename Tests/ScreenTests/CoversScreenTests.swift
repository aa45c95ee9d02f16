import Harness
import TestLimit
import Testing

@Suite(.fewAtOnce, .limited) struct CoversScreenTests {
  /// Opens the room and focuses its field.
  private func open(_ home: Home, delay: String = "0", columns: Int = 80, rows: Int = 24) async throws
    -> TerminalSession
  {
    let session = try home.enter("covers", delay: delay, columns: columns, rows: rows)
    try await session.waitForText("1/40")
    session.type("/")
    try await session.waitForText("Enter Search")
    return session
  }

  @Test(arguments: [ScreenSize.common, .small])
  func typingSearchesAfterAPause(size: ScreenSize) async throws {
    let home = try Home()
    let session = try await open(home, columns: size.columns, rows: size.rows)
    defer { session.close() }
    session.type("clair")
    let found = try await session.waitForTexts("1/1", "1 cover for “clair”")
    assertSnapshot(found, named: "covers-found-\(size.rawValue)")
    session.type("\u{15}dvorak")
    try await session.waitForTexts("1/4", "Letters from the Summit")
    session.type("\u{15}zz")
    let none = try await session.waitForText("Nothing found for “zz”.")
    assertSnapshot(none, named: "covers-none-\(size.rawValue)")
    session.type("\u{15}")
    try await session.waitForTexts("1/40", "11 covers")
  }

  @Test func enterSearchesAndThenShowsAlbumAndTrack() async throws {
    let home = try Home()
    let session = try await open(home)
    defer { session.close() }
    session.type("clair\r")
    try await session.waitForTexts("1 cover for “clair”", "Enter Open")
    session.type("\r")
    let alert = try await session.waitForTexts("Tapped: Volcano by the Lake", "music: Debussy: Clair de lune")
    assertSnapshot(alert, named: "covers-alert")
    session.type("\r")
    try await session.wait(for: "the alert to be gone") { !$0.contains("Tapped") }
  }

  /// A click on one of an album's further tracks highlights it, and a second click presses it.
  @Test func eachTrackOfAnAlbumCanBePressed() async throws {
    let home = try Home()
    let session = try home.enter("covers", columns: 120)
    defer { session.close() }
    // The tracks begin alike, with the composer.
    let screen = try await session.waitForTexts("1/40", " Summer, RV 315")
    let album = try #require(screen.position(of: "Four Seasons of One Meadow"))
    let track = try #require(screen.position(of: "Summer, RV 315"))
    #expect(track.column == album.column && track.row == album.row + 3)
    session.click(column: track.column, row: track.row)
    // The detail has all tracks of the album.
    try await session.waitForTexts("6/40", "Tracks", "Vivaldi: Winter, RV 297")
    session.click(column: track.column, row: track.row)
    try await session.waitForTexts("Tapped: Four Seasons of One Meadow", "music: Vivaldi: Summer, RV 315")
  }

  @Test func charactersTypedIntoTheFieldAreNoCommands() async throws {
    let home = try Home()
    let session = try await open(home)
    defer { session.close() }
    session.type("1q?[]ru2/")
    try await session.waitForTexts("Search  1q?[]ru2/", "0 covers for “1q?[]ru2/”")
    session.type("\u{1B}")
    try await session.waitForText("q Quit")
    session.type("gw")
    try await session.waitForText("24 photos, 8 members")
    session.type("gc")
    try await session.waitForTexts("Search  1q?[]ru2/", "q Quit")
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func arrowsAndClicksLeaveTheField() async throws {
    let home = try Home()
    let session = try await open(home)
    defer { session.close() }
    session.type("\u{1B}[B")
    try await session.waitForTexts("2/40", "/ Search")
    let field = try #require(session.screen.position(of: "album, track"))
    session.click(column: field.column, row: field.row)
    try await session.waitForText("Enter Search")
    let row = try #require(session.screen.position(of: "Four Seasons of"))
    session.click(column: row.column, row: row.row)
    try await session.waitForTexts("5/40", "/ Search")
  }

  @Test func pastedLineBreaksAreSpaces() async throws {
    let home = try Home()
    let session = try await open(home, columns: 120)
    defer { session.close() }
    session.paste("wine\nand a\tdrum")
    try await session.waitForTexts("Search  wine and a drum", "1 cover for “wine and a drum”")
  }

  @Test func wideCharactersTakeTwoCells() async throws {
    let home = try Home()
    let session = try await open(home, columns: 40, rows: 12)
    defer { session.close() }
    session.type("写真")
    let short = try await session.waitForText("Nothing found for “写真”.")
    assertSnapshot(short, named: "covers-wide")
    // The text is longer than the field, so its start is out of view.
    session.type(String(repeating: "漢字", count: 20) + "終")
    let long = try await session.wait(for: "the end of the text") { $0.contains("終") && $0.contains("終”.") }
    let field = try #require(long.position(of: "終"))
    #expect(field.column + 2 < 40)
    #expect(!long.lines[field.row].contains("写真"))
    session.type("\u{01}")
    try await session.waitForText("Search  写真漢字")
  }

  @Test func theNewestSearchWins() async throws {
    let home = try Home()
    let session = try await open(home, delay: "0.3")
    defer { session.close() }
    session.type("aria\r")
    session.type("/\u{15}tulip\r")
    try await session.waitForTexts("1/4", "1 cover for “tulip”")
  }
}
