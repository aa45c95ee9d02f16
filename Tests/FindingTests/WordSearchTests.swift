import TestLimit
import Testing

@testable import Finding

@Suite(.limited) struct WordSearchTests {
  private let titles = [
    "Reload and retry", "Redraw screen", "Mark all, or unmark", "Next match", "Go to Photos", "Zoom in",
  ]

  /// Returns the titles that match, best first.
  private func found(_ text: String) -> [String] {
    titles.compactMap { title in WordSearch(text).score(of: title).map { (title, $0) } }
      .sorted { $0.1 > $1.1 }.map(\.0)
  }

  @Test(arguments: [
    ("retry", ["Reload and retry"]), ("RETRY reload", ["Reload and retry"]), ("rtry", ["Reload and retry"]),
    ("retry screen", []), ("photos go", ["Go to Photos"]), ("zin", []),
    // The first word of a title counts a little more than the others, but less than a better match.
    ("ma", ["Mark all, or unmark", "Next match"]), ("in", ["Zoom in"]),
  ])
  func allWordsOfTheTextMustMatch(text: String, expected: [String]) {
    #expect(found(text) == expected)
  }

  /// Other words count less than those of the title, and only from their beginning.
  @Test(arguments: [
    ("write", ["Save as catalog"]), ("wri marked", ["Save as catalog"]), ("save", ["Save as catalog", "Copy path"]),
    ("ite", []), ("wte", []),
  ])
  func otherWordsFindATitleToo(text: String, expected: [String]) {
    let titles = [("Copy path", "save"), ("Save as catalog", "write marked")]
    let found = titles.compactMap { title, others in
      WordSearch(text).score(of: title, orOthers: others).map { (title, $0) }
    }
    #expect(found.sorted { $0.1 > $1.1 }.map(\.0) == expected)
  }

  @Test(arguments: ["", " ", "?", "/"]) func aTextWithoutWordsFindsNothing(text: String) {
    #expect(found(text) == [])
  }
}
