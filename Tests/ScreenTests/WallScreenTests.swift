import Harness
import TestLimit
import Testing

@Suite(.fewAtOnce, .limited) struct WallScreenTests {
  private static let hugo = "Hugo Vesper"
  private static let edda = "Edda Quill"

  /// Opens the wall with the first member highlighted.
  private func open(
    _ home: Home, delay: String = "0", columns: Int = 40, rows: Int = 12
  ) async throws -> TerminalSession {
    let session = try home.enter("wall", delay: delay, columns: columns, rows: rows)
    try await session.waitForText("1/32")
    session.type("jjj")
    // The button may be in view from the start, so its place is final only after the keys were handled.
    try await session.wait(for: "the first member") { $0.contains("4/32") && $0.followButton(of: Self.hugo) != nil }
    return session
  }

  private func wait(_ session: TerminalSession, for button: String, of member: String = hugo) async throws {
    try await session.wait(for: "\(button) of \(member)") { $0.followButton(of: member) == button }
  }

  @Test func followingIsShownWhileRequestedAndThenStored() async throws {
    let home = try Home()
    let first = try await open(home, delay: "0.3")
    defer { first.close() }
    first.type("f")
    try await wait(first, for: "Following…")
    try await wait(first, for: "✓ Following")
    first.type("q")
    #expect(try await first.waitForExit() == .exited(0))

    let second = try await open(home)
    defer { second.close() }
    try await wait(second, for: "✓ Following")
    second.type("\r")
    try await wait(second, for: "+ Follow")
    second.kill(9)
    _ = try await second.waitForExit()

    let third = try await open(home)
    defer { third.close() }
    try await wait(third, for: "+ Follow")
  }

  @Test(arguments: ["0", "0.3"])
  func aReusedCellShowsNothingOfItsLastMember(delay: String) async throws {
    let home = try Home()
    let session = try await open(home, delay: delay)
    defer { session.close() }
    session.type("f")
    try await wait(session, for: delay == "0" ? "✓ Following" : "Following…")
    /// Moves to another member, and checks every screen on the way.
    func look(at member: String, by keys: String, shows button: String) async throws {
      session.type(keys)
      try await session.wait(for: "\(button) of \(member)") { screen in
        let other = member == Self.hugo ? Self.edda : member
        if let shown = screen.followButton(of: other), shown != "+ Follow" {
          throw Mistaken(member: other, button: shown)
        }
        return screen.followButton(of: member) == button && screen.contains(member)
      }
    }
    try await look(at: Self.edda, by: "jj", shows: "+ Follow")
    try await look(at: "Bo Lindqvist-Pine", by: "Gk", shows: "+ Follow")
    try await look(at: Self.edda, by: "ggjjjjj", shows: "+ Follow")
    try await look(at: Self.hugo, by: "kk", shows: "✓ Following")
  }

  private struct Mistaken: Error {
    let member: String
    let button: String
  }

  @Test func followingContinuesWhileAnotherRoomIsShown() async throws {
    let home = try Home()
    let session = try await open(home, delay: "0.3")
    defer { session.close() }
    session.type("f")
    try await wait(session, for: "Following…")
    session.type("gb")
    try await session.waitForText("Who are you?")
    session.type("\tgw")
    try await wait(session, for: "✓ Following")
    session.type("ff")
    try await wait(session, for: "Unfollowing…")
    try await wait(session, for: "+ Follow")
  }

  @Test func aPhotoCanBeOpenedButNotFollowed() async throws {
    let home = try Home()
    let session = try home.enter("wall")
    defer { session.close() }
    try await session.waitForText("1/32")
    session.type("f")
    try await session.waitForText("This is a photo, not a member.")
    session.type("\r")
    try await session.waitForTexts("Dune in the wind", "Esc Back")
    // The viewer skips the members between the photos.
    session.type("nnn")
    try await session.waitForText("Fushimi Inari")
    session.type("q")
    try await session.waitForTexts("5/32", "r Reload")
  }

  @Test func theFeedCanBeScrolledToItsEnd() async throws {
    let home = try Home()
    let session = try home.enter("wall")
    defer { session.close() }
    try await session.waitForText("1/32")
    session.type("G")
    let screen = try await session.waitForText("32/32")
    assertSnapshot(screen, named: "wall-end")
  }

  @Test func loadingCanBeStopped() async throws {
    let home = try Home()
    let session = try home.enter("wall", delay: "3600")
    defer { session.close() }
    try await session.waitForText("Loading the wall…")
    session.type("r")
    try await session.waitForText("Already loading.")
    session.type("\u{1B}")
    try await session.waitForTexts("Nothing is loaded.", "Press r to load the wall.")
  }

  @Test func aClickOnTheHighlightedMemberFollows() async throws {
    let home = try Home()
    let session = try await open(home, columns: 80, rows: 24)
    defer { session.close() }
    let place = try #require(session.screen.position(of: "[+ Follow]"))
    session.click(column: place.column, row: place.row)
    session.click(column: place.column, row: place.row)
    try await wait(session, for: "✓ Following")
  }
}

extension Screen {
  /// Returns the label of a member's button without its spinner; nil if the button is not in view.
  func followButton(of member: String) -> String? {
    let texts = lines.map { $0.prefix { $0 != "│" && $0 != "┃" } }
    for (line, below) in zip(texts, texts.dropFirst()) where line.contains(member) && !line.contains("posted by") {
      guard let start = below.firstIndex(of: "["), let end = below.lastIndex(of: "]") else { continue }
      let text = below[below.index(after: start)..<end]
      return text.hasSuffix("…") ? String(text.dropFirst(2)) : String(text)
    }
    return nil
  }
}
