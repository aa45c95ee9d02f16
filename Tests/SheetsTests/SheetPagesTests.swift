import Gallery
import ImageWire
import TestLimit
import Testing

@testable import Sheets

@Suite(.limited) struct SheetPagesTests {
  private func drawing(_ names: [String], grid: String = "2x2", title: String = "Oslo") throws -> SheetDrawing {
    var metadata = PhotoMetadata()
    (metadata.rating, metadata.label) = (3, "Red")
    let photos = names.enumerated().map { index, name in
      let place = index * 100
      return (
        photo: SheetPhoto(name: name, index == 0 ? metadata : nil),
        picture: SheetPicture(bytes: place..<place + 100, width: 300, height: 200)
      )
    }
    let layout = SheetLayout(try #require(PageGrid(grid)), on: .a4, resolution: 300, captionLines: 2)
    return SheetPages(layout, title: title).drawing(of: photos, count: "\(names.count) photos")
  }

  private func texts(of page: SheetDrawing.Page) -> [String] {
    page.lines.map { $0.markup.replacing(#/<[^>]*>/#, with: "") }
  }

  @Test func everyPageHasTitleAndNumberAndTheLastCellsStayEmpty() throws {
    let drawing = try drawing(["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"])
    #expect(drawing.pages.map(\.pictures.count) == [4, 1] && drawing.title == "Oslo")
    #expect(
      drawing.pages.map(texts) == [
        ["Oslo", "5 photos", "a.jpg", "★★★  ● Red", "b.jpg", "c.jpg", "d.jpg", "1 / 2"],
        ["Oslo", "5 photos", "e.jpg", "2 / 2"],
      ])
    #expect(drawing.pages.last?.pictures.first?.bytes == 400..<500)
  }

  @Test func namesAreEscaped() throws {
    let texts = texts(of: try drawing(["<b>&\"'</span>.jpg"], title: "<i>\n&").pages[0])
    #expect(texts[0] == "&lt;i&gt; &amp;")
    #expect(texts[2] == "&lt;b&gt;&amp;&quot;&#39;&lt;/span&gt;.jpg")
  }

  @Test(arguments: [nil, 0, -1]) func aPhotoWithoutStarsAndLabelHasItsNameAlone(rating: Int?) {
    var metadata = PhotoMetadata()
    (metadata.rating, metadata.label) = (rating, "")
    #expect(SheetPhoto(name: "a", metadata).captionLines == 1)
  }

  @Test func labelsHaveTheirColorAndOthersAGrayDot() {
    #expect(SheetLabel("Blue").color == "#2a6fc4" && SheetLabel("Review") == SheetLabel("Review"))
    #expect(SheetLabel("Review").color == SheetLabel("Blue").color)
    #expect(SheetLabel("Anything\u{1B}") == SheetLabel("Anything�") && SheetLabel("Anything").color == "#808080")
  }
}
