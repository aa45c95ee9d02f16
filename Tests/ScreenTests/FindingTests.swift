import Foundation
import Harness
import TestLimit
import Testing

@Suite(.fewAtOnce, .limited) struct FindingTests {
  /// Returns the styles of the cells of a text on the screen.
  private func styles(of text: String, on screen: Screen) throws -> [Style] {
    let place = try #require(screen.position(of: text))
    return screen.cells[place.row][place.column..<place.column + text.count].map(\.style)
  }

  @Test(arguments: [ScreenSize.large, .common])
  func matchesAreHighlighted(size: ScreenSize) async throws {
    let session = try await Program.open(columns: size.columns, rows: size.rows)
    defer { session.close() }
    session.type("/")
    try await session.waitForTexts("Search", "Enter Keep results")
    session.type("inari")
    let found = try await session.waitForTexts("1/1", "1 of 36", "by")
    assertSnapshot(found, named: "search-\(size.rawValue)")
    let lit = try styles(of: "Fushimi Inari", on: found)
    #expect(Set(lit[8...]) != Set(lit[..<7]))
    #expect(lit[8...].allSatisfy { $0.bold && $0.foreground == .rgb(0xDD, 0xAA, 0x5B) }, "\(lit)")
    session.type("\r")
    try await session.waitForText("/ Search")
    session.type("\u{1B}")
    // After a move to a result, the end of the search stays there.
    try await session.waitForTexts("2/36", "Humpback whal", "by")
    session.type("gg")
    let all = try await session.waitForTexts("1/36", "Humpback whal", "by")
    #expect(all.snapshot() == (try snapshot("list-\(size.rawValue)")))
  }

  @Test func aCanceledSearchReturnsToItsStartInASortedListToo() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("Sn")
    try await session.waitForTexts("1/36", "▌A kitten on the lawn")
    session.type("jj")
    let before = try await session.waitForTexts("3/36", "▌Amidst the tea gardens", "by")
    session.type("/demoiselle")
    // An exposure of 1/1000 s must not be taken for the list's position.
    try await session.waitForText("1 of 36")
    session.type("\u{1B}")
    let after = try await session.waitForTexts("3/36", "/ Search")
    #expect(after.text == before.text)
  }

  @Test func matchesCanBeVisitedInTheWholeList() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("/name:dragonfly")
    try await session.waitForTexts("1/1", "Ctrl-t List all")
    session.type("\u{15}name:the")
    try await session.waitForText("1/5")
    session.type("\u{14}")
    let whole = try await session.waitForTexts("1/36", "5 of 36", "Ctrl-t Matches only", "Humpback whale calf")
    #expect(try styles(of: "the wind", on: whole).prefix(3).allSatisfy(\.bold))
    session.type("\r")
    try await session.waitForText("/ Search")
    for (key, place) in [("n", "7/36"), ("n", "8/36"), ("n", "16/36"), ("n", "17/36"), ("n", "1/36"), ("N", "17/36")] {
      session.type(key)
      try await session.waitForText(place)
    }
    session.type("\u{1B}")
    try await session.wait(for: "the end of the search") { $0.contains("17/36") && !$0.contains("Search  name") }
    session.type("n")
    try await session.waitForText("No search yet. Press / to search.")
  }

  /// Tab goes on with the search, and from one value to the next.
  @Test(arguments: [ScreenSize.common, .small]) func tabCompletesTheSearch(size: ScreenSize) async throws {
    let session = try await Program.open(columns: size.columns, rows: size.rows)
    defer { session.close() }
    session.type("/came")
    try await session.waitForText("Tab  camera:")
    session.type("\t")
    try await session.waitForTexts("Search  camera:", "Tab  camera:canon 12")
    session.type("\t")
    try await session.waitForTexts("Search  camera:canon", "12 of 36")
    session.type("\t")
    try await session.waitForTexts("Search  camera:eos", "11 of 36", "Tab  camera:pentax 4")
    session.type("\u{15}dragonfyl")
    try await session.waitForText("Tab  dragonfly 1")
    session.type("\t")
    try await session.waitForTexts("Search  dragonfly", "1 of 36")
    session.type("\r")
    try await session.wait(for: "no completions") { !$0.contains("Tab  ") }
  }

  @Test(arguments: [ScreenSize.large, .common, .small])
  func anInvalidQueryIsExplained(size: ScreenSize) async throws {
    let session = try await Program.open(columns: size.columns, rows: size.rows)
    defer { session.close() }
    session.type("/dragonfly color:red")
    try await session.waitForText("Unknown field")
    session.type("\r")
    try await session.waitForTexts(" Invalid search ", "Unknown field “color”")
    session.type("\r")
    try await session.wait(for: "the alert to be gone") {
      !$0.contains(" Invalid search ") && $0.contains("Unknown field")
    }
    session.type(String(repeating: "\u{7F}", count: 11))
    let found = try await session.waitForTexts("1/1", "1 of 36")
    #expect(!found.contains("Unknown field"))
    session.type(" rating:9x ")
    try await session.waitForText("rating")
    session.type("\r")
    try await session.waitForTexts(" Invalid search ", "“9x”", ">=4")
  }

  /// The row then shows the file name, which it does not show otherwise, if there is room for it beside the whole name.
  @Test(arguments: [40, 80, 120]) func aMatchInTheFileNameIsHighlighted(columns: Int) async throws {
    let catalog = try TemporaryCatalog(
      """
      {"photos": [{"id": 1, "name": "A kitten on the lawn", "created_at": "2017-11-06T14:48:50-05:00",
        "image_url": "dog_and_cat.jpg"}, {"id": 2, "name": "Gull", "created_at": "2017-11-06T14:48:50-05:00",
        "image_url": "Picos-de-europa.jpg"}]}
      """)
    let session = try Program.start(catalog.path, columns: columns, rows: 24)
    defer { session.close() }
    try await session.waitForText("1/2")
    session.type("/dog\r")
    for keys in ["", "tt"] {
      session.type(keys)
      let found = try await session.wait(for: "rows of \(keys.isEmpty ? "three lines" : "one line")") {
        $0.contains("1 of 2") && $0.contains("dog_and_cat")
          && $0.lines.contains { $0.contains("A kitten") && $0.contains("dog_and") } == (!keys.isEmpty && columns != 80)
      }
      let lit = try styles(of: "dog_and_cat", on: found)
      #expect(lit.map(\.bold) == [true, true, true] + Array(repeating: lit[4].bold, count: 8), "\(found.text)")
      #expect(lit[0].foreground != lit[4].foreground)
    }
  }

  @Test func aSearchWithoutResultsSaysSo() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("/zzzz")
    try await session.waitForTexts("No matches.", "0 of 36")
    session.type("\u{1B}")
    try await session.waitForText("1/36")
    session.type("/rating>=1")
    try await session.waitForTexts("No matches.", "0 of 36")
    session.type("\u{15}iso>1000")
    try await session.wait(for: "photos of a high sensitivity") { !$0.contains("No matches.") && $0.contains("1/") }
    session.type("\u{15}dragonfyl")
    try await session.waitForText("“dragonfly”?")
    session.type("\u{15}1997")
    try await session.waitForTexts("No matches.", "The photos are from ")
    session.type("\u{15}picked")
    try await session.waitForText("Try is:picked.")
  }

  @Test func photosAreSortedByKeysAndByTheMouse() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("jjS")
    let popup = try await session.waitForTexts(" Sort by ", "Order of the catalog", "Size in megapixels")
    assertSnapshot(popup, named: "sort-120x36")
    session.type("n")
    try await session.waitForTexts("20/36", "by Kristaps Dzonsons")
    session.type("S")
    let name = try #require(try await session.waitForTexts(" Sort by ", "A to Z").position(of: "Name  "))
    session.click(column: name.column, row: name.row)
    try await session.waitForTexts("17/36", "by Kristaps Dzonsons")
    session.type("S")
    try await session.waitForTexts(" Sort by ", "Z to A")
    session.click(column: 1, row: 1)
    try await session.wait(for: "the popup to be gone") { !$0.contains(" Sort by ") && $0.contains("17/36") }
    session.type("Sgj\r")
    try await session.waitForText("18/36")
    session.type("S")
    try await session.waitForTexts(" Sort by ", "newest first")
    session.type("\u{1B}")
    try await session.wait(for: "the popup to be gone") { !$0.contains(" Sort by ") }
    let header = try #require(session.screen.position(of: "by date ↓"))
    session.click(column: header.column, row: header.row)
    try await session.waitForText(" Sort by ")
  }

  /// Elsewhere in the list, the highlighted photo stays.
  @Test func whatComesFirstIsHighlightedAfterSortingAtTheTop() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("S")
    try await session.waitForText(" Sort by ")
    session.type("n")
    // A key that comes before the sorted rows is about these.
    session.type("j")
    try await session.waitForTexts("2/36", "by name ↑", "▌Alpine snow")
    session.type("S")
    try await session.waitForText(" Sort by ")
    session.type("n")
    try await session.waitForTexts("35/36", "by name ↓")
  }

  @Test(arguments: [(20, 6), (40, 12)])
  func theSearchFieldAndTheSortMenuFitOnNarrowScreens(columns: Int, rows: Int) async throws {
    let session = try Program.start("--delay", "0", columns: columns, rows: rows)
    defer { session.close() }
    let list = try await session.waitForTexts("Dune", "Quit")
    session.type("S")
    try await session.waitForText("Order of")
    session.type("G")
    try await session.waitForText("Size in")
    session.type("\r")
    try await session.wait(for: "the list") { !$0.contains("Sort by") && $0.contains("Quit") }
    session.type("S")
    let sorted = try await session.waitForText("Size in")
    for row in 1..<rows - 2 where sorted.lines[row].contains("│") {
      #expect(sorted.lines[row].filter { $0 == "│" }.count == 2, "\(sorted.lines)")
    }
    session.type("o")
    try await session.wait(for: "the list as it was") { $0.snapshot() == list.snapshot() }
    session.type("/gull")
    try await session.wait(for: "what was found") { $0.contains("Gull") && $0.contains("Search  gull") }
    session.type("\r")
    session.type("e")
    try await session.waitForTexts("marked.json", "File name")
    session.type("\u{1B}\u{1B}")
    try await session.wait(for: "the search to be gone") {
      !$0.contains("Search  gull") && !$0.contains("File name")
    }
    session.type("gg")
    try await session.wait(for: "the list again") { $0.snapshot() == list.snapshot() }
  }

  @Test(arguments: [(120, 36), (81, 25)])
  func matchesInWideNamesMoveNoBorder(columns: Int, rows: Int) async throws {
    let names = ["漢字の写真", "写真 漢字", "e\u{301}tang 写真", "🐈 cat 写真", "長い名前長い名前長い名前長い名前長い名前長い名前写真"]
    let catalog = try TemporaryCatalog.named(names)
    let session = try Program.start(catalog.path, columns: columns, rows: rows)
    defer { session.close() }
    let before = try await session.waitForTexts("1/5", "漢字の写真")
    let divider = try #require((0..<columns).first { before.cells[3][$0].text == "│" })
    session.type("/写真")
    let found = try await session.waitForTexts("1/5", "5 of 5")
    let border = Set((4..<rows - 3).map { found.cells[$0][divider].text })
    #expect(border.isSubset(of: ["│", "┃"]), "\(border)")
    let place = try #require(found.position(of: "写真 漢字"))
    let cells = found.cells[place.row][place.column..<place.column + 9]
    #expect(cells.map(\.bold) == [true, true, true, true] + Array(repeating: cells.last?.bold == true, count: 5))
    #expect(Set(cells.map(\.foreground)).count == 2)
  }
}
