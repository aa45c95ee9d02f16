import ImageWire
import Testing

@testable import Terminal

/// The characters of images, by terminal and by the user's choice.
@Suite struct GlyphTableTests {
  @Test(
    arguments: [
      ("kitty(0.39.1)", .sextants), ("kitty(0.40.0)", .octants), ("kitty(1.0)", .octants), ("foot(1.19.0)", .sextants),
      ("foot(1.20.2)", .octants), ("ghostty 1.1.3", .sextants), ("ghostty 1.2.0", .octants), ("VTE(7799)", .sextants),
      ("VTE(7800)", .octants), ("VTE(8102)", .octants), ("WezTerm 20240203-110809-5046fc22", .sextants),
      ("contour 0.5.1", .sextants), ("Konsole 25.04.0", .blocks), ("iTerm2 3.5.0", .blocks), ("XTerm(390)", .blocks),
      ("mlterm(3.9.4)", .blocks), ("", .blocks),
    ] as [(String, SymbolSet)])
  func aTerminalGetsTheCharactersThatItDraws(terminal: String, symbols: SymbolSet) {
    #expect(GlyphTable.symbols(of: terminal) == symbols)
  }

  @Test(
    arguments: zip(GlyphChoice.allCases, [.sextants, .blocks, .sextants, .octants, .braille, .ascii] as [SymbolSet]))
  func theUserChoosesTheCharacters(choice: GlyphChoice, symbols: SymbolSet) {
    #expect(choice.applied(to: .symbols(.palette256, .sextants)) == .symbols(.palette256, symbols))
    #expect(choice.applied(to: .symbols(.truecolor, .ascii)) == .symbols(.truecolor, .ascii), "the locale has no more")
    #expect(choice.applied(to: .sixel(colors: 256)) == .sixel(colors: 256))
    #expect(choice.applied(to: nil) == nil)
  }
}
