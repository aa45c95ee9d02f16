import Terminal
import TestLimit
import Testing

@testable import Screens

@Suite(.limited) struct TileGridTests {
  private func makeGrid(_ count: Int, columns: Int, rows: Int) -> TileGrid? {
    TileGrid(count: count, in: Rect(column: 5, row: 3, columns: columns, rows: rows))
  }

  @Test func thereIsNoGridWithoutPhotosOrRoom() {
    #expect(makeGrid(0, columns: 60, rows: 20) == nil)
    #expect(makeGrid(1, columns: 10, rows: 20) == nil && makeGrid(1, columns: 60, rows: 5) == nil)
    #expect(makeGrid(1, columns: 11, rows: 6) != nil)
  }

  /// Each size of a room, with a number of photos: none overlap, all are inside, and no name is cut off from its image.
  @Test func thePlacesAreInTheRoomAndApart() throws {
    for columns in [11, 17, 30, 58, 68, 127] {
      for rows in [6, 9, 17, 38] {
        for count in [1, 2, 3, 5, 24] {
          let room = Rect(column: 5, row: 3, columns: columns, rows: rows)
          let grid = try #require(TileGrid(count: count, in: room))
          let places = (0..<min(count, grid.capacity)).flatMap { [grid.image(at: $0), grid.name(at: $0)] }
          #expect(places.count >= 2 && grid.capacity >= min(count, grid.columns))
          for (index, place) in places.enumerated() {
            #expect(place.intersection(grid.bounds) == place, "\\(count) photos in \\(columns)x\\(rows)")
            #expect(places[..<index].allSatisfy { $0.intersection(place).isEmpty })
          }
        }
      }
    }
  }

  /// The columns and the height of the images, for a number of photos in a room.
  @Test(arguments: [
    (3, 68, 18, columns: 3, height: 7), (3, 41, 11, 3, 4), (3, 58, 9, 3, 6), (3, 127, 33, 3, 15), (1, 68, 18, 1, 16),
    (2, 68, 18, 2, 12), (4, 68, 18, 3, 7), (4, 30, 25, 2, 5),
  ])
  func photosAreAsLargeAsTheRoomAllows(count: Int, width: Int, rows: Int, columns: Int, height: Int) throws {
    let grid = try #require(makeGrid(count, columns: width, rows: rows))
    #expect(grid.columns == columns && grid.image(at: 0).rows == height)
    #expect(grid.visibleRows == grid.rowCount && grid.lines <= rows)
  }

  @Test func photosAreOutOfViewBeforeTheyGetTooSmall() throws {
    let grid = try #require(makeGrid(24, columns: 68, rows: 18))
    #expect(grid.columns == 5 && grid.rowCount == 5 && grid.visibleRows == 3 && grid.image(at: 0).rows == 4)
  }
}
