import Foundation
import Harness
import TestLimit
import Testing

/// The terminal is restored however the program ends.
@Suite(.fewAtOnce, .limited) struct EndingTests {
  @Test func quittingRestoresTheTerminal() async throws {
    let session = try await Program.open()
    defer { session.close() }
    #expect(session.attributes != session.initialAttributes)
    #expect(session.screen.isAlternateScreen)
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    try await session.expectGivenBack()
  }

  @Test(arguments: ["\u{03}", "\u{1C}"])
  func interruptingRestoresTheTerminal(key: String) async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type(key)
    #expect(try await session.waitForExit() == .signalled(key == "\u{03}" ? SIGINT : SIGQUIT))
    try await session.expectGivenBack()
  }

  @Test(
    arguments: [
      SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGUSR1, SIGALRM, SIGXCPU,
      40,
    ],
    ["", "jj\r", "j\r", "?"])
  func aSignalRestoresTheTerminal(number: Int32, state: String) async throws {
    let session = try await Program.open(columns: 80, rows: 24)
    defer { session.close() }
    session.type(state)
    session.kill(number)
    #expect(try await session.waitForExit() == .signalled(number))
    try await session.expectGivenBack()
  }

  @Test func aStoppedProgramReturnsToItsScreen() async throws {
    let session = try await TerminalSession.shell()
    defer { session.close() }
    session.type("\(Program.path.shellWord) --pictures none --delay 0\n")
    let before = try await session.waitForTexts("1/36", "by Luca Zanon")
    for round in 1...5 {
      session.type("\u{1A}")
      try await session.waitForPrompt()
      #expect(session.screen.contains("Stopped"))
      #expect(session.modes[1000] == false)
      session.type("fg\n")
      let again = try await session.wait(for: "the gallery, round \(round)") {
        $0.isAlternateScreen && $0.contains("1/36")
      }
      #expect(again.text == before.text)
      #expect(session.modes[1000] == true)
    }
    session.type("\u{1A}")
    try await session.waitForPrompt()
    session.resize(to: Size(columns: 80, rows: 24))
    session.type("fg\n")
    let kept = try snapshot("list-80x24")
    try await session.wait(for: "the gallery at its new size") { $0.snapshot() == kept }
    session.type("q")
    try await session.waitForPrompt()
    session.type("echo done-$?\n")
    try await session.waitForText("done-0")
  }

  @Test func aBackgroundProgramDoesNotDrawOverTheShell() async throws {
    let session = try await TerminalSession.shell()
    defer { session.close() }
    // The spinner requests a frame every tenth of a second.
    session.type("\(Program.path.shellWord) --pictures none --delay 3600\n")
    for round in 1...5 {
      try await session.wait(for: "the gallery, round \(round)") { $0.isAlternateScreen && $0.contains("Loading") }
      session.type("\u{1A}")
      try await session.waitForPrompt()
      session.type("bg; while [ -z \"$(jobs -s)\" ]; do :; done; echo in-the-back\(round)-$((1+1))\n")
      let shell = try await session.waitForText("in-the-back\(round)-2")
      #expect(!shell.isAlternateScreen)
      #expect(!shell.contains("Loading"))
      session.type("fg\n")
    }
    try await session.wait(for: "the gallery at last") { $0.isAlternateScreen && $0.contains("Loading") }
    session.kill(SIGKILL)
  }

  /// If SIGTTOU is ignored, the gallery can draw in the background. Reading the shell's keys must stop it. An error would
  /// look as if the terminal were gone.
  @Test func aBackgroundProgramThatReadsIsStopped() async throws {
    let session = try await TerminalSession.shell()
    defer { session.close() }
    let command = "trap '' TTOU; exec \(Program.path.shellWord) --pictures none --delay 3600"
    session.type("sh -c \(command.shellWord) & while [ -n \"$(jobs -r)\" ]; do :; done; jobs -s; kill -KILL %1\n")
    try await session.waitForOutput("the stopped gallery") { $0.firstRange(of: Array("Stopped".utf8)) != nil }
  }

  @Test func aStopWhileTheGalleryTakesTheTerminalAgainKeepsTheScreen() async throws {
    let session = try await TerminalSession.shell()
    defer { session.close() }
    // The number stays on the screen until it is read.
    let command = "echo gallery-$$-; read line; exec \(Program.path.shellWord) --pictures none --delay 3600"
    session.type("sh -c \(command.shellWord)\n")
    let start = try await session.wait(for: "the process's number") { $0.text.firstMatch(of: /gallery-(\d+)-/) != nil }
    let match = try #require(start.text.firstMatch(of: /gallery-(\d+)-/))
    let gallery = try #require(pid_t(match.1))
    session.type("\n")
    for round in 1...100 {
      try await session.wait(for: "the gallery, round \(round)") { $0.isAlternateScreen && $0.contains("Loading") }
      kill(gallery, SIGCONT)
      if round.isMultiple(of: 3) { await Task.yield() }
      kill(gallery, SIGTSTP)
      try await session.waitForPrompt()
      session.type("fg\n")
    }
    session.kill(SIGKILL)
  }

  @Test func lateAnswersOfTheTerminalDoNotReachTheShell() async throws {
    let session = try await TerminalSession.shell(answersQueries: false)
    defer { session.close() }
    session.type("\(Program.path.shellWord) --pictures none --delay 0\n")
    try await session.waitForText("1/36")
    session.type("q")
    session.type("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?62;22c")
    try await session.waitForPrompt()
    session.type("echo clean-$?\n")
    let screen = try await session.waitForText("clean-0")
    #expect(!screen.contains("rgb:") && !screen.contains("62;22c"))
  }

  @Test func theProgramEndsWithItsTerminal() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.hangUp()
    #expect(try await session.waitForExit() == .signalled(SIGHUP))
  }

  @Test func theProgramEndsWithItsTerminalEvenIfItIgnoresHangUps() async throws {
    let session = try TerminalSession(
      "/bin/sh", ["-c", #"trap '' HUP; exec "$0" --delay 0"#, Program.path], size: Size(columns: 120, rows: 36),
      environment: Program.environment)
    defer { session.close() }
    try await session.waitForText("1/36")
    session.hangUp()
    let ending = try await session.waitForExit()
    #expect(ending == .exited(1))
  }

  @Test(
    arguments: [
      (
        ["TERM": nil],
        "Error: TERM is not set. Set it to your terminal's type, for instance: TERM=xterm-256color tintype"
      ),
      (
        ["TERM": "no-such-terminal"],
        "Error: the terminal type “no-such-terminal” is unknown on this machine. Set TERM to a known one, such as "
          + "xterm-256color, or install its terminfo entry (Debian's ncurses-term has most)."
      ),
      (
        ["TERM": "dumb"],
        "Error: the terminal type “dumb” can't position the cursor. Set TERM to your terminal's type."
      ),
    ] as [([String: String?], String)])
  func anUnsuitableTerminalIsReported(changes: [String: String?], message: String) async throws {
    let session = try Program.start(columns: 200, rows: 24, changes: changes)
    defer { session.close() }
    let ending = try await session.waitForExit()
    let screen = try await session.waitForText(message)
    #expect(ending == .exited(1))
    #expect(screen.lines.filter { !$0.isEmpty }.count == 1)
    #expect(session.attributes == session.initialAttributes)
  }

  /// These terminals have no alternate screen.
  @Test(arguments: ["vt100", "linux"])
  func aTerminalWithOneScreenIsLeftEmpty(type: String) async throws {
    let session = try await Program.open(changes: ["TERM": type, "COLORTERM": nil])
    defer { session.close() }
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    let screen = session.screen
    #expect(screen.lines.filter { !$0.isEmpty } == [])
    #expect((screen.cursor.row, screen.cursor.column) == (0, 0))
    #expect(session.attributes == session.initialAttributes)
  }

  @Test func anOutputThatIsNotATerminalIsReported() async throws {
    let session = try TerminalSession(
      "/bin/sh", ["-c", #""$0" | cat; exec "$0" > /dev/null"#, Program.path], size: Size(columns: 200, rows: 24),
      environment: Program.environment)
    defer { session.close() }
    #expect(try await session.waitForExit() == .exited(1))
    let screen = try await session.waitForText("standard output is not a terminal")
    let error = "Error: standard output is not a terminal."
    #expect(screen.lines.filter { $0.contains(error) }.count == 2)
  }

  @Test func aSilentTerminalDoesNotDelayTheEnd() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.pauseReading()
    for _ in 0..<200 { session.type("Gg") }
    session.kill(SIGTERM)
    #expect(try await session.waitForExit() == .signalled(SIGTERM))
  }
}
