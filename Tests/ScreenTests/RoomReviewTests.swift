import Harness
import TestLimit
import Testing

/// Faults that a review of the rooms found, which must not come back.
@Suite(.fewAtOnce, .limited) struct RoomReviewTests {
  /// Ids may occur twice in a catalog.
  @Test func rowsWithTheSameIDShowTheirOwnPhotos() async throws {
    let rows = ["Alpha", "Beta", "Gamma"].map {
      "{\"id\": 1, \"name\": \"\($0)\", \"created_at\": \"2017-11-06T14:48:50Z\", \"image_url\": \"a.jpg\"}"
    }
    let catalog = try TemporaryCatalog("{\"photos\": [\(rows.joined(separator: ","))]}")
    let session = try Program.start("--delay", "0", catalog.path)
    defer { session.close() }
    try await session.waitForTexts("Alpha", "Beta", "Gamma", "1/3")
    session.type("jv")
    try await session.waitForTexts("Esc Back", "Beta", "2/3")
    session.type("n")
    try await session.waitForTexts("Gamma", "3/3")
  }

  /// The mouse button's release goes to the room below, which must not repeat the request that has just failed.
  @Test func anAlertThatIsClickedAwayStaysAway() async throws {
    let contents = try Contents(["prints.json": "["])
    let home = try Home()
    let session = try home.enter("prints", contents: contents)
    defer { session.close() }
    let alert = try await session.waitForTexts(" Can't load prints ", " Ok ")
    let button = try #require(alert.position(of: " Ok "))
    session.click(column: button.column + 1, row: button.row)
    try await session.waitForText("Can't load the prints.")
    // Requests are debounced for a shorter time. A key that is answered after it shows that no further alert came.
    try contents.write("{\"prints\": []}", to: "prints.json")
    session.type("?")
    try await session.waitForText("─ Commands ─")
    session.type("\u{1B}")
    try await session.wait(for: "the keys to be gone") { !$0.contains("─ Commands ─") }
    session.type("r")
    try await session.waitForText("No prints for sale.")
  }

  @Test func aScrolledFieldShowsTheRestOfItsText() async throws {
    let home = try Home()
    let session = try home.enter("guestbook", columns: 80)
    defer { session.close() }
    try await session.waitForText("Who are you?")
    session.type(String(repeating: "x", count: 100))
    session.type(String(repeating: "\u{7F}", count: 60))
    try await session.wait(for: "the 40 that are left") { screen in
      screen.lines.contains { $0.contains(String(repeating: "x", count: 40)) }
    }
  }

  @Test func keysThroughTheRoomsAreNotTypedIntoTheGuestbook() async throws {
    let home = try Home()
    let session = try home.enter("covers", columns: 120)
    defer { session.close() }
    try await session.waitForText("11 covers")
    session.type("]]")
    try await session.waitForText("36 photos")
    session.type("gb")
    // After the user has passed through the room, its field does not have the keys.
    try await session.waitForTexts("Who are you?", "? Help")
    session.type("\t")
    try await session.waitForText("Esc Done")
    session.type("\u{1B}")
    try await session.waitForText("? Help")
    session.type("gc")
    try await session.waitForText("11 covers")
  }

  @Test func theSignInButtonCanBeClicked() async throws {
    let home = try Home()
    let session = try home.enter("covers", columns: 120)
    defer { session.close() }
    try await session.waitForText("11 covers")
    session.type("guAda")
    let popup = try await session.waitForTexts("Sign the guestbook", "  Validate  ")
    let button = try #require(popup.position(of: "  Validate  "))
    session.click(column: button.column + 3, row: button.row)
    try await session.waitForText("Hello Ada!")
  }
}
