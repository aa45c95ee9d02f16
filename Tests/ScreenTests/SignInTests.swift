import Harness
import TestLimit
import Testing

@Suite(.fewAtOnce, .limited) struct SignInTests {
  @Test(arguments: ScreenSize.allCases)
  func aVisitorSignsInFromAnyRoom(size: ScreenSize) async throws {
    let home = try Home()
    let session = try home.enter("covers", columns: size.columns, rows: size.rows)
    defer { session.close() }
    try await session.waitForText("1/40")
    session.type("gu")
    let popup = try await session.waitForText("Who are you?")
    assertSnapshot(popup, named: "sign-in-\(size.rawValue)")
    session.type("\r")
    try await session.waitForText("Type your name first.")
    session.type("q5山田\r")
    let greeting = try await session.wait(for: "the popup's and the header's greeting") { screen in
      screen.lines.count { $0.contains("Hello q5山田!") } == 2
    }
    assertSnapshot(greeting, named: "sign-in-greeting-\(size.rawValue)")
    session.type("\r")
    try await session.wait(for: "the popup to be gone") {
      !$0.contains(" Sign the guestbook ") && $0.contains("Hello q5山田!")
    }
    session.type("gb")
    try await session.waitForText("Signed by")
  }

  @Test func escapeDoesNotSignIn() async throws {
    let home = try Home()
    let session = try home.enter("wall")
    defer { session.close() }
    try await session.waitForText("1/32")
    session.type("guAda")
    try await session.waitForText("Ada")
    session.type("\u{1B}")
    try await session.wait(for: "the popup to be gone") { !$0.contains(" Sign the guestbook ") }
    session.type("gb")
    try await session.waitForText("Nobody has signed yet")
    session.type("\tgu")
    try await session.waitForTexts(" Sign the guestbook ", "Who are you?")
  }
}
