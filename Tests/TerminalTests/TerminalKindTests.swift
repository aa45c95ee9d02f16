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

  /// With eight colors, a bright one is the terminal's own.
  @Test(arguments: [(ColorDepth.palette16, Int32(12)), (.palette8, -1), (.monochrome, -1)])
  func aBrightColorNeedsSixteen(depth: ColorDepth, number: Int32) {
    #expect(depth.number(of: Color(0x5C5CFF, ansi: 12)) == number)
    #expect(depth.number(of: Color(0x0000EE, ansi: 4)) == (depth == .monochrome ? -1 : 4))
  }
}
