import Testing

@testable import Services

@Suite struct MatchPlacesTests {
  /// What is lit stands in brackets.
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
    ("東", "夜の東京", "夜の[東]京"),
    ("x", "Harbour", "Harbour"),
    ("-red name:red", "red", "[red]"),
    ("-red camera:red", "red", "red"),
    ("", "red", "red"),
    ("a", "", ""),
    ("d", "👩‍👩‍👧 dog", "👩‍👩‍👧 [d]og"),
  ])
  func matchesAreLit(query: String, text: String, expected: String) throws {
    let ranges = try PhotoQuery(query).ranges(in: text, of: .name)
    var (lit, end) = ("", text.startIndex)
    for range in ranges {
      lit += text[end..<range.lowerBound] + "[" + text[range] + "]"
      end = range.upperBound
    }
    #expect(lit + text[end...] == expected)
  }
}
