import Foundation
import TestLimit
import Testing

@testable import Harness

/// The terminal is restored whenever a signal ends or stops the program.
@Suite(.fewAtOnceAndFirst, .serialized, .limited) struct GivenBackTests {
  static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT]

  private func end(at moment: Moment, by signal: Int32) async throws {
    let session = try await moment.enter()
    defer { session.close() }
    session.kill(signal)
    #expect(try await session.waitForExit() == .signalled(signal), "\(moment.name)")
    try await session.expectGivenBack()
    #expect(session.takeInput() == [], "\(moment.name)")
    let output = String(decoding: session.output, as: UTF8.self)
    #expect(output.hasSuffix("\u{1B}[?25h"), "nothing follows the last sequence: \(moment.name)")
  }

  @Test(arguments: Moment.all)
  func aSignalAtAnyMomentRestoresTheTerminal(moment: Moment) async throws {
    let number = Moment.all.firstIndex { $0.name == moment.name } ?? 0
    try await end(at: moment, by: Self.signals[number % Self.signals.count])
  }

  @Test(.enabled(if: isTorture, "the long form: make torture"), arguments: Moment.all, signals)
  func tortureEverySignalAtAnyMomentRestoresTheTerminal(moment: Moment, signal: Int32) async throws {
    try await end(at: moment, by: signal)
  }

  @Test func tortureEachStopRestoresTheTerminal() async throws {
    let session = try await TerminalSession.shell()
    defer { session.close() }
    session.type("\(Program.path.shellWord) --pictures none --delay 0\n")
    try await session.waitForTexts("1/36", "by Luca Zanon")
    for round in 1...(isTorture ? 50 : 6) {
      session.type("\u{1A}")
      try await session.waitForPrompt()
      // Mode 2004 (bracketed paste) is not checked, because the shell sets it, too.
      for mode in [1000, 1002, 1004, 1006, 1049] { #expect(!session.screen.isModeSet(mode), "mode \(mode)") }
      let isLarge = round % 2 == 0
      session.resize(to: isLarge ? Size(columns: 120, rows: 36) : Size(columns: 80, rows: 24))
      session.type("fg\n")
      let kept = try snapshot(isLarge ? "list-120x36" : "list-80x24")
      try await session.wait(for: "the gallery at its new size, round \(round)") {
        $0.isAlternateScreen && $0.snapshot() == kept
      }
      #expect(session.screen.isModeSet(1000))
    }
    session.type("q")
    try await session.waitForPrompt()
    session.type("echo done-$?\n")
    try await session.waitForText("done-0")
  }

  @Test func aStopThatCannotBeHandledLeavesTheShellItsTerminal() async throws {
    let session = try await TerminalSession.shell()
    defer { session.close() }
    session.type("\(Program.path.shellWord) --pictures none --delay 0 & sleep 0; fg\n")
    // The footer is the end of the first frame.
    try await session.waitForTexts("1/36", "q Quit")
    let program = try #require(session.foregroundProcessGroup)
    let stop = session.output.count
    kill(program, SIGSTOP)
    // The program's modes are still set, but the shell receives keys. The stop may have come within a frame, which a terminal
    // does not show, so the output is read.
    func wait(for text: String, from start: Int) async throws {
      try await session.waitForOutput("\(text) after the stop") { $0[start...].firstRange(of: Array(text.utf8)) != nil }
    }
    try await wait(for: "shell> ", from: stop)
    let attributes = session.attributes
    session.type("bg; while [ -z \"$(jobs -s)\" ]; do :; done; printf 'in-the-%s\\n' back\n")
    try await wait(for: "in-the-back\r\n", from: stop)
    let back = session.output.ranges(of: Array("in-the-back".utf8)).last?.upperBound ?? 0
    try await wait(for: "shell> ", from: back)
    #expect(session.attributes == attributes, "the program in the background changed the shell's terminal")
    // Keys that come before the program has the terminal again are dropped.
    let resumed = session.output.count
    // A stop within a frame leaves the cursor on any line, to which it returns at the end. The first line has text.
    session.type("printf '\\e[H'; fg\n")
    try await wait(for: "\u{1B}[?1049h", from: resumed)
    let entered = session.output.ranges(of: Array("\u{1B}[?1049h".utf8)).last?.upperBound ?? 0
    try await wait(for: "\u{1B}[?2026l", from: entered)
    for _ in 1...10 {
      session.type("q")
      if (try? await session.waitForPrompt(isAnywhere: true, timeout: .seconds(5))) != nil { return }
    }
    Issue.record("The program does not end: \(session.screen.lines)")
  }

  /// The test checks the output, because the emulator can't have these sizes.
  @Test func noCursorPositionIsOutsideATerminalOfOneCell() async throws {
    let session = try await Program.open(columns: 80, rows: 24)
    defer { session.close() }
    for size in [Size(columns: 1, rows: 1), Size(columns: 1, rows: 24), Size(columns: 1000, rows: 1)] {
      let start = session.output.count
      session.tell(size)
      let all = try await session.waitForOutput("a frame of \(size)") { output in
        output[start...].firstRange(of: Array("\u{1B}[?2026l".utf8)) != nil
      }
      for token in OutputGrammar.tokens(Array(all[start...])) {
        guard case .sequence(let sequence) = token,
          let place = sequence.wholeMatch(of: #/\e\[(\d*);?(\d*)H/#)
        else { continue }
        #expect(Int(place.1) ?? 1 <= size.rows && Int(place.2) ?? 1 <= size.columns, "\(sequence) on \(size)")
      }
      #expect(OutputGrammar.faults(in: Array(all[start...]), at: .gallery) == [])
    }
    session.tell(Size(columns: 80, rows: 24))
    let kept = try snapshot("list-80x24")
    try await session.wait(for: "the list") { $0.snapshot() == kept }
    session.tell(Size(columns: 1, rows: 1))
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    try await session.expectGivenBack()
  }

  @Test func tortureManyResizesEndWithTheRightFrame() async throws {
    let session = try TerminalSession(
      Program.path, ["--delay", "0", "--pictures", "none"], size: Size(columns: 80, rows: 24),
      environment: Program.environment)
    defer { session.close() }
    try await session.waitForTexts("1/36", "by Luca Zanon")
    var generator = Numbers(seed: 7)
    for _ in 1...(isTorture ? 500 : 40) {
      session.resize(
        to: Size(columns: .random(in: 2...1000, using: &generator), rows: .random(in: 1...500, using: &generator)))
    }
    session.resize(to: Size(columns: 1000, rows: 500))
    session.resize(to: Size(columns: 2, rows: 1))
    session.resize(to: Size(columns: 80, rows: 24))
    let kept = try snapshot("list-80x24")
    try await session.wait(for: "the last frame") { $0.snapshot() == kept }
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    try await session.expectGivenBack()
  }
}

/// A random number generator that gives the same numbers for the same seed (SplitMix64, Steele et al. 2014).
struct Numbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var number = state
    number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
    return number ^ (number >> 31)
  }
}
