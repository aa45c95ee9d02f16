import Gallery
import TestLimit
import Testing

@Suite(.limited) struct ExportLayoutTests {
  private func layout(
    _ width: Int, _ height: Int, _ size: ExportSpecification.Size, _ crop: PhotoCrop? = nil
  ) -> [Int] {
    var specification = ExportSpecification()
    specification.size = size
    specification.crop = crop
    let layout = ExportLayout(specification, photoWidth: width, photoHeight: height)
    return [layout.x, layout.y, layout.partWidth, layout.partHeight, layout.width, layout.height]
  }

  @Test func theLongerSideIsLimited() {
    #expect(layout(6000, 4000, .original) == [0, 0, 6000, 4000, 6000, 4000])
    #expect(layout(6000, 4000, .longEdge(2048)) == [0, 0, 6000, 4000, 2048, 1365])
    #expect(layout(4000, 6000, .longEdge(2048)) == [0, 0, 4000, 6000, 1365, 2048])
    #expect(layout(600, 400, .longEdge(2048)) == [0, 0, 600, 400, 600, 400])
    #expect(layout(60_000, 1, .longEdge(2048)) == [0, 0, 60_000, 1, 2048, 1])
  }

  @Test func bothSidesAreLimited() {
    #expect(layout(6000, 4000, .fit(width: 300, height: 300)) == [0, 0, 6000, 4000, 300, 200])
    #expect(layout(4000, 6000, .fit(width: 300, height: 150)) == [0, 0, 4000, 6000, 100, 150])
    #expect(layout(6000, 4000, .fit(width: 900, height: 200)) == [0, 0, 6000, 4000, 300, 200])
    #expect(layout(60, 40, .fit(width: 300, height: 300)) == [0, 0, 60, 40, 60, 40])
    #expect(layout(60_000, 1, .fit(width: 300, height: 300)) == [0, 0, 60_000, 1, 300, 1])
  }

  @Test func aBoxIsFilledExactly() {
    #expect(layout(6000, 4000, .box(width: 1000, height: 1000)) == [1000, 0, 4000, 4000, 1000, 1000])
    #expect(layout(6000, 4000, .box(width: 1920, height: 1080)) == [0, 312, 6000, 3375, 1920, 1080])
    #expect(layout(600, 400, .box(width: 1200, height: 800)) == [0, 0, 600, 400, 1200, 800])
    #expect(layout(1, 1, .box(width: 16, height: 16_384)) == [0, 0, 1, 1, 16, 16_384])
  }

  @Test func aPartIsCutOutFirst() {
    let half = PhotoCrop(x: 0.5, y: 0.25, width: 0.5, height: 0.5)
    #expect(layout(6000, 4000, .longEdge(1500), half) == [3000, 1000, 3000, 2000, 1500, 1000])
    #expect(layout(6000, 4000, .box(width: 100, height: 100), half) == [3500, 1000, 2000, 2000, 100, 100])
    // A part that leaves the photo, and one of nothing, have at least one pixel of it.
    let outside = PhotoCrop(x: 1, y: 0.9, width: 1, height: 1)
    #expect(layout(10, 10, .original, outside) == [9, 9, 1, 1, 1, 1])
    let nothing = PhotoCrop(x: 0.5, y: 0.5, width: 0, height: 0)
    #expect(layout(10, 10, .original, nothing) == [5, 5, 1, 1, 1, 1])
  }

  @Test(arguments: [("a.jpg", "a-2.jpg"), ("a", "a-2"), (".a", ".a-2"), ("a.b.jpg", "a.b-2.jpg")])
  func aNumberComesBeforeTheSuffix(name: String, numbered: String) {
    let folder = FilePath("/a.b")
    #expect(folder.appending(name.utf8).numbered(2) == folder.appending(numbered.utf8))
    #expect(folder.appending(name.utf8).numbered(1) == folder.appending(name.utf8))
  }
}
