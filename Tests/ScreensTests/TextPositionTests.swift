import TestLimit
import Testing

@testable import Screens

@Suite(.limited) struct TextPositionTests {
  private func position(_ count: Int, capacity: Int) -> TextPosition {
    var position = TextPosition()
    position.setExtent(count: count, capacity: capacity)
    return position
  }

  @Test func aTextScrollsByLinesAndPagesButNotPastItsEnd() {
    var position = position(40, capacity: 10)
    let moves: [Move] = [
      .rows(-1), .rows(1), .pages(1), .halfPages(1), .halfPages(-1), .toLast, .rows(1), .pages(-1), .toFirst,
    ]
    let tops = moves.map { move in
      position.scroll(move)
      return position.top
    }
    #expect(tops == [0, 1, 11, 16, 11, 30, 30, 20, 0])
  }

  @Test func aTextThatFitsDoesNotScroll() {
    var position = position(10, capacity: 10)
    #expect(!position.isScrollable)
    position.scroll(.toLast)
    #expect(position.top == 0)
  }

  @Test func aLargerWindowLeavesNoBlankLines() {
    var position = position(40, capacity: 10)
    position.scroll(.toLast)
    position.setExtent(count: 40, capacity: 25)
    #expect(position.top == 15)
  }
}
