import Foundation
import Harness
import TestLimit
import Testing

@Suite(.fewAtOnce, .limited) struct RoomTests {
  /// Each room's name, a text of its first view, and its text while it is loading.
  private static let rooms = [
    ("photos", "Dune in the wind", "Loading photos…"), ("wall", "[+ Follow]", "Loading the wall…"),
    ("prints", "24.00 EUR", "Loading prints…"), ("covers", "Goldberg by Candlelight", "Searching…"),
  ]

  @Test(arguments: rooms.dropFirst(), ScreenSize.allCases)
  func aRoomShowsItsFirstView(room: (name: String, text: String, loading: String), size: ScreenSize) async throws {
    let home = try Home()
    let session = try home.enter(room.name, columns: size.columns, rows: size.rows)
    defer { session.close() }
    let text = room.name == "wall" ? "Dune in the wind" : room.text
    let screen = try await session.wait(for: "the first view") { $0.contains(text) && !$0.contains(room.loading) }
    assertSnapshot(screen, named: "\(room.name)-\(size.rawValue)")
  }

  @Test(arguments: ScreenSize.allCases)
  func theGuestbookShowsItsFirstView(size: ScreenSize) async throws {
    let home = try Home()
    let session = try home.enter("guestbook", columns: size.columns, rows: size.rows)
    defer { session.close() }
    let screen = try await session.waitForTexts("Who are you?", "Be the first to sign")
    assertSnapshot(screen, named: "guestbook-\(size.rawValue)")
  }

  @Test(arguments: rooms.dropFirst(), ScreenSize.allCases)
  func aRoomShowsThatItIsLoading(room: (name: String, text: String, loading: String), size: ScreenSize) async throws {
    let home = try Home()
    let session = try home.enter(room.name, delay: "3600", columns: size.columns, rows: size.rows)
    defer { session.close() }
    let screen = try await session.waitForText("⠋ \(room.loading)")
    assertSnapshot(screen, named: "\(room.name)-loading-\(size.rawValue)")
    try await session.waitForText("⠙ \(room.loading)")
    session.type("?")
    try await session.waitForText("─ Commands ─")
  }

  @Test(arguments: rooms.dropFirst())
  func aMissingFileIsReportedAndRequestedAgain(room: (name: String, text: String, loading: String)) async throws {
    let home = try Home()
    let contents = try Contents()
    let session = try home.enter(room.name, columns: 120, contents: contents)
    defer { session.close() }
    let file = room.name == "covers" ? "music.json" : "\(room.name).json"
    try await session.wait(for: "an alert naming \(file)") { $0.contains("There is no file") && $0.contains(file) }
    session.type("\r")
    try await session.waitForText("Press r to try again.")
    let empty = [
      "wall": "{\"members\": [], \"items\": []}", "prints": "{\"prints\": []}", "covers": "{\"results\": []}",
    ]
    try contents.write(#require(empty[room.name]), to: file)
    session.type("r")
    let nothing = [
      "wall": "Nobody has posted yet.", "prints": "No prints for sale.",
      "covers": "Press / and type to search.",
    ]
    try await session.waitForText(#require(nothing[room.name]))
    session.type("\r")
    session.type("?")
    try await session.waitForText("─ Commands ─")
  }
}

extension RoomTests {
  /// After a resize, each room looks as if it had been entered at that size.
  @Test(arguments: ["wall", "prints", "covers", "guestbook"], ScreenSize.allCases)
  func aResizedRoomLooksLikeANewOne(room: String, to size: ScreenSize) async throws {
    let home = try Home()
    let session = try home.enter(room, columns: 100, rows: 30)
    defer { session.close() }
    try await session.wait(for: "the first view") { screen in
      ["24 photos", "Page 1 of 4", "11 covers", "Who are you?"].contains(where: screen.contains)
    }
    session.resize(to: Size(columns: 33, rows: 9))
    session.resize(to: Size(columns: size.columns, rows: size.rows))
    let kept = try snapshot("\(room)-\(size.rawValue)")
    try await session.wait(for: "\(room) at \(size)") { $0.snapshot() == kept }
  }
}

// MARK: - From room to room

extension RoomTests {
  @Test func keysAndClicksLeadFromRoomToRoom() async throws {
    let home = try Home()
    let session = try home.enter("photos", columns: 120)
    defer { session.close() }
    try await session.waitForText("1/36")
    for (keys, text) in [
      ("gw", "24 photos"), ("gr", "Page 1 of 4"), ("gc", "11 covers"), ("gb", "Who are you?"), ("\tgp", "t Rows"),
      ("]", "24 photos"), ("[", "t Rows"), ("[", "Who are you?"), ("]", "t Rows"),
    ] {
      session.type(keys)
      try await session.waitForText(text)
    }
    for (name, text) in [("Covers", "11 covers"), ("Photos", "t Rows"), ("Guestbook", "Nobody has signed yet")] {
      let place = try #require(session.screen.position(of: name))
      session.click(column: place.column + 1, row: place.row)
      try await session.waitForText(text)
    }
  }

  @Test func theMenuShowsTheLettersOfTheRooms() async throws {
    let session = try Program.start("--delay", "0")
    defer { session.close() }
    try await session.waitForText("1/36")
    session.type("Gg")
    try await session.waitForTexts("─ Go to ─", "g  First", "b  Guestbook")
    session.type("\u{1B}")
    try await session.wait(for: "the menu to be gone") { !$0.contains("─ Go to ─") && $0.contains("36/36") }
    session.type("g")
    try await session.waitForTexts("g  First", "w  Wall")
    // g, t, m, o, f, k, p, w: from the top to the bottom of each column.
    session.type("jjjjjjj\r")
    try await session.waitForText("24 photos, 8 members")
  }

  @Test func roomsLoadSideBySide() async throws {
    let home = try Home()
    let session = try home.enter("photos", delay: "3600", columns: 120)
    defer { session.close() }
    for (key, text) in [
      ("gw", "Loading the wall…"), ("gr", "Loading prints…"), ("gc", "Searching…"), ("gb", "Who are you?"),
      ("\tgp", "Loading photos…"),
    ] {
      session.type(key)
      try await session.waitForText(text)
    }
    session.type("gc/q")
    try await session.waitForTexts("Searching…", "Search  q")
  }

  @Test func aRoomThatWasLeftWhileLoadingIsLoadedOnReturn() async throws {
    let home = try Home()
    let session = try home.enter("photos", delay: "0.3", columns: 120)
    defer { session.close() }
    session.type("gwgrgc]gp")
    try await session.waitForTexts("1/36", "t Rows")
    for (key, text, loading) in [
      ("gw", "24 photos", "Loading the wall…"), ("gr", "Page 1 of 4", "Loading prints…"),
      ("gc", "11 covers", "Searching…"),
    ] {
      session.type(key)
      try await session.wait(for: text) { $0.contains(text) && !$0.contains(loading) }
    }
  }

  @Test(arguments: ["photos", "wall", "prints", "covers", "guestbook"])
  func storageProblemsAreReportedOnce(room: String) async throws {
    let session = try Program.start("--delay", "0", "--room", room)
    defer { session.close() }
    if room == "photos" {
      let screen = try await session.waitForText("1/36")
      #expect(!screen.contains("will not be kept after"))
      session.type("gw")
    }
    let screen = try await session.waitForText("will not be kept after")
    // One alert names both places.
    try await session.waitForTexts("Follows, basket, searches and marks", "Guestbook entries")
    _ = screen
    session.type("\r")
    try await session.wait(for: "the alert to be gone") { !$0.contains("will not be kept after") }
    session.type("\tgr")
    let prints = try await session.waitForText("1/12+")
    #expect(!prints.contains("will not be kept after"))
  }

  @Test func anUnusableFileIsLeftUnchanged() async throws {
    let home = try Home()
    let file = home.state.appending(path: "state.sqlite")
    try FileManager.default.createDirectory(at: home.state, withIntermediateDirectories: true)
    // A folder has the name of the file.
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    let session = try home.enter("prints", columns: 120)
    defer { session.close() }
    try await session.waitForTexts("will not be kept", "opened; check its permissions")
    session.type("\r")
    try await session.waitForTexts("1/12+", "b Add to basket")
    session.type("b")
    try await session.waitForText("1 print, 24.00 EUR")
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.state.path) == ["state.sqlite"])
  }
}
