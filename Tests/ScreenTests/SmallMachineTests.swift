import Testing

/// Small means small: what a terminal, a locale or a machine has not is done without.
@Suite(.fewAtOnce) struct SmallMachineTests {
  private func expectToWork(_ script: String, _ changes: [String: String?], shows text: String) async throws {
    var environment = Program.environment
    for (name, value) in changes { environment[name] = value }
    let session = try TerminalSession(
      "/bin/sh", ["-c", "\(script) exec \"$0\" --delay 0", Program.path], size: Size(columns: 80, rows: 24),
      environment: environment)
    defer { session.close() }
    try await session.waitForTexts(text, "1/20")
    session.type("j")
    try await session.waitForText("2/20")
    session.type("?")
    try await session.waitForText("half a page")
    session.type("qq")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(session.attributes == session.initialAttributes)
  }

  @Test func anOldTerminal() async throws {
    try await expectToWork("", ["TERM": "vt100", "COLORTERM": nil], shows: "Picos de Europa")
  }

  @Test func noLocale() async throws {
    try await expectToWork("", ["LC_ALL": "C", "LANG": nil], shows: "Picos de Europa")
  }

  @Test func noHome() async throws {
    try await expectToWork("", ["HOME": nil], shows: "Picos de Europa")
    try await expectToWork("", ["HOME": "/proc/none"], shows: "Picos de Europa")
  }

  @Test func fewDescriptors() async throws {
    try await expectToWork("ulimit -n 32;", [:], shows: "Picos de Europa")
  }

  @Test func allAtOnce() async throws {
    try await expectToWork(
      "ulimit -n 32;", ["TERM": "vt100", "COLORTERM": nil, "LC_ALL": "C", "HOME": nil], shows: "Picos de Europa")
  }

  @Test func nothingIsSentThatAnOldTerminalWouldPrint() async throws {
    let session = try Program.start("--delay", "0", columns: 80, rows: 24, changes: ["TERM": "vt100", "LC_ALL": "C"])
    defer { session.close() }
    try await session.waitForText("1/20")
    session.type("?")
    try await session.waitForText("half a page")
    session.type("qq")
    #expect(try await session.waitForExit() == .exited(0))
    let sequences = OutputGrammar.tokens(session.output).compactMap { token -> String? in
      guard case .sequence(let sequence) = token else { return nil }
      return sequence
    }
    #expect(session.output.allSatisfy { $0 < 0x80 })
    #expect(!sequences.isEmpty)
    // VT100 User Guide: moves, scrolling regions, clearing, and bold or reverse.
    let known = /\u{1B}(?:\[(?:\d+(?:;\d+)*)?[ABCDHJKmr]|\[\?7h|[()][B0]|[78DM=>])/
    #expect(try sequences.filter { try known.wholeMatch(in: $0) == nil } == [])
  }
}
