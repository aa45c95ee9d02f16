import ImageWire
import TestLimit
import Testing

@testable import Terminal

/// The colors that follow from the environment.
@MainActor
@Suite(.limited) struct TerminalKindTests {
  @Test(arguments: [
    (["TERM": "xterm-256color"], ColorDepth.palette256),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .truecolor),
    // GNU screen hands the variable of its terminal on.
    (["TERM": "screen", "STY": "1.pts-0.host", "COLORTERM": "truecolor"], .palette256),
    (["TERM": "screen.xterm-256color", "STY": "1.pts-0.host", "COLORTERM": "truecolor"], .palette256),
    (["TERM": "screen", "STY": "1.pts-0.host"], .palette8),
    (["TERM": "screen-256color", "TMUX": "/tmp/tmux-0/default,1,0", "COLORTERM": "truecolor"], .truecolor),
  ])
  func theDepthIsWhatReachesTheTerminal(environment: [String: String], depth: ColorDepth) throws {
    #expect(try TerminalKind(environment: environment).depth == depth)
  }

  @Test(
    arguments: [
      (["TERM": "xterm-256color"], nil, ColorDepth.palette256, "from TERM"),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], nil, .truecolor, "from COLORTERM"),
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .palette256, .palette256, "from --colors"),
      (["TERM": "xterm-256color", "NO_COLOR": "1"], nil, .monochrome, "from NO_COLOR"),
      (["TERM": "screen", "STY": "1.pts-0.host", "COLORTERM": "truecolor"], nil, .palette256, "the most in screen"),
      // These have the colors without the variable. Their entries are in ncurses-term; those of kitty and foot come with them.
      (["TERM": "konsole-256color"], nil, .truecolor, "from TERM"),
      (["TERM": "alacritty"], nil, .truecolor, "from TERM"),
      (["TERM": "xterm-direct"], nil, .truecolor, "from TERM"),
      (["TERM": "konsole-16color"], nil, .palette16, "from TERM"),
    ] as [([String: String], ColorDepth?, ColorDepth, String)])
  func theDepthHasAnOrigin(environment: [String: String], colors: ColorDepth?, depth: ColorDepth, source: String)
    throws
  {
    let kind = try TerminalKind(environment: environment, colors: colors)
    #expect((kind.depth, kind.depthSource) == (depth, source))
  }

  /// With eight colors, a bright one is the terminal's own.
  @Test(arguments: [(ColorDepth.palette16, Int32(12)), (.palette8, -1), (.monochrome, -1)])
  func aBrightColorNeedsSixteen(depth: ColorDepth, number: Int32) {
    #expect(depth.number(of: Color(0x5C5CFF, ansi: 12)) == number)
    #expect(depth.number(of: Color(0x0000EE, ansi: 4)) == (depth == .monochrome ? -1 : 4))
  }
}
