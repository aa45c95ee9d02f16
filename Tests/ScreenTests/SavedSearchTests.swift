import Harness
import TestLimit
import Testing

/// Saved searches: the popup that lists them, the command palette, and the next start.
@Suite(.fewAtOnce, .limited) struct SavedSearchTests {
  @Test func aSearchIsSavedAndRunAgainAfterTheNextStart() async throws {
    let home = try Home()
    let first = try home.enter("photos")
    defer { first.close() }
    try await first.waitForText("36 photos")
    first.type("'")
    try await first.waitForTexts("─ Saved searches ─", "Press / to search, then Ctrl-s to save it.")
    first.type("\u{1B}")
    try await first.wait(for: "the list") { !$0.contains("─ Saved searches ─") }
    first.type("/name:matador\r'")
    try await first.waitForText("Press Ctrl-s to save the current one.")
    first.type("\u{13}")
    let proposal = try await first.waitForTexts("─ Save search ─", "name:matador")
    // The proposed name is drawn as selected, like the cursor behind it, and typing replaces it.
    let row = try #require(proposal.lines.lastIndex { $0.contains("name:matador") })
    let cells = proposal.cells[row]
    let start = try #require(cells.indices.last { cells[$0...].map(\.text).joined().hasPrefix("name:matador") })
    let styles = cells[start...(start + "name:matador".count)].map(\.style)
    #expect(styles.allSatisfy { $0 == styles[0] } && styles[0] != cells[start + styles.count].style)
    first.type("Rocks\r")
    try await first.waitForText("Saved: Rocks")
    first.type("\u{1B}")
    try await first.wait(for: "all photos") { !$0.contains("name:matador") }
    first.type("q")
    #expect(try await first.waitForExit() == .exited(0))

    let second = try home.enter("photos")
    defer { second.close() }
    try await second.waitForText("36 photos")
    // The list shows the searches when they have been read.
    second.type("'")
    let list = try await second.waitForTexts("─ Saved searches ─", "Rocks", "name:matador")
    assertSnapshot(list, named: "saved-searches")
    second.type("\u{1B}")
    try await second.wait(for: "the list") { !$0.contains("─ Saved searches ─") }
    second.type(":rocks")
    try await second.waitForText("Search: Rocks")
    second.type("\r")
    try await second.waitForTexts("name:matador", " of 36")
    second.type("\u{1B}")
    try await second.wait(for: "all photos") { !$0.contains("name:matador") }
    second.type("'")
    try await second.waitForText("─ Saved searches ─")
    second.type("\u{1B}[3~")
    try await second.waitForTexts("Removed: Rocks", "Rocks    removed")
    second.type("\u{1B}")
    try await second.wait(for: "the list") { !$0.contains("─ Saved searches ─") }
    second.type("'")
    try await second.waitForText("No search is saved.")
  }
}
