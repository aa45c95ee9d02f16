import Foundation
import Harness
import TestLimit
import Testing

@Suite(.fewAtOnce, .limited) struct GuestbookScreenTests {
  private static let up = "\u{1B}[A"

  private func open(_ home: Home, columns: Int = 80, rows: Int = 24) async throws -> TerminalSession {
    let session = try home.enter("guestbook", columns: columns, rows: rows)
    try await session.waitForText("Name ")
    return session
  }

  @Test func theFaultOfANameIsShownBelowTheField() async throws {
    let home = try Home()
    let session = try await open(home)
    defer { session.close() }
    session.type("\r")
    let fault = try await session.waitForTexts("Type your name first.", "Nobody has signed yet")
    assertSnapshot(fault, named: "guestbook-fault")
    session.type("  ")
    try await session.wait(for: "the fault to be gone") { !$0.contains("Type your name first.") }
    session.type("\r")
    try await session.waitForText("Enter a name.")
    session.type("\u{15}" + String(repeating: "a", count: 65) + "\r")
    let long = try await session.waitForText("Names can be up to 64 characters long (yours has 65).")
    #expect(long.contains("Nobody has signed yet"))
    session.type("\u{7F}\r")
    try await session.waitForTexts("Hello aaaa", "1 entry")
  }

  @Test func aVisitorWhoSignsIsGreetedAndListed() async throws {
    let home = try Home()
    let first = try await open(home)
    defer { first.close() }
    first.type("Ada\r")
    try await first.wait(for: "the form's and the header's greeting") { screen in
      screen.lines.count { $0.contains("Hello Ada!") } == 2 && screen.contains("1 entry")
    }
    // The greeting has the name that the field had when the button was pressed.
    first.type(" Lovelace")
    let typed = try await first.waitForText("Ada Lovelace")
    #expect(typed.lines.count { $0.contains("Hello Ada!") } == 2)
    first.type("\t\r")
    try await first.waitForTexts("Hello Ada Lovelace!", "2 entries")
    first.type("gw")
    try await first.waitForTexts("24 photos", "Hello Ada Lovelace!")
    first.kill(9)
    _ = try await first.waitForExit()

    let second = try await open(home)
    defer { second.close() }
    let screen = try await second.waitForTexts("2 entries", "Signed by")
    #expect(screen.lines.count { $0.contains("Hello Ada Lovelace!") } == 1)
    let entries = screen.lines.compactMap {
      $0.firstMatch(of: #/^ +(\S.*?)  +[A-Z]\w+day, \d{4}-\d\d-\d\d at \d\d:\d\d$/#)?.1
    }
    #expect(entries == ["Ada Lovelace", "Ada"])
  }

  @Test func pressingTwiceSignsOnce() async throws {
    let home = try Home()
    let session = try await open(home)
    defer { session.close() }
    session.type("Ada\r\r\t\r\r")
    try await session.waitForTexts("Hello Ada!", "1 entry")
    // Another name signs, and then the first one again. Both follow all effects of the two presses.
    session.type("\tm\r")
    try await session.waitForTexts("Hello Adam!", "2 entries")
    session.type("\u{7F}\r")
    try await session.waitForTexts("Hello Ada!", "3 entries")
  }

  @Test func keysEditTheField() async throws {
    let home = try Home()
    let session = try await open(home)
    defer { session.close() }
    // A name is not signed twice in a row, so neighbors differ.
    let cases = [
      ("\u{01}", "|one two"), ("\u{01}\u{05}", "one two|"), ("\u{1B}[H", "|one two"), ("\u{1B}[H\u{1B}[F", "one two|"),
      ("\u{1B}[D\u{15}", "|"), ("\u{01}\u{1B}[C\u{1B}[C\u{1B}[C\u{0B}", "one|"), ("\u{17}", "one |"),
      ("\u{17}\u{17}", "|"), ("\u{01}\u{1B}[3~", "|ne two"), ("\u{7F}", "one tw|"), ("\u{01}\u{04}", "|ne two"),
      ("\u{08}", "one tw|"), ("\u{1B}[D", "one tw|o"), ("\u{1B}[C", "one two|"), ("\u{01}\u{1B}[D\u{7F}", "|one two"),
      ("5", "one two5|"), ("\u{1B}[200~\nthree\r\n\u{1B}[201~", "one two three |"),
    ]
    for (number, (keys, text)) in cases.enumerated() {
      session.type("one two\(keys)|\r")
      try await session.waitForTexts(
        "Name  \(text)", "Hello \(text)!", number == 0 ? "1 entry" : "\(number + 1) entries")
      session.type("\u{05}\u{15}")
      try await session.waitForText("Who are you?")
    }
  }

  @Test func aNameMayHaveWideCharacters() async throws {
    let home = try Home()
    let session = try await open(home, columns: 40, rows: 12)
    defer { session.close() }
    session.type("山田花子")
    let typed = try await session.waitForTexts("山田花子", "Be the first to sign")
    assertSnapshot(typed, named: "guestbook-wide")
    // Backspace deletes a whole character.
    session.type("\u{7F}\r")
    try await session.waitForTexts("Name  山田花", "Hello 山田花!")
    session.type("\u{01}\u{1B}[3~\r")
    try await session.waitForTexts("Name  田花", "Hello 田花!")
    session.resize(to: Size(columns: 40, rows: 16))
    try await session.wait(for: "both entries") { $0.lines.count { $0.contains(#/^ \S+花 .*\d\d:\d\d$/#) } == 2 }
  }

  @Test func charactersTypedIntoTheFieldAreNoCommands() async throws {
    let home = try Home()
    let session = try await open(home)
    defer { session.close() }
    session.type("q2?u[")
    let screen = try await session.waitForTexts("Name  q2?u[", "Esc Done")
    #expect(!screen.contains("Quit"))
    session.type("\u{1B}OP")
    try await session.waitForText("─ Commands ─")
    session.type("\u{1B}")
    try await session.waitForText("Esc Done")
    session.type("\t")
    try await session.waitForTexts("Tab Next field", "q Quit")
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
  }

  @Test func entriesScrollAndTheFieldKeepsItsText() async throws {
    let home = try Home()
    let session = try await open(home, columns: 40, rows: 12)
    defer { session.close() }
    for number in 1...9 {
      session.type("Guest \(number)\r")
      try await session.waitForText("Hello Guest \(number)!")
      session.type("\u{15}")
    }
    session.type("kept\t")
    try await session.waitForTexts("? Help", "9 entries")
    session.type("G")
    try await session.wait(for: "the oldest entry alone") { screen in
      screen.lines.contains { $0.contains(#/Guest 1 +\d/#) } && !screen.contains("kept")
    }
    session.type("gg")
    try await session.waitForText("Name  kept")
    session.type("!\r")
    try await session.waitForText("Hello kept!!")
  }
}
