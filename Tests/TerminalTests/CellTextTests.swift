import Foundation
import TestLimit
import Testing

@testable import Terminal

@Suite(.limited) struct CellTextTests {
  init() {
    // The C library has the widths for the locale's encoding.
    setlocale(LC_CTYPE, "C.UTF-8")
  }

  private func cells(_ text: String) -> CellText { CellText(text, charset: .unicode) }
  private func string(_ text: CellText) -> String {
    text.clusters.map { $0.scalars.map(String.init).joined() }.joined()
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("漢字", 4), ("한국", 4), ("e\u{301}", 1), ("🐈", 2), ("🐈‍⬛", 2), ("👩‍👩‍👧‍👦", 2), ("🇫🇷", 2), ("1️⃣", 1),
    ("❤️", 1), ("👍🏽", 2), ("\u{301}", 1), ("a\u{0}b", 3), ("क्‍ष", 2), ("\u{1F3FD}", 2), ("ᠠ\u{180B}ᠠ\u{180F}", 2),
    ("Z\u{335}\u{34A}\u{321}\u{330}\u{31A}\u{35C}", 1),
  ])
  func widthsAreThoseOnWhichTerminalsAgree(text: String, width: Int) {
    #expect(cells(text).width == width)
    #expect(cells(text).clusters.map(\.width).reduce(0, +) == width)
    #expect(cells(text).clusters.allSatisfy { $0.scalars.count <= 5 })
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("ab cdef", 4, "ab…"), ("漢字漢字", 6, "漢字…"), ("漢字漢字", 5, "漢字…"),
    ("漢字漢字", 4, "漢…"), ("abc", 1, "a"), ("abc", 0, ""), ("漢", 1, ""),
  ])
  func longTextEndsWithAnEllipsis(text: String, columns: Int, result: String) {
    let truncated = cells(text).truncated(to: columns, charset: .unicode)
    #expect(string(truncated) == result)
    #expect(truncated.width <= columns)
  }

  @Test(arguments: [
    ("abcdefgh", 8, "abcdefgh"), ("abcdefgh", 6, "ab…fgh"), ("abcdefgh", 5, "ab…gh"), ("abcdefgh", 3, "a…h"),
    ("abcdefgh", 2, "a…"), ("abcdefgh", 1, "a"), ("漢字漢字", 6, "漢…字"), ("漢字漢字", 4, "…字"), ("abc", 0, ""),
  ])
  func longNamesKeepTheirEnds(text: String, columns: Int, result: String) {
    let truncated = cells(text).truncatedInMiddle(to: columns, charset: .unicode)
    #expect(string(truncated) == result)
    #expect(truncated.width <= columns)
  }

  @Test func rareSymbolsAreReplacedOnTerminalsWithOneFont() {
    #expect(string(CellText("★★ ○ ● ⠋é…", charset: .fewSymbols)) == "** o ● |é…")
    #expect(string(CellText("★★ ○ ● ⠋é…", charset: .unicode)) == "★★ ○ ● ⠋é…")
    #expect(string(CellText("★★ ○ ● ⠋é…", charset: .ascii)) == "** o * |e...")
    #expect(Charset.hasOneFont("mlterm-256color") && Charset.hasOneFont("linux") && !Charset.hasOneFont("xterm"))
  }

  @Test func onlyTheVisiblePartOfHugeTextIsMeasured() {
    let text = String(repeating: "x", count: 1_000_000)
    #expect(string(CellText(text, truncatedTo: 5, charset: .unicode)) == "xxxx…")
    #expect(cells(text).wrapped(to: 10).count == 100_000)
  }

  @Test(arguments: [
    ("one two three", 7, ["one two", "three"]), ("one two", 3, ["one", "two"]), ("abcdefgh", 3, ["abc", "def", "gh"]),
    ("漢字漢字", 5, ["漢字", "漢字"]), ("", 5, [""]), ("a  b", 5, ["a b"]), ("漢", 1, [""]), ("+漢 a", 1, ["+", "a"]),
    ("ab", 0, []),
    ("abc def", 3, ["abc", "def"]),
  ])
  func textIsWrappedAtSpaces(text: String, columns: Int, lines: [String]) {
    #expect(cells(text).wrapped(to: columns).map(string) == lines)
  }

  @Test(arguments: [
    (3, ["one two", "three", "four"]), (2, ["one two", "three…"]), (1, ["one tw…"]), (0, []),
  ])
  func linesThatAreTooManyEndWithAnEllipsis(lines: Int, result: [String]) {
    #expect(cells("one two three four").wrapped(to: 7, lines: lines, charset: .unicode).map(string) == result)
  }

  @Test(arguments: [
    ("Café “Müller” – naïve…", "Cafe \"Muller\" - naive..."), ("漢字", "??"), ("Łódź", "Lodz"), ("─│╭", "-|+"),
    ("🐈", "?"),
  ])
  func otherCharactersAreReplacedInASCII(text: String, spelling: String) {
    #expect(string(CellText(text, charset: .ascii)) == spelling)
  }
}

@Suite(.limited) struct RectTests {
  private let rect = Rect(column: 10, row: 5, columns: 20, rows: 8)

  @Test func partsOfARectangleStayInside() {
    #expect(
      rect.intersection(Rect(column: 25, row: 0, columns: 20, rows: 7)) == Rect(column: 25, row: 5, columns: 5, rows: 2)
    )
    #expect(rect.intersection(Rect(column: 40, row: 5, columns: 2, rows: 2)).isEmpty)
    #expect(rect.centered(columns: 4, rows: 2) == Rect(column: 18, row: 8, columns: 4, rows: 2))
    #expect(rect.centered(columns: 99, rows: 99) == rect)
    #expect(rect.split(rows: 3).1 == Rect(column: 10, row: 8, columns: 20, rows: 5))
    #expect(rect.split(columns: 99).1.isEmpty)
    #expect(rect.inset(columns: 11).isEmpty)
    #expect(rect.contains(column: 29, row: 12) && !rect.contains(column: 30, row: 12))
  }
}
