import Gallery
import TestLimit
import Testing

@Suite(.limited) struct PrintableTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("漢字 é e\u{301} 👩‍👩‍👧", "漢字 é e\u{301} 👩‍👩‍👧"),
    ("a\u{1B}[31mb", "a�[31mb"), ("a\u{9B}1mb", "a�1mb"), ("a\u{7F}b\u{0}c", "a�b�c"),
    ("one\ntwo\r\nthree\tfour", "one two three four"), ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"),
    ("\u{202E}abc\u{2066}", "�abc�"), ("a\u{200B}b\u{FEFF}c\u{E0041}", "a�b�c�"), ("a\u{200D}b\u{200C}", "a�b�"),
    ("1\u{FE0F}\u{20E3}", "1\u{FE0F}\u{20E3}"),
    ("❤\u{FE0F}\u{200D}🔥 क्\u{200D}ष", "❤\u{FE0F}\u{200D}🔥 क्\u{200D}ष"),
    ("x\u{E0101}\u{E0102}\u{E0103}", "x\u{E0101}��"),
    ("\u{FE0F}a\u{34F}b\u{115F}\u{1160}\u{3164}\u{FFA0}", "�a�b����"),
    ("\u{200D}\u{200D}漢\u{200C}\u{200D}", "��漢\u{200C}�"),
  ])
  func textBecomesOnePrintableLine(text: String, printable: String) {
    #expect(text.printable == printable)
  }

  @Test func lineBreaksCanBeKept() {
    #expect("one\r\ntwo\nthree\u{1B}".printableLines == "one\ntwo\nthree�")
  }
}
