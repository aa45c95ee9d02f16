import Foundation
import ImageWire
import TestLimit
import Testing

@testable import Terminal

extension Capabilities {
  /// The output format that the table chooses; nil for characters.
  var bestPixels: OutputFormat? {
    let format = OutputChoice.auto.format(on: self, depth: .truecolor, charset: .unicode)
    if case .symbols = format { return nil }
    return format
  }
}

/// The terminal's answers, and the output format that follows from them.
@Suite(.limited) struct CapabilitiesTests {
  private func capabilities(
    _ answers: [String], environment: [String: String] = ["TERM": "xterm-256color"]
  ) -> Capabilities {
    var capabilities = Capabilities(environment: environment)
    var parser = InputParser()
    for case .reply(let reply) in parser.feed(answers.joined().utf8) { capabilities.add(reply) }
    return capabilities
  }

  private static let kitty = "\u{1B}_Gi=31;OK\u{1B}\\"
  private static func kitty(hasPlaceholders: Bool) -> OutputFormat {
    .kitty(KittyTransfer(hasPlaceholders: hasPlaceholders, isLocal: false, isPassedThrough: false))
  }

  private static let file = "\u{1B}_Gi=32;OK\u{1B}\\"

  private static func version(_ name: String) -> String { "\u{1B}P>|\(name)\u{1B}\\" }

  @Test(
    arguments: [
      (["TERM": "xterm-kitty"], Self.kitty(hasPlaceholders: false)),
      (["TERM": "xterm-ghostty"], Self.kitty(hasPlaceholders: false)), (["TERM": "foot"], .sixel(colors: 256)),
      (["TERM": "mlterm-256color"], .sixel(colors: 256)), (["TERM": "xterm-256color"], nil),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .iterm),
      (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], .iterm),
      // The variables of the terminal outside are inherited.
      (["TERM": "tmux-256color", "TMUX": "/tmp/tmux,1,0", "TERM_PROGRAM": "WezTerm"], nil),
      (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], nil), (["TERM": "screen", "STY": "1"], nil),
      // No process has this number.
      (["TERM": "xterm-kitty", "KITTY_PID": "2147483647"], Self.kitty(hasPlaceholders: false)),
    ] as [([String: String], OutputFormat?)])
  func theEnvironmentTellsWhatATerminalShows(environment: [String: String], format: OutputFormat?) {
    var capabilities = Capabilities(environment: environment)
    capabilities.suppose(environment: environment)
    #expect(capabilities.bestPixels == format)
  }

  @Test(
    arguments: [
      ([version("kitty(0.26.5)"), "\u{1B}[?5522;0$y", "\u{1B}[?62;c"], false),
      ([version("kitty(0.27.0)"), "\u{1B}[?5522;0$y", "\u{1B}[?62;c"], true),
      ([version("kitty(0.45.0)"), "\u{1B}[?5522;2$y", "\u{1B}[?62;c"], true),
      ([version("foot(2.0.0)"), "\u{1B}[?5522;2$y", "\u{1B}[?62;c"], true),
      ([version("ghostty 1.2.0"), "\u{1B}[?5522;4$y", "\u{1B}[?62;c"], false), (["\u{1B}[?62;c"], false),
    ])
  func theTerminalTellsWhetherItTakesImagesForTheClipboard(answers: [String], takes: Bool) {
    #expect(capabilities(answers).takesClipboardImages == takes)
    // In tmux, only what it says about its terminal counts.
    let tmux = ["TERM": "tmux-256color", "TMUX": "/tmp/tmux,1,0"]
    #expect(!capabilities(answers, environment: tmux).takesClipboardImages)
  }

  @Test(
    arguments: [
      ([version("XTerm(379)"), "\u{1B}[?64;1;2;6;9;15c"], nil),
      ([version("XTerm(379)"), "\u{1B}[?1;0;1024S", "\u{1B}[?63;1;2;4;6c"], .sixel(colors: 1024)),
      // Neither number is one of colors that sixels can have.
      ([version("XTerm(379)"), "\u{1B}[?1;0;0S", "\u{1B}[?63;1;2;4;6c"], .sixel(colors: 256)),
      ([version("XTerm(379)"), "\u{1B}[?1;0;65537S", "\u{1B}[?63;1;2;4;6c"], .sixel(colors: 256)),
      (
        [version("kitty(0.26.5)"), kitty, file, "\u{1B}[6;20;9t", "\u{1B}[?62;c"],
        .kitty(KittyTransfer(hasPlaceholders: false, isLocal: true, isPassedThrough: false))
      ),
      (
        [version("kitty(0.41.1)"), kitty, "\u{1B}_Gi=32;EBADF:no\u{1B}\\", "\u{1B}[?62;c"],
        .kitty(KittyTransfer(hasPlaceholders: true, isLocal: false, isPassedThrough: false))
      ),
      ([version("foot(1.13.1)"), "\u{1B}[?1;0;1024S", "\u{1B}[?62;4;22c"], .sixel(colors: 1024)),
      (["\u{1B}[?1;0;1024S", "\u{1B}[?63;1;2;3;4;6;7c"], .sixel(colors: 1024)),
      (
        [version("Konsole 22.12.3"), kitty, "\u{1B}]1337;ReportCellSize=21.0;9.0;1.0\u{07}", "\u{1B}[?62;1;4c"],
        .kitty(KittyTransfer(hasPlaceholders: false, isLocal: false, isPassedThrough: false))
      ),
      ([version("iTerm2 3.4"), "\u{1B}]1337;ReportCellSize=21.0;9.0;1.0\u{07}", "\u{1B}[?62;4c"], .iterm),
      // kitty knows placeholders since 0.28.
      ([version("kitty(0.27.1)"), kitty, "\u{1B}[?62;c"], Self.kitty(hasPlaceholders: false)),
      ([version("kitty(0.28.0)"), kitty, "\u{1B}[?62;c"], Self.kitty(hasPlaceholders: true)),
      ([version("kitty(0.9.1)"), kitty, "\u{1B}[?62;c"], Self.kitty(hasPlaceholders: false)),
      ([version("kitty(1.0.0)"), kitty, "\u{1B}[?62;c"], Self.kitty(hasPlaceholders: true)),
      ([version("ghostty 1.0.0"), kitty, "\u{1B}[?62;22c"], Self.kitty(hasPlaceholders: true)),
      ([], nil), (["\u{1B}[?62;22c"], nil),
    ] as [([String], OutputFormat?)])
  func theBestFormatIsChosen(answers: [String], best: OutputFormat?) {
    #expect(capabilities(answers).bestPixels == best)
  }

  /// Asks a terminal that answers each batch of questions, and returns its capabilities and the batches.
  private func asked(
    _ environment: [String: String], answers: [String], aboutColors: ColorQuestion? = nil
  ) -> (capabilities: Capabilities, batches: [String]) {
    var (capabilities, parser, answers) = (Capabilities(environment: environment), InputParser(), answers[...])
    var batches: [String] = []
    while let questions = capabilities.nextQuestions(file: { "/dev/shm/question" }, aboutColors: aboutColors) {
      batches.append(String(decoding: questions, as: UTF8.self))
      for case .reply(let reply) in parser.feed((answers.popFirst() ?? "").utf8) { capabilities.add(reply) }
    }
    return (capabilities, batches)
  }

  @Test func answersAreCompleteOnceTheLastQuestionIsAnswered() {
    var capabilities = Capabilities(environment: ["TERM": "xterm-256color"])
    #expect(!capabilities.isComplete)
    #expect(capabilities.nextQuestions(file: { nil }, aboutColors: nil) != nil)
    capabilities.add(.version("Konsole 22.12.3"))
    #expect(capabilities.missingAnswers == 1)
    #expect(capabilities.nextQuestions(file: { nil }, aboutColors: nil) == nil)
    capabilities.add(.deviceAttributes([62, 1, 4]))
    #expect(capabilities.missingAnswers == 0 && !capabilities.isComplete)
    #expect(capabilities.nextQuestions(file: { nil }, aboutColors: nil) != nil)
    #expect(capabilities.missingAnswers == 1)
    capabilities.add(.deviceAttributes([62, 1, 4]))
    #expect(capabilities.isComplete)
  }

  /// Neovim's terminal prints the questions of the kitty protocol, and does not report its name.
  @Test(arguments: [
    ("xterm-256color", ["\u{1B}[?1;2c"], 1, false),
    ("xterm-256color", [version("XTerm(379)") + "\u{1B}[?64;1c"], 1, false),
    ("xterm-256color", [version("WezTerm 2024") + "\u{1B}[?65;4c", "\u{1B}[?65;4c"], 2, true),
    ("xterm-kitty", ["\u{1B}[?62;c"], 1, true), ("foot", ["\u{1B}[?62;4c"], 1, true),
    ("screen", ["\u{1B}[?1;2c"], 1, false),
  ])
  func questionsThatMayBePrintedAreAskedOnlyOfKnownTerminals(type: String, answers: [String], count: Int, asks: Bool) {
    let (capabilities, batches) = asked(["TERM": type], answers: answers)
    #expect(batches.count == count && capabilities.isComplete)
    #expect(batches.allSatisfy { $0.hasSuffix("\u{1B}[c") })
    #expect(batches.joined().contains("\u{1B}_G") == asks)
    for question in ["\u{1B}_G", "\u{1B}]1337", "$p"] where count == 2 { #expect(!batches[0].contains(question)) }
  }

  /// The Linux console prints questions that it does not know. An xterm that is called vt100 does not.
  @Test(arguments: [("linux", "\u{1B}[?6c", 1), ("vt100", "\u{1B}[?1;2c", 1), ("vt100", "\u{1B}[?64;1c", 2)])
  func simpleTerminalsAreAskedOnlyForTheirAttributes(type: String, attributes: String, count: Int) {
    let second = "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}]4;7;rgb:eeee/eeee/eeee\u{1B}\\\u{1B}[?64;1c"
    let (capabilities, batches) = asked(["TERM": type], answers: [attributes, second], aboutColors: .palette)
    #expect(batches.first == "\u{1B}[c" && batches.count == count)
    #expect(!batches.joined().contains("\u{1B}_G"))
    #expect(capabilities.background == (count == 2 ? 0xFFFFFF : nil))
    if count == 2 { #expect(capabilities.palette[7] == 0xEEEEEE) }
  }

  @Test func thePaletteIsTheTerminalsOwnOrThatOfItsKind() {
    #expect(Capabilities(environment: ["TERM": "xterm"]).palette[1] == 0xCD0000)
    #expect(Capabilities(environment: ["TERM": "linux"]).palette[3] == 0xAA5500)
    let (capabilities, batches) = asked(
      ["TERM": "xterm-16color"],
      answers: ["\u{1B}]4;1;rgb:12/34/56\u{07}\u{1B}]4;16;rgb:1/2/3\u{1B}\\\u{1B}[?64;1c"], aboutColors: .palette)
    #expect(batches[0].contains("\u{1B}]4;0;?\u{1B}\\") && batches[0].contains("\u{1B}]4;15;?\u{1B}\\"))
    #expect(capabilities.palette.count == 16 && capabilities.palette[1] == 0x123456)
    #expect(ColorDepth.palette8.colors(of: capabilities.palette).count == 8)
    #expect(ColorDepth.palette256.colors(of: capabilities.palette) == [])
  }

  @Test(
    arguments: [
      ([:], nil), (["TERM": "xterm-kitty"], nil), (["TERM": "tmux-256color"], .tmux),
      (["TERM": "screen-256color", "TMUX": "/tmp/tmux-0/default,1,0"], .tmux),
      (["TERM": "xterm-256color", "TMUX": "/tmp/tmux-0/default,1,0"], .tmux),
      (["TERM": "screen.xterm-256color"], .screen), (["TERM": "xterm-256color", "STY": "1.pts-0.host"], .screen),
      (["TERM": "screen", "TMUX": "", "STY": "1.pts-0.host"], .screen),
      // tmux runs in screen.
      (["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0", "STY": "1.pts-0.host"], .tmux),
    ] as [([String: String], Multiplexer?)])
  func theMultiplexerFollowsFromTheEnvironment(environment: [String: String], multiplexer: Multiplexer?) {
    #expect(Multiplexer(environment: environment, ancestors: { [] }) == multiplexer)
    // mosh passes on the variables of the shell that has started it.
    let inMosh = Multiplexer(environment: environment, ancestors: { ["bash", "mosh-server", "systemd"] })
    #expect(inMosh == multiplexer ?? .mosh)
  }

  /// iTerm2 says in the environment, which mosh passes on, that it knows its images.
  @Test func moshGetsSymbols() {
    var mosh = Capabilities(
      environment: ["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], ancestors: { ["bash", "mosh-server"] })
    _ = mosh.nextQuestions(file: { nil }, aboutColors: nil)
    // This is all that mosh 1.4 answers.
    mosh.add(.deviceAttributes([62]))
    #expect(mosh.isComplete && mosh.bestPixels == nil)
    #expect(OutputFormatTable.best(on: mosh).reason == "mosh doesn't pass images on")
    #expect(mosh.advice?.contains("ssh") == true)
  }

  /// The system encloses names in parentheses.
  @Test func theNameOfAProcessMayHaveParentheses() throws {
    let name = "a) S 3 (b) c"
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let link = folder.appending(path: name)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(filePath: "/bin/sleep"))
    let program = Process()
    program.executableURL = link
    program.arguments = ["60"]
    try program.run()
    defer { program.terminate() }
    let process = try #require(Ancestors.describe(program.processIdentifier))
    #expect(process == (name, getpid()))
  }

  @Test func aMissingProcessHasNoName() { #expect(Ancestors.describe(.max) == nil) }

  @Test func aProcessHasAncestors() { #expect(!Ancestors.names.isEmpty) }

  /// Over SSH, the variables of tmux are missing, and its TERM may be that of GNU screen.
  @Test func tmuxIsRecognizedByItsVersionOverSSH() {
    let (tmux, batches) = asked(
      ["TERM": "screen-256color"],
      answers: [Self.version("tmux 3.3a") + "\u{1B}[?1;2;4c", "\u{1B}]11;rgb:ff/ff/ff\u{7}\u{1B}[?1;2;4c"])
    #expect(batches.count == 2 && tmux.background == 0xFFFFFF)
    #expect(tmux.multiplexer == .tmux && tmux.bestPixels == nil)
    #expect(OutputFormatTable.best(on: tmux).reason.contains("another machine"))
  }

  @Test func gnuScreenIsAskedNothingAboutImagesAndGetsSymbols() {
    let environment = ["TERM": "screen", "LC_TERMINAL": "iTerm2"]
    let screen = capabilities(["\u{1B}[?1;2;4c"], environment: environment)
    #expect(screen.bestPixels == nil && OutputFormatTable.best(on: screen).reason.contains("screen"))
    let questions = asked(environment, answers: ["\u{1B}[?1;2c"]).batches.joined()
    #expect(questions.hasSuffix("\u{1B}[c"))
    for passed in ["\u{1B}P", "\u{1B}_", "1337", "\u{1B}]11;"] { #expect(!questions.contains(passed)) }
  }

  @Test func theCellSizeIsTheTerminalsElseTheKernelsElseAssumed() {
    var known = capabilities(["\u{1B}[6;20;9t"])
    known.kernelCellSize = CellSize(width: 11, height: 21)
    #expect(known.cellSize == CellSize(width: 9, height: 20))
    #expect(known.cellSizeSource == "from terminal")
    // No cell has such a size.
    var absurd = capabilities(["\u{1B}[6;0;9t", "\u{1B}[6;99999;9t"])
    #expect(absurd.cellSize == .standard)
    #expect(absurd.cellSizeSource == "assumed")
    absurd.kernelCellSize = CellSize(width: 11, height: 21)
    #expect(absurd.cellSize == CellSize(width: 11, height: 21))
    #expect(absurd.cellSizeSource == "from kernel")
  }
}

@Suite(.limited) struct QuestionFileTests {
  @Test func aFileOfAnEarlierProcessIsReplaced() throws {
    let first = try #require(QuestionFile.make(environment: [:]))
    defer { unlink(first) }
    // kitty deletes no other files after it has read them.
    #expect(first.hasPrefix("/dev/shm/") && first.contains("tty-graphics-protocol"))
    #expect(QuestionFile.make(environment: [:]) == first)
  }
}

@Suite(.limited) struct PlaceholderTests {
  /// kitty's table has 297 marks. The test compares the first ones, one in the middle and the last.
  @Test func theMarksAreKittys() {
    #expect(Placeholder.marks.count == 297)
    #expect(Placeholder.marks.prefix(5) == ["\u{305}", "\u{30D}", "\u{30E}", "\u{310}", "\u{312}"])
    #expect(Placeholder.marks[30] == "\u{483}")
    #expect(Placeholder.marks.last == "\u{1D244}")
  }
}
