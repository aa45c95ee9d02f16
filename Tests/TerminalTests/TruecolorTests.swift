import ImageWire
import TestLimit
import Testing

@testable import Terminal

/// The terminal's answers to the question whether it shows 24-bit colors.
@Suite(.limited) struct TruecolorTests {
  private static let xterm: [String: String] = ["TERM": "xterm-256color"]
  private static let tmux: [String: String] = ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"]

  private static func version(_ name: String) -> String { "\u{1B}P>|\(name)\u{1B}\\" }
  /// A report of the colors that are set (DECRPSS).
  private static func colors(_ parameters: String) -> String { "\u{1B}P1$r\(parameters)m\u{1B}\\" }
  /// Colors as the terminal reports them that shows the color of the question.
  private static let shown: String = colors("0;48:2::1:2:3")

  /// Asks a terminal that answers each batch of questions, and returns its capabilities and the batches.
  private func asked(
    _ environment: [String: String], answers: [String], aboutColors: ColorQuestion? = .truecolor
  ) -> (capabilities: Capabilities, batches: [String]) {
    var capabilities = Capabilities(environment: environment, ancestors: { [] })
    var (parser, answers) = (InputParser(), answers[...])
    var batches: [String] = []
    while let questions = capabilities.nextQuestions(file: { nil }, aboutColors: aboutColors) {
      batches.append(String(decoding: questions, as: UTF8.self))
      for case .reply(let reply) in parser.feed((answers.popFirst() ?? "").utf8) { capabilities.add(reply) }
    }
    return (capabilities, batches)
  }

  /// The answers of xterm, mlterm, kitty, foot and Konsole are those of the real terminals. Those of others follow from their
  /// sources or documentation.
  @Test(
    arguments: [
      ("xterm", Self.version("XTerm(379)") + "\u{1B}[?64;1;2c", Self.shown, true),
      ("xterm without direct colors", Self.version("XTerm(379)") + "\u{1B}[?64;1;2c", Self.colors("0;48:5:16"), false),
      ("mlterm", "\u{1B}[?63;1;2;3;4c", Self.colors("0;48;5;16") + "\u{1B}P0+r\u{1B}\\", false),
      (
        "kitty", Self.version("kitty(0.41.1)") + "\u{1B}[?62;c", Self.colors("48:2:1:2:3") + "\u{1B}P0+r524742\u{1B}\\",
        true
      ),
      ("foot", Self.version("foot(1.13.1)") + "\u{1B}[?62;4;22c", Self.shown + "\u{1B}P1+r524742=38\u{1B}\\", true),
      ("VTE", Self.version("VTE(7006)") + "\u{1B}[?65;1;9c", Self.shown, true),
      ("Windows Terminal", "\u{1B}[?61;4;6;7c", Self.colors("0;48;2;1;2;3"), true),
      (
        "WezTerm", Self.version("WezTerm 2024") + "\u{1B}[?65;4;6c",
        "\u{1B}P0$r\u{1B}\\\u{1B}P1+r524742=382F382F38\u{1B}\\", true
      ),
      ("Konsole", Self.version("Konsole 22.12.3") + "\u{1B}[?62;1;4c", "", true),
      ("VS Code", Self.version("xterm.js(5.6.0)") + "\u{1B}[?1;2c", Self.colors("0"), true),
      ("Alacritty", "\u{1B}[?6c", "\u{1B}[?2026;2$y", true), ("PuTTY", "\u{1B}[?6c", "", false),
      ("a terminal without the question", Self.version("Other 1") + "\u{1B}[?62c", "\u{1B}P0$r\u{1B}\\", false),
    ] as [(String, String, String, Bool)])
  func theAnswersTell(name: String, first: String, second: String, shows: Bool) {
    let capabilities = asked(Self.xterm, answers: [first, second + "\u{1B}[?62c"]).capabilities
    #expect((capabilities.truecolorSource != nil) == shows && capabilities.isComplete)
  }

  /// macOS's Terminal.app prints these questions as text, and the Linux console prints all that it does not know.
  @Test(
    arguments: [
      ("Terminal.app", Self.xterm, "\u{1B}[?1;2c"), ("silent", Self.xterm, ""),
      ("xterm-256color, unasked", Self.xterm, Self.version("XTerm(379)") + "\u{1B}[?64;1;2c"),
      ("console", ["TERM": "linux"], "\u{1B}[?6c"), ("screen", ["TERM": "screen-256color"], "\u{1B}[?64;1c"),
      ("tmux", Self.tmux, Self.version("tmux 3.5a") + "\u{1B}[?1;2;4c"),
    ] as [(String, [String: String], String)])
  func onlyTerminalsThatSkipTheQuestionAreAsked(name: String, environment: [String: String], answer: String) {
    let wanted = name.hasSuffix("unasked") ? nil : ColorQuestion.truecolor
    let batches = asked(environment, answers: [answer], aboutColors: wanted).batches
    #expect(batches.count == 1)
    for question in ["$q", "+q", "$p", "48:"] { #expect(!batches.joined().contains(question)) }
  }

  /// The color of the question is not the color of what is drawn after it.
  @Test func theQuestionLeavesNoColor() {
    let batch = asked(Self.xterm, answers: [Self.version("XTerm(379)") + "\u{1B}[?64;1;2c"]).batches.last
    #expect(batch == "\u{1B}[0;48:2::1:2:3m\u{1B}P$qm\u{1B}\\\u{1B}[m\u{1B}P+q524742\u{1B}\\\u{1B}[c")
    // Alacritty would not answer this one.
    #expect(asked(Self.xterm, answers: ["\u{1B}[?6c"]).batches.last == "\u{1B}[?2026$p\u{1B}[c")
  }

  /// tmux itself keeps 24-bit colors, and shows the nearest ones that its terminal has.
  @Test(arguments: [("RGB,title", true), ("256,title", false)])
  func inTmuxOnlyItsTerminalCounts(features: String, shows: Bool) {
    var capabilities = asked(Self.tmux, answers: [Self.shown + "\u{1B}[?1;2c"]).capabilities
    #expect(capabilities.truecolorSource == nil)
    capabilities.add(OuterTerminal(answer: "xterm-256color|\(features)|1|9|XTerm(379)\non\n"))
    #expect(capabilities.truecolorSource == (shows ? "from tmux" : nil))
  }

  // MARK: The kind of the terminal

  private func answered(_ environment: [String: String]) -> String? {
    asked(environment, answers: [Self.version("XTerm(379)") + "\u{1B}[?64;1;2c", Self.shown + "\u{1B}[?64c"])
      .capabilities.truecolorSource
  }

  @MainActor @Test func aTerminalThatShowsThemGetsTruecolor() throws {
    let kind = try TerminalKind(environment: Self.xterm)
    #expect((kind.depth, kind.depthSource) == (.palette256, "from TERM") && kind.colorQuestion == .truecolor)
    #expect(kind.withTruecolor(nil)?.name == nil)
    let better = try #require(kind.withTruecolor(answered(Self.xterm)))
    #expect((better.name, better.depth, better.depthSource) == ("xterm-direct", .truecolor, "from terminal"))
    #expect(better.colorQuestion == nil && better.withTruecolor(answered(Self.xterm))?.name == nil)
  }

  @MainActor
  @Test(
    arguments: [
      (["TERM": "xterm-256color", "NO_COLOR": "1"], nil, ColorDepth.monochrome, "from NO_COLOR"),
      (["TERM": "xterm-256color"], .palette256, .palette256, "from --colors"),
      (["TERM": "xterm-16color"], nil, .palette16, "from TERM"), (["TERM": "xterm"], nil, .palette8, "from TERM"),
      (["TERM": "linux"], nil, .palette8, "from TERM"), (["TERM": "vt100"], nil, .monochrome, "from TERM"),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], nil, .truecolor, "from COLORTERM"),
      // These have the colors, whatever the variable says.
      (["TERM": "konsole-256color"], nil, .truecolor, "from TERM"),
      (["TERM": "alacritty"], nil, .truecolor, "from TERM"),
      (["TERM": "xterm-direct"], nil, .truecolor, "from TERM"),
    ] as [([String: String], ColorDepth?, ColorDepth, String)])
  func whatIsSettledIsNotChanged(environment: [String: String], colors: ColorDepth?, depth: ColorDepth, source: String)
    throws
  {
    let kind = try TerminalKind(environment: environment, colors: colors)
    #expect((kind.depth, kind.depthSource) == (depth, source))
    #expect(kind.colorQuestion == (depth.hasPalette ? .palette : nil))
    #expect(kind.withTruecolor(answered(Self.xterm))?.name == nil)
  }

  @MainActor @Test func gnuScreenGetsNoMore() throws {
    let screen = ["TERM": "screen-256color", "STY": "1.pts-0.host"]
    let kind = try TerminalKind(environment: screen)
    #expect(kind.withTruecolor(answered(screen))?.name == nil)
    let promised = try TerminalKind(environment: screen.merging(["COLORTERM": "truecolor"]) { $1 })
    #expect((promised.depth, promised.depthSource) == (.palette256, "the most in screen"))
  }

  @Test func aNumberHasTheColorThatItIsTheNearestOf() {
    for number in UInt32(16)...255 {
      let color = Color(ColorDepth.color(ofNumber: number), ansi: nil)
      #expect(ColorDepth.color(ofNumber: UInt32(color.nearestOf256)) == color.rgb, "\(number)")
    }
  }
}
