import Harness
import TestLimit
import Testing

@Suite(.limited) struct OutputGrammarTests {
  @Test(arguments: [
    "\u{1B}[31m", "\u{1B}[0;31m", "\u{1B}[7913;1H", "\u{1B}]2;x\u{07}", "\u{1B}]52;c;eA==\u{1B}\\",
    "\u{1B}P$q q\u{1B}\\",
    "\u{1B}_Ga=d\u{1B}\\", "\u{9B}1m", "\u{7F}", "\u{07}", "\t", "\u{0E}", "\u{1B}", "\u{1B}[", "\u{1B}c", "a\u{202E}",
    "\u{200B}",
    "\u{2028}", "\u{E0041}", "\u{200D}\u{200D}", "\u{1B}[6n", "\u{1B}[?1003h",
  ])
  func unknownSequencesAreReported(text: String) {
    for place in [OutputGrammar.Place.gallery, .images, .shell] {
      #expect(!OutputGrammar.faults(in: Array("one\(text)two".utf8), at: place).isEmpty)
    }
  }

  @Test(arguments: [[0x9B, 0x31, 0x6D], [0xC0, 0x9B], [0xE2, 0x80], [0xED, 0xA0, 0x80], [0xFF]] as [[UInt8]])
  func invalidUTF8IsReported(bytes: [UInt8]) {
    #expect(!OutputGrammar.faults(in: Array("a".utf8) + bytes + Array("b".utf8), at: .gallery).isEmpty)
  }

  @Test func aModeThatIsSetTwiceIsReported() {
    let twice = "\u{1B}[?1049h\u{1B}[?1049h"
    #expect(OutputGrammar.faults(in: Array(twice.utf8), at: .gallery) == ["the mode 1049h twice"])
  }

  @Test func theProgramsOwnSequencesAreAllowed() {
    let own =
      "\u{1B}[?1049h\u{1B}[H\u{1B}[38:2::12:34:56m漢é\u{1B}(B\u{1B}[m\u{1B}[12;40H\r\u{1B}[?2026l\u{1B}]11;?\u{1B}\\"
    #expect(OutputGrammar.faults(in: Array(own.utf8), at: .gallery) == [])
    #expect(OutputGrammar.faults(in: Array("❤\u{FE0F}\u{200D}🔥 \u{FFFD}[31m\r\n".utf8), at: .shell) == [])
  }
}
