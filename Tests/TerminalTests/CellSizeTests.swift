import TestLimit
import Testing

@testable import Terminal

@Suite(.limited) struct CellSizeTests {
  /// Terminals that don't know the size in pixels report numbers that no font has.
  @Test(arguments: [
    (10, 20, true), (2, 4, true), (1, 4, false), (2, 3, false), (256, 512, true), (257, 512, false), (256, 513, false),
    (10, 8, true), (10, 7, false), (10, 40, true), (10, 41, false), (0, 0, false), (100, 512, false),
  ])
  func aCellHasTheSizeOfALetter(width: Int, height: Int, isPlausible: Bool) {
    #expect(CellSize(width: width, height: height).isPlausible == isPlausible)
  }
}
