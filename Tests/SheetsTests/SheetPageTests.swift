import Gallery
import TestLimit
import Testing

@testable import Sheets

@Suite(.limited) struct SheetPageTests {
  private let picture = SheetPage.Picture([1, 2, 3], width: 30, height: 20)

  private func page(_ photo: SheetPhoto, title: String = "Oslo") -> String {
    let page = SheetPage(title: title, SheetWords(), style: "p { }\n", script: "f();\n")
    return page.head + page.photo(photo, picture, large: SheetPage.Picture([4], width: 3, height: 2))
      + page.tail(count: "1 photo")
  }

  private static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onclick='alert(1)", "</style></title><script>",
    "a\n<b>.jpg", "--><!--", "&lt;script&gt;", "javascript:alert(1)",
  ]

  /// Whatever a text says, the page has the same tags and attributes.
  @Test(arguments: hostile) func hostileTextsAddNoMarkup(text: String) {
    func photo(_ text: String) -> SheetPhoto {
      var metadata = PhotoMetadata()
      (metadata.rating, metadata.label, metadata.caption, metadata.altText) = (2, text, text, text)
      return SheetPhoto(name: text, metadata)
    }
    func markup(_ page: String) -> [String] {
      page.replacing(#/"[^"]*"/#, with: "\"\"").matches(of: #/<[^>]*>?/#).map { String($0.output) }
    }
    #expect(markup(page(photo(text), title: text)) == markup(page(photo("a"), title: "a")))
  }

  @Test func theNameIsCopiedAsItIs() {
    let page = page(SheetPhoto(name: "a \"b\" & <c>.jpg"))
    #expect(page.contains("data-name=\"a &quot;b&quot; &amp; &lt;c&gt;.jpg\""))
  }

  @Test func picturesAreInThePageAndHaveTexts() {
    var metadata = PhotoMetadata()
    (metadata.rating, metadata.caption, metadata.altText) = (5, "At\nthe lake", "A boat")
    let page = page(SheetPhoto(name: "a.jpg", metadata))
    #expect(page.contains("src=\"data:image/jpeg;base64,AQID\" width=\"30\" height=\"20\" alt=\"A boat\""))
    #expect(page.contains("data-large=\"data:image/jpeg;base64,BA==\" data-caption=\"At\nthe lake\""))
    #expect(page.contains("aria-label=\"5 stars\">★★★★★<"))
    #expect(self.page(SheetPhoto(name: "a.jpg")).contains("alt=\"a.jpg\""))
  }

  /// The page loads nothing: it names no address, and its policy forbids what a script could load.
  @Test func nothingIsLoaded() {
    let page = page(SheetPhoto(name: "a.jpg"))
    #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("url("))
    #expect(page.contains("default-src 'none'; img-src data:;"))
    for attribute in page.matches(of: #/(?:src|href)="([^"]*)"/#) { #expect(attribute.output.1.hasPrefix("data:")) }
  }

  @Test func thePageHasATitleWithoutOne() {
    #expect(page(SheetPhoto(name: "a.jpg"), title: "").contains("<title>Contact sheet</title>"))
    #expect(page(SheetPhoto(name: "a.jpg"), title: "A & B").contains("<title>A &amp; B</title>"))
  }

  @Test func styleAndScriptAreInThePage() {
    let page = page(SheetPhoto(name: "a.jpg"))
    #expect(page.contains("<style>\np { }\n</style>") && page.contains("<script>\nf();\n</script>"))
  }
}
