import TestLimit
import Testing

@testable import Screens

@Suite(.limited) struct ListPositionTests {
  private func position(_ count: Int, capacity: Int, at row: Int = 0) -> ListPosition {
    var position = ListPosition()
    position.setCount(count)
    position.setRoom(capacity, layout: .uniform(1))
    position.highlight(row)
    return position
  }

  @Test(arguments: 1...12, [1, 2, 3, 5, 8, 20])
  func theHighlightedRowStaysInViewWithItsMargin(count: Int, capacity: Int) {
    var position = position(count, capacity: capacity)
    for step in (Array(repeating: 1, count: 14) + Array(repeating: -1, count: 14)) {
      position.move(.rows(step))
      #expect(position.visible.contains(position.highlighted))
      let margin = min(ListPosition.margin, (capacity - 1) / 2)
      #expect(position.highlighted - position.top >= min(margin, position.highlighted))
      #expect(position.visible.upperBound - 1 - position.highlighted >= min(margin, count - 1 - position.highlighted))
    }
  }

  @Test func anEmptyListHasNoRowInView() {
    var position = position(0, capacity: 5)
    position.move(.toLast)
    #expect(position.visible.isEmpty)
    #expect(position.highlighted == 0)
  }

  @Test func movesGoByRowsAndPages() {
    var position = position(100, capacity: 10)
    let moves: [Move] = [
      .rows(1), .pages(1), .halfPages(1), .rows(-1), .halfPages(-1), .pages(-1), .toLast, .toFirst,
    ]
    let rows = moves.map { move in
      position.move(move)
      return position.highlighted
    }
    #expect(rows == [1, 11, 16, 15, 10, 0, 99, 0])
  }

  @Test func aShorterListKeepsARowHighlighted() {
    var position = position(100, capacity: 10, at: 90)
    position.setCount(5)
    #expect(position.highlighted == 4)
    #expect(position.visible == 0..<5)
    position.setRoom(2, layout: .uniform(1))
    #expect(position.visible.contains(4))
  }
}

@Suite(.limited) struct ListLayoutTests {
  private static let heights = [4, 3, 1, 3, 8, 1, 1, 3, 4, 2]

  @Test(arguments: [3, 5, 9, 14, 100])
  func theHighlightedRowIsAlwaysInView(room: Int) {
    var position = ListPosition()
    let layout = ListPosition.Layout(height: { Self.heights[$0] })
    position.setCount(Self.heights.count, layout: layout)
    position.setRoom(room, layout: layout)
    for row in Array(0..<10) + (0..<10).reversed() + [9, 0, 5] {
      position.highlight(row)
      #expect(position.visible.contains(row))
      let lines = Self.heights[position.visible].reduce(0, +)
      #expect(lines <= room || position.visible.count == 1)
      // At the end of the list, no room is left that another row would fit in.
      if position.visible.upperBound == 10, position.top > 0 {
        #expect(lines + Self.heights[position.top - 1] > room)
      }
    }
  }

  /// Twenty rows of three lines in sections of four, with a blank line above each row.
  private func sectioned(_ room: Int) -> ListPosition {
    let layout = ListPosition.Layout(
      height: { _ in 3 }, air: 1, beginsSection: { $0.isMultiple(of: 4) }, isInSection: { _ in true })
    var position = ListPosition()
    position.setCount(20, layout: layout)
    position.setRoom(room, layout: layout)
    return position
  }

  @Test(arguments: 4...40) func headingsAndBlankLinesFitIntoTheRoom(room: Int) {
    var position = sectioned(room)
    /// The lines that rows take below the heading at the top.
    func lines(of rows: Range<Int>) -> Int {
      rows.count * 4 - 1 + rows.dropFirst().count { $0.isMultiple(of: 4) }
    }
    for row in Array(0..<20) + (0..<20).reversed() {
      position.highlight(row)
      let visible = position.visible
      #expect(visible.contains(row))
      #expect(1 + lines(of: visible) <= room || visible.count == 1)
      if visible.upperBound < 20 { #expect(1 + lines(of: visible.lowerBound..<visible.upperBound + 1) > room) }
    }
  }

  @Test func pagesGoBySectionsInView() {
    var position = sectioned(20)
    #expect(position.visible == 0..<4)
    position.move(.toLast)
    #expect(position.visible == 16..<20)
    position.move(.pages(-1))
    #expect(position.highlighted == 15)
  }
}
