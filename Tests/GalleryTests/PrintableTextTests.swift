import Gallery
import Testing

@Suite struct PrintableTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("漢字 é e\u{301} 👩‍👩‍👧", "漢字 é e\u{301} 👩‍👩‍👧"),
    ("a\u{1B}[31mb", "a�[31mb"), ("a\u{9B}1mb", "a�1mb"), ("a\u{7F}b\u{0}c", "a�b�c"),
    ("one\ntwo\r\nthree\tfour", "one two three four"), ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"),
    ("\u{202E}abc\u{2066}", "�abc�"), ("a\u{200B}b\u{FEFF}c\u{E0041}", "a�b�c�"),
  ])
  func oneLine(text: String, printable: String) {
    #expect(text.printable == printable)
  }

  @Test func linesAreKept() {
    #expect("one\r\ntwo\nthree\u{1B}".printableLines == "one\ntwo\nthree�")
  }
}
