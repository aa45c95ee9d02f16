import Foundation
import Testing

@Suite struct RoomTests {
  /// Each room's name, what its first view has, and the sign that it is being fetched.
  private static let rooms = [
    ("photos", "Picos de Europa", "Loading photos…"), ("wall", "[+ Follow]", "Loading the wall…"),
    ("prints", "24.00 EUR", "Loading prints…"), ("covers", "Goldberg by Candlelight", "Searching…"),
  ]

  @Test(arguments: rooms.dropFirst(), ScreenSize.allCases)
  func firstView(room: (name: String, text: String, loading: String), size: ScreenSize) async throws {
    let home = try Home()
    let session = try home.enter(room.name, columns: size.columns, rows: size.rows)
    defer { session.close() }
    let text = room.name == "wall" ? "Bridge cables" : room.text
    let screen = try await session.wait(for: "the first view") { $0.contains(text) && !$0.contains(room.loading) }
    assertSnapshot(screen, named: "\(room.name)-\(size.rawValue)")
  }

  @Test(arguments: ScreenSize.allCases)
  func firstViewOfTheGuestbook(size: ScreenSize) async throws {
    let home = try Home()
    let session = try home.enter("guestbook", columns: size.columns, rows: size.rows)
    defer { session.close() }
    assertSnapshot(try await session.waitForText("Who are you?"), named: "guestbook-\(size.rawValue)")
  }

  @Test(arguments: rooms.dropFirst(), ScreenSize.allCases)
  func loading(room: (name: String, text: String, loading: String), size: ScreenSize) async throws {
    let home = try Home()
    let session = try home.enter(room.name, delay: "3600", columns: size.columns, rows: size.rows)
    defer { session.close() }
    let screen = try await session.waitForText("⠋ \(room.loading)")
    assertSnapshot(screen, named: "\(room.name)-loading-\(size.rawValue)")
    try await session.waitForText("⠙ \(room.loading)")
    session.type("?")
    try await session.waitForText(" Keys ")
  }

  @Test(arguments: rooms.dropFirst())
  func missingFileIsToldAndAskedForAgain(room: (name: String, text: String, loading: String)) async throws {
    let home = try Home()
    let contents = try Contents()
    let session = try home.enter(room.name, columns: 120, contents: contents)
    defer { session.close() }
    let file = room.name == "covers" ? "music.json" : "\(room.name).json"
    try await session.wait(for: "an alert naming \(file)") { $0.contains("There is no file") && $0.contains(file) }
    session.type("\r")
    try await session.waitForText("Press r to try again.")
    let empty = ["wall": "{\"members\": [], \"items\": []}", "prints": "{\"prints\": []}", "covers": "{\"results\": []}"]
    try contents.write(#require(empty[room.name]), to: file)
    session.type("r")
    let nothing = [
      "wall": "Nobody has posted anything yet.", "prints": "There are no prints for sale.",
      "covers": "Press / and type to search.",
    ]
    try await session.waitForText(#require(nothing[room.name]))
    session.type("\r")
    session.type("?")
    try await session.waitForText(" Keys ")
  }
}
