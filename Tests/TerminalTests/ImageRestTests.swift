import ImageWire
import TestLimit
import Testing

@testable import Terminal

/// The rows of large images that a frame leaves to the next one.
@Suite(.limited) struct ImageRestTests {
  private static let size = Size(columns: 10, rows: 6)

  @Test func onlyTheImageMayBeLeft() {
    var rest = ImageRest()
    rest.beginFrame(size: Self.size, mostBytes: 100)
    #expect(!rest.isWanted)
    rest.spread(Rect(column: 2, row: 1, columns: 6, rows: 4))
    // A popup over the image.
    rest.cover(column: 1, row: 2, columns: 3)
    rest.cover(column: 7, row: 3, columns: 30)
    #expect(rest.isWanted)
    #expect(rest.columns(inRow: 0) == [])
    #expect(rest.columns(inRow: 1) == [2, 3, 4, 5, 6, 7])
    #expect(rest.columns(inRow: 2) == [4, 5, 6, 7])
    #expect(rest.columns(inRow: 3) == [2, 3, 4, 5, 6])
    rest.beginFrame(size: Self.size, mostBytes: 100)
    #expect(!rest.isWanted)
  }

  @Test func nothingIsLeftOnAFastLine() {
    var rest = ImageRest()
    rest.beginFrame(size: Self.size, mostBytes: nil)
    rest.spread(Rect(Self.size))
    #expect(!rest.isWanted && !rest.isFull(1_000_000))
  }

  @Test func everyRowGetsItsTurn() {
    var rest = ImageRest()
    rest.beginFrame(size: Self.size, mostBytes: 100)
    #expect(rest.rowsInOrder == [0, 1, 2, 3, 4, 5])
    #expect(!rest.isFull(99) && rest.isFull(100))
    rest.start = 4
    rest.beginFrame(size: Self.size, mostBytes: 100)
    #expect(rest.rowsInOrder == [4, 5, 0, 1, 2, 3])
    // The window has become smaller.
    rest.beginFrame(size: Size(columns: 10, rows: 3), mostBytes: 100)
    #expect(rest.rowsInOrder == [0, 1, 2])
  }
}
