import Terminal
import Testing

@testable import Screens

@Suite struct SheetGridTests {
  private static let window = Rect(column: 1, row: 2, columns: 76, rows: 20)

  private func grid(_ count: Int, highlighted: Int = 0, in window: Rect = window) -> SheetGrid {
    var grid = SheetGrid()
    grid.layOut(count: count, highlighted: highlighted, in: window)
    return grid
  }

  @Test(
    arguments: [1, 3, 4, 17, 100],
    [Size(columns: 18, rows: 5), Size(columns: 76, rows: 20), Size(columns: 160, rows: 50)])
  func placesInViewLieInTheWindowSideBySide(count: Int, size: Size) {
    let window = Rect(column: 1, row: 2, columns: size.columns, rows: size.rows)
    let grid = grid(count, in: window)
    var taken: [Rect] = []
    for photo in grid.visible {
      let place = grid.rect(of: photo)
      #expect(place == place.intersection(window))
      #expect(taken.allSatisfy { $0.intersection(place).isEmpty })
      taken.append(place)
    }
  }

  @Test func aClickAnywhereInAPlaceIsOnItsPhoto() {
    let grid = grid(50, highlighted: 49)
    for photo in grid.visible {
      let place = grid.rect(of: photo)
      #expect(grid.photo(atColumn: place.column, row: place.row) == photo)
      #expect(grid.photo(atColumn: place.endColumn - 1, row: place.endRow - 1) == photo)
    }
    // The last row has 2 photos; the header is no photo.
    let last = grid.rect(of: 49)
    #expect(grid.photo(atColumn: last.endColumn, row: last.row) == nil)
    #expect(grid.photo(atColumn: last.column, row: 0) == nil)
  }

  @Test func theHighlightedPhotoIsInView() {
    for highlighted in [0, 1, 30, 98, 99] {
      #expect(grid(100, highlighted: highlighted).visible.contains(highlighted))
    }
  }

  @Test func thePhotosBelowTheWindowAreNext() {
    let grid = grid(100)
    #expect(grid.columns == 4)
    #expect(grid.next == grid.visible.upperBound..<grid.visible.upperBound + 4)
    #expect(self.grid(100, highlighted: 99).next.isEmpty)
  }

  /// Ten photos in rows of four: 0–3, 4–7, 8–9.
  @Test(arguments: [
    (Move.rows(1), 0, 4), (.rows(1), 5, 9), (.rows(1), 7, 9), (.rows(1), 8, 8), (.rows(-1), 2, 2), (.rows(-1), 9, 5),
    (.toFirst, 7, 0), (.toLast, 0, 9), (.pages(2), 3, 9), (.pages(-2), 9, 0),
  ])
  func movesLeadToTheNearestPhoto(move: Move, from photo: Int, to target: Int) {
    #expect(grid(10).photo(after: move, from: photo, count: 10) == target)
  }

  @Test func pagesKeepTheColumn() {
    let grid = grid(1000, highlighted: 500)
    for move in [Move.pages(1), .pages(-1), .halfPages(1), .halfPages(-1)] {
      let target = grid.photo(after: move, from: 501, count: 1000)
      #expect(target % grid.columns == 501 % grid.columns)
      #expect(target != 501)
    }
  }

  @Test func largerPlacesAreFewer() {
    var grid = grid(100)
    let before = grid.visible.count
    #expect(grid.canResize(by: 1))
    grid.resize(by: 1)
    grid.layOut(count: 100, highlighted: 0, in: Self.window)
    #expect(grid.visible.count < before)
    for _ in 0..<10 { grid.resize(by: 1) }
    #expect(!grid.canResize(by: 1))
    for _ in 0..<10 { grid.resize(by: -1) }
    #expect(!grid.canResize(by: -1))
  }
}
