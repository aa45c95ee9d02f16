import TestLimit
import Testing

@testable import Terminal

@Suite(.limited) struct HyperlinksTests {
  private func link(_ address: String, row: Int = 1, _ columns: Range<Int> = 10..<20) -> Hyperlinks.Link {
    Hyperlinks.Link(address: address, row: row, columns: columns)
  }

  /// Draws a frame.
  private func frame(
    _ hyperlinks: inout Hyperlinks, _ links: [Hyperlinks.Link], isWritten: Bool = false
  ) -> (gone: [Hyperlinks.Link], new: [Hyperlinks.Link]) {
    hyperlinks.beginFrame()
    for link in links { hyperlinks.add(link) }
    return hyperlinks.endFrame { _ in isWritten }
  }

  @Test func aLinkIsWrittenOnceUntilItsCellsAreWrittenAgain() {
    var hyperlinks = Hyperlinks()
    let link = link("https://a.test")
    #expect(frame(&hyperlinks, [link]).new == [link])
    #expect(frame(&hyperlinks, [link]).new.isEmpty)
    #expect(frame(&hyperlinks, [link], isWritten: true).new == [link])
    hyperlinks.invalidate()
    #expect(frame(&hyperlinks, [link]).new == [link])
  }

  @Test func aLinkThatHasGoneIsWrittenAsText() {
    var hyperlinks = Hyperlinks()
    let (long, short) = (link("https://a.test", 10..<20), link("https://b.test", 10..<15))
    _ = frame(&hyperlinks, [long])
    let both = frame(&hyperlinks, [short])
    #expect(both.gone == [long] && both.new == [short])
    let none = frame(&hyperlinks, [])
    #expect(none.gone == [short] && none.new.isEmpty)
    #expect(frame(&hyperlinks, []).gone.isEmpty)
  }

  @Test(arguments: [(1, 5, 5, true), (1, 5, 6, false), (1, 19, 1, false), (1, 20, 1, true), (0, 10, 10, true)])
  func aLinkThatIsCoveredIsGivenUp(row: Int, column: Int, columns: Int, isKept: Bool) {
    var hyperlinks = Hyperlinks()
    hyperlinks.beginFrame()
    hyperlinks.add(link("https://a.test"))
    hyperlinks.cover(column: column, row: row, columns: columns)
    #expect(hyperlinks.endFrame { _ in false }.new.isEmpty != isKept)
  }

  @Test func anAddressThatIsTooLongForTerminalsIsNoLink() {
    var hyperlinks = Hyperlinks()
    #expect(frame(&hyperlinks, [link("https://" + String(repeating: "a", count: 2100))]).new.isEmpty)
  }
}
