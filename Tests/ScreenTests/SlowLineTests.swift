import Foundation
import Harness
import TestLimit
import Testing

/// Over a slow line the terminal's answers arrive late. The program still reads them, so that none reaches the shell.
@Suite(.fewAtOnce, .limited) struct SlowLineTests {
  // xterm gets all questions in one batch, foot in two. These are the answers to both batches.
  private static let xterm = "\u{1B}]11;rgb:1010/1010/1010\u{1B}\\\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[?64;1;22c"
  private static let foot =
    "\u{1B}]11;rgb:1010/1010/1010\u{1B}\\\u{1B}P>|foot(1.13.1)\u{1B}\\\u{1B}[?1;0;256S\u{1B}[6;20;9t\u{1B}[?62;4;22c"

  static let delays = [0, 100, 300, 600, 1000, 2000]

  /// Waits until the program has sent this many batches of questions.
  private func waitForQuestions(_ session: TerminalSession, batch: Int = 1) async throws {
    try await session.waitForOutput("batch \(batch) of the questions") {
      String(decoding: $0, as: UTF8.self).components(separatedBy: "\u{1B}[c").count > batch
    }
  }

  /// Expects that no part of the terminal's answers has reached the shell.
  private func expectClean(_ session: TerminalSession) async throws {
    try await session.waitForAnswers()
    try await session.waitForPrompt()
    session.type("echo clean-$((1+1))\n")
    let screen = try await session.waitForText("clean-2")
    let line = try #require(screen.lines.first { $0.contains("echo clean") })
    #expect(line.hasSuffix("shell> echo clean-$((1+1))"))
    for piece in ["rgb:", "62;4;22c", "64;1;22c", ">|"] { #expect(!screen.contains(piece), "\(piece)") }
  }

  @Test(arguments: delays, ["show --size 8x4 \(Program.photo("chelsea.jpg").shellWord)", "doctor"])
  func lateAnswersToACommandDoNotReachTheShell(delay: Int, command: String) async throws {
    for (answer, batches) in [(Self.xterm, 1), (Self.foot, 2)] {
      let session = try await TerminalSession.shell(answersQueries: false)
      defer { session.close() }
      session.type("\(Program.path.shellWord) \(command)\n")
      for batch in 1...batches {
        try await waitForQuestions(session, batch: batch)
        session.answer(answer, after: .milliseconds(delay))
      }
      try await expectClean(session)
      // The command has also used the answers.
      let hasSixels = session.output.firstRange(of: Array("\u{1B}P0;0;0q".utf8)) != nil
      #expect(hasSixels == (batches == 2))
    }
  }

  @Test(arguments: delays, ["q", "\u{3}", "\u{1A}"])
  func lateAnswersToTheGalleryDoNotReachTheShell(delay: Int, key: String) async throws {
    // The program waits five seconds. On a busy machine the answers can arrive later, so the test tries again.
    for _ in 1...3 {
      let session = try await TerminalSession.shell(answersQueries: false)
      defer { session.close() }
      let start = ContinuousClock.now
      session.type("\(Program.path.shellWord) --pictures none --delay 0\n")
      try await waitForQuestions(session)
      session.answer(Self.foot, after: .milliseconds(delay))
      session.type(key)
      try await session.waitForAnswers()
      if .now - start < .seconds(5) { return try await expectClean(session) }
    }
    Issue.record("This machine is too busy for the terminal to answer within five seconds.")
  }
}
