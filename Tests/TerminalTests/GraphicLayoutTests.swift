import TestLimit
import Testing

@testable import Terminal

/// The layout knows which parts of each image are visible.
@Suite(.limited) struct GraphicLayoutTests {
  private let place = Rect(column: 2, row: 1, columns: 6, rows: 4)

  private func layout(_ covered: Rect...) -> GraphicLayout {
    var layout = GraphicLayout()
    layout.clear(size: Size(columns: 20, rows: 10))
    layout.place(9, in: place)
    for rect in covered {
      for row in rect.row..<rect.endRow { layout.cover(column: rect.column, row: row, columns: rect.columns) }
    }
    return layout
  }

  private func visible(_ layout: GraphicLayout) -> Set<Rect> {
    Set(layout.visibleParts()[GraphicLayout.Placement(id: 9, rect: place)] ?? [])
  }

  @Test func anImageUnderNothingIsOnePart() {
    #expect(visible(layout()) == [place])
    #expect(visible(layout(Rect(column: 8, row: 0, columns: 12, rows: 10))) == [place], "beside the image")
  }

  @Test func aHoleLeavesTheFewestRectangles() {
    let parts = visible(layout(Rect(column: 4, row: 2, columns: 2, rows: 2)))
    #expect(
      parts == [
        Rect(column: 2, row: 1, columns: 6, rows: 1), Rect(column: 2, row: 2, columns: 2, rows: 2),
        Rect(column: 6, row: 2, columns: 2, rows: 2), Rect(column: 2, row: 4, columns: 6, rows: 1),
      ])
    #expect(place.strips(besides: Array(parts)) == [2, 3].map { Rect(column: 4, row: $0, columns: 2, rows: 1) })
  }

  @Test func anImageThatIsCoveredWhollyHasNoParts() {
    let layout = layout(Rect(column: 0, row: 0, columns: 40, rows: 12))
    #expect(layout.visibleParts().isEmpty && !layout.isEmpty)
  }

  @Test func theUpperOfTwoImagesOwnsTheirCommonCells() {
    var layout = layout()
    let upper = Rect(column: 2, row: 3, columns: 6, rows: 4)
    layout.place(10, in: upper)
    #expect(visible(layout) == [Rect(column: 2, row: 1, columns: 6, rows: 2)])
    #expect(layout.visibleParts()[GraphicLayout.Placement(id: 10, rect: upper)] == [upper])
  }

  @Test func anotherFrameBeginsWithoutImages() {
    var layout = layout()
    layout.clear(size: Size(columns: 5, rows: 5))
    #expect(layout.isEmpty && layout.visibleParts().isEmpty)
    layout.clear(size: Size(columns: 20, rows: 10))
    layout.place(9, in: place)
    #expect(visible(layout) == [place])
  }
}
