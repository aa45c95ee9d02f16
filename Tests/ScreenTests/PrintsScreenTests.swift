import Harness
import TestLimit
import Testing

@Suite(.fewAtOnce, .limited) struct PrintsScreenTests {
  private func open(_ home: Home, columns: Int = 80, rows: Int = 24) async throws -> TerminalSession {
    let session = try home.enter("prints", columns: columns, rows: rows)
    try await session.waitForText("1/12+")
    return session
  }

  @Test func pagesAreLoadedWhileScrollingToTheEnd() async throws {
    let home = try Home()
    let session = try await open(home)
    defer { session.close() }
    session.type("jjjjj")
    try await session.waitForText("6/12")
    session.type("jjj")
    try await session.waitForTexts("9/24+", "Page 2 of 4")
    session.type("G")
    try await session.waitForTexts("24/36+", "Page 3 of 4")
    session.type("G")
    try await session.waitForTexts("36/40, that is all", "Page 4 of 4")
    session.type("G")
    let end = try await session.waitForText("40/40, that is all")
    assertSnapshot(end, named: "prints-end")
    session.type("r")
    // The highlighted row is not on the first page. The last request for a page, debounced for 0.3 s, may follow the
    // reload.
    try await session.wait(for: "the first page again") { $0.contains("12/12+") || $0.contains("12/24+") }
  }

  @Test func theBasketsTotalIsInTheHeaderAndIsStored() async throws {
    let home = try Home()
    let first = try await open(home)
    defer { first.close() }
    first.type("b")
    try await first.waitForTexts("1 print, 24.00 EUR", "1 in the basket")
    first.type("bjb")
    let full = try await first.waitForTexts("3 prints, 77.00 EUR", "2 in the basket", "1 in the basket")
    assertSnapshot(full, named: "prints-basket")
    first.type("jjjjjjb")
    try await first.waitForText("4 prints, 106.00 EUR")
    first.type("B")
    try await first.waitForText("3 prints, 77.00 EUR")
    first.type("B")
    try await first.waitForText("This print is not in the basket.")
    first.kill(9)
    _ = try await first.waitForExit()

    let second = try await open(home)
    defer { second.close() }
    let screen = try await second.waitForTexts("3 prints, 77.00 EUR", "2 in the basket", "1 in the basket")
    #expect(screen.lines.count { $0.contains("in the basket") } == 2)
    second.type("gp")
    try await second.waitForTexts("3 prints, 77.00 EUR", "/ Search")
  }

  @Test func aReusedCellShowsNothingOfItsLastPrint() async throws {
    let home = try Home()
    let session = try await open(home, columns: 40, rows: 12)
    defer { session.close() }
    session.type("b")
    try await session.waitForText("1 in the basket")
    session.type("jjj")
    let below = try await session.waitForText("4/12+")
    #expect(!below.contains("in the basket"))
    session.type("gg")
    let top = try await session.waitForTexts("1/12+", "1 in the basket")
    #expect(top.lines.count { $0.contains("in the basket") } == 1)
  }

  @Test func aSoldOutPrintCannotBeBought() async throws {
    let home = try Home()
    let session = try await open(home)
    defer { session.close() }
    session.type("jjb")
    try await session.waitForTexts(" Sold out ", "This print is sold out")
    session.type("\rjjjjjjjjb")
    try await session.waitForTexts("11/", "1 print, 24.00 EUR")
    session.type("b")
    let screen = try await session.waitForText("All remaining copies of this print")
    #expect(screen.contains("1 print, 24.00 EUR"))
  }

  @Test func aPrintAndTheNextOneCanBeViewed() async throws {
    let home = try Home()
    let session = try await open(home)
    defer { session.close() }
    session.type("\r")
    try await session.waitForTexts("Esc Back", "Dune in the wind")
    session.type("nn")
    try await session.waitForText("Dragonfly on blue flowers")
    session.type("\u{1B}")
    try await session.waitForTexts("3/12+", "b Add to basket")
  }

  @Test func anInvalidPageIsReportedAndRequestedAgain() async throws {
    let home = try Home()
    let prints = (1...20).map {
      """
      {"id": \($0), "title": "Print \($0)", "image_url": "a.jpg", "price": {"minor_units": 100, "currency": "EUR"},
       "size": "A4", "paper": "matte", "left": 1}
      """
    }
    let all = "{\"prints\": [\(prints.joined(separator: ","))]}"
    let contents = try Contents(["prints.json": all])
    let session = try home.enter("prints", contents: contents)
    defer { session.close() }
    try await session.waitForText("1/12+")
    try contents.write("[", to: "prints.json")
    session.type("G")
    try await session.waitForTexts(" Can't load prints ", "prints.json")
    try contents.write(all, to: "prints.json")
    session.type("\r")
    try await session.wait(for: "the first page still there") { $0.contains("12/12+") && $0.contains("Print 12") }
    session.type("k")
    try await session.waitForText("11/20, that is all")
  }
}
