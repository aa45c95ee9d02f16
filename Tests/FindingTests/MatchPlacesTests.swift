import TestLimit
import Testing

@testable import Finding

@Suite(.limited) struct MatchPlacesTests {
  /// Brackets in the expected text enclose the matching ranges.
  @Test(arguments: [
    ("harb", "Harbour", "[Harb]our"),
    ("bour", "Harbour", "Har[bour]"),
    ("hbr", "Harbour", "[H]ar[b]ou[r]"),
    ("cafe", "Le Cafe\u{301} noir", "Le [Cafe\u{301}] noir"),
    ("straße", "Hauptstrasse", "Haupt[strasse]"),
    ("s", "Maß", "Ma[ß]"),
    ("red", "Red lantern, reddish", "[Red] lantern, reddish"),
    ("dawn red", "red dawn", "[red] [dawn]"),
    ("re red", "reddish", "[red]dish"),
    ("jpg", "img_1.jpg", "img_1.[jpg]"),
    // The extension counts only if it is typed as such.
    ("dog", "Picos-de-europa.jpg", "Picos-de-europa.jpg"),
    ("eup", "Picos-de-europa.jpg", "Picos-d[e]-e[u]ro[p]a.jpg"),
    ("pg", "Picos-de-europa.jpg", "Picos-de-europa.jpg"),
    ("jp", "Picos-de-europa.jpg", "Picos-de-europa.[jp]g"),
    (".jpg", "Picos-de-europa.jpg", "Picos-de-europa.[jpg]"),
    ("pa.jp", "Picos-de-europa.jpg", "Picos-de-euro[pa.jp]g"),
    ("pceu.jpg", "Picos-de-europa.jpg", "[P]i[c]os-d[e]-e[u]ropa[.jpg]"),
    ("pceu.png", "Picos-de-europa.jpg", "Picos-de-europa.jpg"),
    ("dog", "picos-de-europa.org", "picos-[d]e-eur[o]pa.or[g]"),
    ("dg", ".dog.jpg", ".[d]o[g].jpg"),
    ("東", "夜の東京", "夜の[東]京"),
    ("x", "Harbour", "Harbour"),
    ("-red name:red", "red", "[red]"),
    ("-red camera:red", "red", "red"),
    ("", "red", "red"),
    ("a", "", ""),
    ("d", "👩‍👩‍👧 dog", "👩‍👩‍👧 [d]og"),
  ])
  func rangesCoverTheBestMatches(query: String, text: String, expected: String) throws {
    let ranges = try PhotoQuery(query).ranges(in: text, of: .name)
    var (lit, end) = ("", text.startIndex)
    for range in ranges {
      lit += text[end..<range.lowerBound] + "[" + text[range] + "]"
      end = range.upperBound
    }
    #expect(lit + text[end...] == expected)
  }
}
