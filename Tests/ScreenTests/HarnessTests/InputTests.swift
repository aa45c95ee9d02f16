import Harness
import Testing

extension HarnessTests {
  @Suite struct InputTests {
    /// Starts a program that prints the bytes that it receives.
    private func echo(modes: String = "") throws -> TerminalSession {
      let session = try shell("stty raw -echo; printf '\(modes)ready\\r\\n'; exec cat -v")
      try session.waitForText("ready")
      return session
    }

    @Test func keysSendTheBytesOfTheCursorMode() throws {
      let session = try echo()
      session.press(.up)
      session.press(.home)
      session.press(.f1)
      session.press(.pageDown)
      session.press(.backTab)
      session.press(.ctrl("a"))
      session.press(.alt("x"))
      session.press(.enter)
      session.press(.up, modifiers: .control)
      try session.waitForText("^[[A^[[H^[OP^[[6~^[[Z^A^[x^M^[[1;5A")
      session.press(.ctrl("i"))
      session.type("é.")
      try session.waitForText("M-CM-).")
      #expect(session.output.contains(UInt8(ascii: "\t")))

      let application = try echo(modes: "\\033[?1h")
      application.press(.up)
      application.press(.escape)
      application.type(".")
      try application.waitForText("^[OA^[.")
    }

    @Test func mouseAndPasteSendXtermSequences() throws {
      let session = try echo(modes: "\\033[?2004h\\033[?1000;1006h")
      session.click(column: 0, row: 2)
      session.scroll(.down, column: 9, row: 4)
      session.paste("text")
      try session.waitForText("^[[<0;1;3M^[[<0;1;3m^[[<65;10;5M^[[200~text^[[201~")
    }

    @Test(arguments: [true, false]) func queriesAreAnsweredOnlyIfRequested(answers: Bool) throws {
      let session = try shell(
        "stty raw -echo; printf '\\033[3;7H\\033[6n'; dd bs=1 count=6 2>/dev/null | cat -v; exec cat",
        answersQueries: answers)
      // Keys must arrive even if answers are dropped.
      try session.waitForOutput("the query") { $0.suffix(4).elementsEqual(Array("\u{1B}[6n".utf8)) || answers }
      if !answers { session.type("silent") }
      try session.waitForText(answers ? "^[[3;7R" : "silent")
    }

    @Test func inputLargerThanTheKernelsBufferArrives() throws {
      let session = try shell("stty raw -echo; printf ready; exec head -c 300000 | wc -c")
      try session.waitForText("ready")
      session.type(String(repeating: "x", count: 300_000))
      try session.waitForText("300000")
      #expect(try session.waitForExit() == .exited(0))
    }

    @Test func pausedReadingBlocksTheProgram() throws {
      let session = try shell("printf ready; read line; head -c 200000 /dev/zero | tr '\\0' x; printf finished")
      try session.waitForText("ready")
      session.pauseReading()
      let before = session.output.count
      session.type("\n")
      #expect(throws: HarnessError.self) { try session.waitForExit(timeout: .milliseconds(200)) }
      #expect(session.output.count == before)
      session.resumeReading()
      #expect(try session.waitForExit() == .exited(0))
      #expect(String(decoding: session.output, as: UTF8.self).hasSuffix("finished"))
      #expect(session.output.filter { $0 == UInt8(ascii: "x") }.count == 200_000)
    }
  }
}
