import TestLimit
import Testing

@testable import Screens

@Suite(.limited) struct TextColumnsTests {
  /// Returns the columns for blocks of these heights. Each line is its block's number, and 0 is a separator.
  private func columns(_ heights: [Int], most: Int, height: Int = 0) -> [[Int]] {
    let blocks = heights.enumerated().map { Array(repeating: $0 + 1, count: $1) }
    return TextColumns(blocks, separator: [0], most: most, height: height).columns
  }

  @Test func oneColumnHasAllBlocks() {
    #expect(columns([2, 1, 1], most: 1) == [[1, 1, 0, 2, 0, 3]])
    // There is always one.
    #expect(columns([2, 1], most: 0) == [[1, 1, 0, 2]])
    #expect(columns([], most: 2) == [])
  }

  @Test func columnsAreAsLowAsPossible() {
    #expect(columns([2, 1, 3], most: 2) == [[1, 1, 0, 2], [3, 3, 3]])
    #expect(columns([1, 1, 3], most: 3) == [[1, 0, 2], [3, 3, 3]])
  }

  @Test func aBlockIsNotDivided() {
    #expect(columns([5, 1, 1], most: 2) == [[1, 1, 1, 1, 1], [2, 0, 3]])
  }

  @Test func theFirstColumnIsFullBeforeTheSecondBegins() {
    #expect(columns([1, 1, 1], most: 2, height: 3) == [[1, 0, 2], [3]])
    #expect(columns([1, 1, 1], most: 2, height: 5) == [[1, 0, 2, 0, 3]])
    #expect(columns([3, 3, 3], most: 2, height: 3) == [[1, 1, 1, 0, 2, 2, 2], [3, 3, 3]])
  }
}
