import Photos
import Terminal
import TestLimit
import Testing
import ViewModels

@testable import Screens

@Suite(.limited) struct SheetGridTests {
  private static let window = Rect(column: 1, row: 2, columns: 76, rows: 20)

  /// Photos without sections, or in sections of a length.
  private func photos(_ count: Int, sections length: Int? = nil) -> SheetGrid.Photos {
    SheetGrid.Photos(
      count: count,
      section: { photo in
        guard let length else { return 0..<RowIndex(count) }
        let start = photo - photo.value % length
        return start..<min(RowIndex(count), start + length)
      }, hasSections: length != nil)
  }

  private func grid(
    _ count: Int, sections length: Int? = nil, highlighted: RowIndex = 0, in window: Rect = window
  ) -> SheetGrid {
    var grid = SheetGrid()
    grid.setBounds(window)
    grid.layOut(photos(count, sections: length), highlighted: highlighted)
    return grid
  }

  /// Where no images are shown, a place has a line for the name, and its frame.
  @Test func placesWithoutImagesHaveOneLine() {
    var grid = SheetGrid()
    grid.setBounds(Self.window, hasImages: false)
    grid.layOut(photos(100), highlighted: 0)
    #expect(grid.rows.map(\.line) == Array(stride(from: 2, through: 18, by: 2)))
    #expect(grid.visible.allSatisfy { grid.rect(of: $0).rows == 3 })
  }

  @Test(
    arguments: [1, 3, 4, 17, 100],
    [Size(columns: 18, rows: 5), Size(columns: 76, rows: 20), Size(columns: 160, rows: 50)])
  func placesInViewLieInTheWindowSideBySide(count: Int, size: Size) {
    let window = Rect(column: 1, row: 2, columns: size.columns, rows: size.rows)
    for length in [nil, 1, 3, 7] {
      let grid = grid(count, sections: length, in: window)
      var taken = grid.headings.map { Rect(column: window.column, row: $0.line, columns: window.columns, rows: 1) }
      for photo in grid.visible {
        let place = grid.rect(of: photo)
        #expect(place == place.intersection(window))
        // Only a line of their frames is shared by places above each other.
        let inside = place.inset(rows: 1)
        #expect(taken.allSatisfy { $0.intersection(inside).isEmpty })
        taken.append(inside)
      }
    }
  }

  @Test func theGridIsInTheMiddle() {
    let grid = grid(100)
    let (left, right) = (grid.rect(of: 0).column, grid.rect(of: RowIndex(grid.columns - 1)).endColumn)
    #expect(abs((left - Self.window.column) - (Self.window.endColumn - right)) <= 1)
  }

  /// Ten photos in sections of six, in rows of four: 0–3, 4–5, 6–9.
  @Test(arguments: [
    (Move.rows(1), 3, 5), (.rows(1), 4, 6), (.rows(1), 5, 7), (.rows(-1), 9, 5), (.rows(-1), 6, 4), (.rows(-1), 5, 1),
  ])
  func eachSectionBeginsARow(move: Move, from photo: Int, to target: Int) {
    #expect(grid(10, sections: 6).photo(after: move, from: RowIndex(photo)) == RowIndex(target))
  }

  @Test func theFirstHeadingInViewIsThatOfTheFirstPhoto() {
    let grid = grid(100, sections: 30, highlighted: 20)
    #expect(grid.headings.first?.photo == grid.visible.lowerBound)
    #expect(grid.headings.first?.line == Self.window.row)
    #expect(grid.rect(of: grid.visible.lowerBound).row == Self.window.row + 1)
  }

  @Test func aClickAnywhereInAPlaceIsOnItsPhoto() {
    let grid = grid(50, highlighted: 49)
    for photo in grid.visible {
      let place = grid.rect(of: photo)
      #expect(grid.photo(atColumn: place.column + 1, row: place.row + 1) == photo)
      #expect(grid.photo(atColumn: place.endColumn - 2, row: place.endRow - 2) == photo)
    }
    // The last row has two photos. Above the window there is none.
    let last = grid.rect(of: 49)
    #expect(grid.photo(atColumn: last.endColumn, row: last.row + 1) == nil)
    #expect(grid.photo(atColumn: last.column, row: 0) == nil)
  }

  @Test(arguments: [nil, 1, 3, 7, 30]) func theHighlightedPhotoIsInView(sections length: Int?) {
    var moved = grid(100, sections: length)
    for highlighted: RowIndex in [0, 1, 30, 98, 99, 60, 59, 2] {
      #expect(grid(100, sections: length, highlighted: highlighted).visible.contains(highlighted))
      moved.setBounds(Self.window)
      moved.layOut(photos(100, sections: length), highlighted: highlighted)
      #expect(moved.visible.contains(highlighted))
    }
  }

  /// The end of the sheet comes nearer when photos are gone.
  @Test func noRoomStaysEmptyAtTheEnd() {
    var shorter = grid(1000, highlighted: 999)
    shorter.layOut(photos(50), highlighted: 49)
    #expect(shorter.visible == grid(50, highlighted: 49).visible)
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
    #expect(grid(10).photo(after: move, from: RowIndex(photo)) == RowIndex(target))
  }

  @Test func pagesKeepTheColumn() {
    let grid = grid(1000, highlighted: 500)
    for move in [Move.pages(1), .pages(-1), .halfPages(1), .halfPages(-1)] {
      let target = grid.photo(after: move, from: 501)
      #expect(target.value % grid.columns == 501 % grid.columns)
      #expect(target != 501)
    }
  }

  @Test func largerPlacesAreFewer() {
    var grid = grid(100)
    let before = grid.visible.count
    #expect(grid.canResize(by: 1))
    grid.resize(by: 1)
    grid.setBounds(Self.window)
    grid.layOut(photos(100), highlighted: 0)
    #expect(grid.visible.count < before)
    for _ in 0..<10 { grid.resize(by: 1) }
    #expect(!grid.canResize(by: 1))
    for _ in 0..<10 { grid.resize(by: -1) }
    #expect(!grid.canResize(by: -1))
  }

  // MARK: Justified rows

  private static let aspects = [1.5, 0.67, 1.5, 1.78, 1, 1.5, 3]

  private func justified(_ count: Int, highlighted: RowIndex = 0, in window: Rect = window) -> SheetGrid {
    var grid = SheetGrid()
    grid.setBounds(window)
    var photos = photos(count)
    photos.aspect = { Self.aspects[$0.value % Self.aspects.count] }
    grid.layOut(photos, highlighted: highlighted)
    return grid
  }

  @Test(arguments: [0, 3, 50, 199]) func justifiedRowsFillTheWidth(highlighted: RowIndex) {
    let grid = justified(200, highlighted: highlighted)
    #expect(grid.visible.contains(highlighted))
    for row in grid.rows.dropLast() {
      let places = row.photos.indices.map { grid.rect(of: $0) }
      #expect(places[0].column == Self.window.column)
      #expect(abs((places.last?.endColumn ?? 0) - Self.window.endColumn) <= 1)
      for (place, next) in zip(places, places.dropFirst()) { #expect(place.endColumn == next.column) }
    }
  }

  /// Cells are twice as high as wide.
  @Test func justifiedPlacesHaveTheFormOfTheirPhotos() {
    let grid = justified(200)
    for photo in grid.visible {
      let image = grid.rect(of: photo).inset(columns: 1, rows: 1)
      let height = image.rows - 1
      let columns = 2 * Double(height) * Self.aspects[photo.value % Self.aspects.count]
      #expect(abs(Double(image.columns) - columns) <= 2 * Self.aspects[photo.value % Self.aspects.count] + 1)
    }
  }

  /// A wide photo takes as much room as several, so each photo is in exactly one row.
  @Test(arguments: [1, 2, 23, 24, 25, 200]) func eachPhotoIsInOneJustifiedRow(count: Int) {
    let window = Rect(column: 0, row: 0, columns: 76, rows: 2000)
    let rows = justified(count, in: window).rows
    #expect(rows.flatMap { Array($0.photos.indices) } == (0..<count).map { RowIndex($0) })
    for (row, next) in zip(rows, rows.dropFirst()) { #expect(row.line < next.line) }
  }

  @Test func movesInJustifiedRowsLeadToTheNearestPhoto() {
    let grid = justified(200)
    for photo in grid.rows[0].photos.indices {
      let target = grid.photo(after: .rows(1), from: photo)
      #expect(grid.rows[1].photos.contains(target))
      let (place, below) = (grid.rect(of: photo), grid.rect(of: target))
      #expect(place.column < below.endColumn && below.column < place.endColumn)
    }
  }
}
