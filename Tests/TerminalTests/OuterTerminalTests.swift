import Foundation
import ImageWire
import TestLimit
import Testing

@testable import Terminal

/// tmux's answers about its terminal, and the output format that follows from them.
@Suite(.limited) struct OuterTerminalTests {
  private static let features = "bpaste,ccolor,clipboard,cstyle,focus,RGB,title"

  private func capabilities(_ answer: String?) -> Capabilities {
    var capabilities = Capabilities(environment: ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"])
    var parser = InputParser()
    _ = capabilities.nextQuestions(file: { nil }, aboutColors: nil)
    // tmux 3.5 reports sixels in every terminal.
    let own = "\u{1B}P>|tmux 3.5a\u{1B}\\\u{1B}[?1;2;4c"
    for case .reply(let reply) in parser.feed(own.utf8) { capabilities.add(reply) }
    #expect(!capabilities.isComplete)
    capabilities.add(answer.flatMap { OuterTerminal(answer: $0) })
    #expect(capabilities.isComplete)
    return capabilities
  }

  private static let kitty = OutputFormat.kitty(
    KittyTransfer(hasPlaceholders: true, isLocal: false, isPassedThrough: true))

  @Test(
    arguments: [
      ("xterm-kitty|\(features)|1|9|kitty(0.41.1)\non\n", kitty, nil),
      ("xterm-kitty|\(features)|1|9|kitty(0.28.0)\nall\n", kitty, nil),
      ("xterm-ghostty|\(features)|1|9|ghostty 1.1.0\non\n", kitty, nil),
      // kitty's own terminfo entry has 24-bit colors.
      ("xterm-kitty|bpaste,title|1|9|kitty(0.41.1)\non\n", kitty, nil),
      // tmux before 3.3 has no such option and passes everything on.
      ("xterm-kitty|\(features)|1|9|kitty(0.41.1)\n", kitty, nil),
      ("xterm-kitty|\(features)|1|9|kitty(0.41.1)\noff\n", nil, "allow-passthrough"),
      ("xterm-256color|bpaste,title|1|9|kitty(0.41.1)\non\n", nil, "terminal-features ',xterm-256color:RGB'"),
      ("xterm-kitty|\(features)|1|9|kitty(0.27.1)\non\n", nil, nil),
      ("xterm-256color|\(features)|1|9|Konsole 22.12.3\non\n", nil, nil),
      ("foot|RGB,sixel,title|1|9|foot(1.13.1)\non\n", nil, "--pictures sixel"),
      // tmux before 3.2 does not know the version.
      ("xterm-kitty|\(features)|1|9|\n", nil, nil),
      ("tmux-256color|RGB|1|9|tmux 3.3a\non\n", nil, nil), ("screen|RGB|1|9|\non\n", nil, nil),
      ("|||| \non\n", nil, nil), ("||||\non\n", nil, nil), ("no answer", nil, nil), ("", nil, nil), (nil, nil, nil),
    ] as [(String?, OutputFormat?, String?)])
  func theBestFormatIsChosen(answer: String?, best: OutputFormat?, advice: String?) {
    let capabilities = capabilities(answer)
    #expect(capabilities.bestPixels == best)
    #expect(!OutputFormatTable.best(on: capabilities).reason.isEmpty)
    if let advice {
      #expect(capabilities.advice?.contains(advice) == true)
    } else {
      #expect(capabilities.advice == nil)
    }
    // Only placeholders work in tmux.
    let choice = OutputChoice(rawValue: "kitty")
    #expect(choice?.format(on: capabilities, depth: .truecolor, charset: .unicode) == Self.kitty)
  }

  @Test func aSessionWithoutATerminalSaysSo() {
    #expect(OutputFormatTable.best(on: capabilities("||||\non\n")).reason == "tmux is not attached to a terminal")
  }

  @Test func aPopupGetsCharacters() {
    var client = OuterTerminal(answer: "xterm-kitty|\(Self.features)|1|9|kitty(0.41.1)\non\n")
    client?.isInPopup = true
    var capabilities = capabilities(nil)
    capabilities.add(client)
    #expect(capabilities.bestPixels == nil && capabilities.advice == nil)
    #expect(OutputFormatTable.best(on: capabilities).reason == "tmux doesn't pass images on from a popup")
  }

  @Test func theNameHasTmuxAndItsTerminal() {
    let answer = "xterm-kitty|\(Self.features)|1|9|kitty(0.41.1|)\non\n"
    #expect(capabilities(answer).terminalName == "tmux 3.5a, in kitty(0.41.1|)")
    #expect(capabilities("vt100||1|9|\non\n").terminalName == "tmux 3.5a, in vt100")
  }

  @Test(arguments: [
    ("xterm-kitty|RGB|1000|9|\non\n", true), ("xterm-kitty|RGB|990|9|\non\n", false),
    ("xterm-kitty|RGB|1000|9|kitty(0.41.1)\non\n", false), ("xterm-kitty|RGB|1000|9|\noff\n", false),
    ("xterm-256color||1000|9|\non\n", false), ("||1000|9|\non\n", false),
  ])
  func aTerminalThatWasJustAttachedMayStillReportItsVersion(answer: String, isDue: Bool) throws {
    let client = try #require(OuterTerminal(answer: answer))
    #expect(client.isVersionDue(at: Date(timeIntervalSince1970: 1002)) == isDue)
  }

  @Test(arguments: [
    ("/tmp/tmux-0/default,31,0", "/tmp/tmux-0/default"), ("/tmp/a,b/c,1,2", "/tmp/a,b/c"), ("", nil), ("/tmp/x", nil),
    (nil, nil),
  ])
  func theSocketIsPartOfAVariable(value: String?, socket: String?) {
    #expect(OuterTerminalWatch.socket(value.map { ["TMUX": $0] } ?? [:]) == socket)
  }

  @Test func tmuxOnAnotherMachineIsNotAsked() {
    #expect(OuterTerminal.ask(environment: ["TERM": "tmux-256color", "PATH": "/usr/bin:/bin"]) == nil)
  }

  @Test func theOutputOfAnotherProgramIsLimitedInTimeAndLength() {
    let environment = ["PATH": "/usr/bin:/bin"]
    func output(_ program: String, _ arguments: String..., within time: Duration = .seconds(60)) -> String? {
      ChildProcess.output(of: program, arguments, environment: environment, within: time)
    }
    #expect(output("echo", "a", "b") == "a b\n")
    #expect(output("no-such-program") == nil)
    #expect(output("false") == nil)
    #expect(output("tail", "-f", "/dev/null", within: .milliseconds(1)) == nil)
    #expect(output("yes") == nil)
    #expect(output("env") == "PATH=/usr/bin:/bin\n")
  }

  @Test(
    arguments: [
      ("1|1|0|0|0|1\n", .active), ("1|1|1|0|0|2\n", .active), ("1|1|0|1|0|1\n", .visible), ("0|1|0|0|0|1\n", .visible),
      ("0|1|1|0|0|1\n", .hidden), ("1|0|0|0|0|1\n", .hidden), ("1|1|0|0|2|1\n", .hidden), ("1|1|0|0|0|0\n", .hidden),
      ("1|1|0||0|1\n", .active), ("no server running", .visible), ("", .visible), (nil, .visible),
    ] as [(String?, OuterTerminal.Visibility)])
  func theVisibilityFollowsFromTmuxsAnswer(answer: String?, visibility: OuterTerminal.Visibility) {
    #expect(OuterTerminal.Visibility(answer: answer) == visibility)
  }

  /// tmux takes the sequence itself or passes it on, whichever its options allow.
  @Test func theClipboardIsThatOfTheTerminalBehindTheMultiplexer() {
    func text(_ multiplexer: Multiplexer?) -> String? {
      Clipboard.copying("a b", through: multiplexer).map { String(decoding: $0, as: UTF8.self) }
    }
    let plain = "\u{1B}]52;c;YSBi\u{7}"
    #expect(text(nil) == plain && text(.mosh) == plain)
    #expect(text(.screen) == "\u{1B}P\(plain)\u{1B}\\")
    #expect(text(.tmux) == "\(plain)\u{1B}Ptmux;\u{1B}\(plain)\u{1B}\\")
    #expect(Clipboard.copying(String(repeating: "a", count: 55_000), through: nil) != nil)
    #expect(Clipboard.copying(String(repeating: "a", count: 56_000), through: nil) == nil)
  }

  @Test func anImageIsCopiedInPiecesOfAtMost4096Bytes() {
    let data = (0..<9000).map { UInt8($0 % 251) }
    let plain = Clipboard.copying(data, as: "image/png", isPassedThrough: false)
    let pieces = String(decoding: plain, as: UTF8.self).components(separatedBy: "\u{1B}\\").dropLast()
    #expect(pieces.first == "\u{1B}]5522;type=write" && pieces.last == "\u{1B}]5522;type=wdata")
    let payloads = pieces.dropFirst().dropLast().map { piece in
      #expect(piece.hasPrefix("\u{1B}]5522;type=wdata:mime=aW1hZ2UvcG5n;"))
      return Array(Data(base64Encoded: piece.components(separatedBy: ";")[2]) ?? Data())
    }
    #expect(payloads.map(\.count) == [4096, 4096, 808] && payloads.flatMap(\.self) == data)
    let wrapped = Clipboard.copying(data, as: "image/png", isPassedThrough: true)
    #expect(wrapped.starts(with: "\u{1B}Ptmux;\u{1B}\u{1B}]5522;type=write\u{1B}\u{1B}\\\u{1B}\\".utf8))
  }
}
