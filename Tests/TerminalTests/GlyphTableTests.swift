import CSystem
import Foundation
import ImageWire
import TestLimit
import Testing

@testable import Terminal

/// The characters of images, by terminal and by the user's choice.
@Suite(.limited) struct GlyphTableTests {
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
    func applied(to format: OutputFormat?) -> OutputFormat? {
      choice.applied(to: format, on: capabilities(), usesCurses: false)
    }
    #expect(applied(to: .symbols(.palette256, .sextants)) == .symbols(.palette256, symbols))
    #expect(applied(to: .symbols(.truecolor, .ascii)) == .symbols(.truecolor, .ascii), "the locale has no more")
    #expect(applied(to: .sixel(colors: 256)) == .sixel(colors: 256))
    #expect(applied(to: nil) == nil)
  }

  @Test func octantsAreLeftOutByTmuxIfTheCLibraryDoesNotKnowTheirWidth() {
    setlocale(LC_CTYPE, "C.UTF-8")
    let known = library_width(0x1CD00) == 1 ? SymbolSet.octants : .sextants
    let format = OutputFormat.symbols(.truecolor, .octants)
    let inTmux = capabilities(environment: ["TMUX": "/tmp/tmux,1,0"])
    #expect(GlyphChoice.auto.applied(to: format, on: capabilities(), usesCurses: false) == format)
    #expect(GlyphChoice.auto.applied(to: format, on: capabilities(), usesCurses: true) == format)
    #expect(GlyphChoice.octants.applied(to: format, on: inTmux, usesCurses: false) == .symbols(.truecolor, known))
    let reason = GlyphChoice.octants.reason(on: inTmux, charset: .unicode)
    #expect(
      reason.hasPrefix("octants, chosen with --glyphs") && reason.contains("sextants in tmux") == (known == .sextants))
  }

  @Test(
    arguments: [
      (GlyphChoice.auto, "foot(1.19.0)", "sextants, which this terminal draws itself"),
      (.auto, "XTerm(390)", "blocks, which nearly every font has"),
      (.braille, "XTerm(390)", "braille, chosen with --glyphs"),
    ])
  func doctorSaysWhichCharactersAndWhy(choice: GlyphChoice, terminal: String, reason: String) {
    #expect(choice.reason(on: capabilities(terminal: terminal), charset: .unicode) == reason)
    #expect(choice.reason(on: capabilities(), charset: .ascii) == "ascii, since the locale has no other characters")
  }

  private func capabilities(environment: [String: String] = [:], terminal: String = "") -> Capabilities {
    var capabilities = Capabilities(environment: environment, ancestors: { [] })
    capabilities.add(.version(terminal))
    return capabilities
  }
}
