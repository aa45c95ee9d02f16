import Printing
import TestLimit
import Testing

@Suite(.limited) struct TitleFormatTests {
  private let facts = TitleFormat.Facts(
    path: "a/b.jpg", name: "b.jpg", width: 6000, height: 4000, number: 2, count: 30)

  @Test func codesStandForThePropertiesOfAnImage() throws {
    let format = try #require(TitleFormat("%n/%N %b (%f): %w×%h, 100 %%"))
    #expect(format.title(of: facts) == "2/30 b.jpg (a/b.jpg): 6000×4000, 100 %")
  }

  @Test func aFormatMayHaveNoCode() throws {
    #expect(try #require(TitleFormat("Title")).title(of: facts) == "Title")
    #expect(try #require(TitleFormat("")).title(of: facts) == "")
  }

  @Test(arguments: ["%", "a%", "%x", "%%%", "% f"]) func anUnknownCodeIsRefused(format: String) {
    #expect(TitleFormat(format) == nil)
  }

  @Test func aTitleControlsNoTerminal() throws {
    var facts = facts
    facts.name = "\u{1B}[2J\n"
    #expect(try #require(TitleFormat("a\tb\u{7}%b")).title(of: facts) == "a b\u{FFFD}\u{FFFD}[2J ")
  }
}
