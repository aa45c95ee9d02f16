/// A move through the rows of a list, or the lines of a text.
enum Move: Equatable {
  /// A number of rows down, or up if the number is negative. The other numbers go in the same direction.
  case rows(Int)
  case halfPages(Int)
  case pages(Int)
  case toFirst
  case toLast

  /// The commands that move, each with its move.
  static let commands: [(command: Command, move: Move)] = [
    (.moveUp, .rows(-1)), (.moveDown, .rows(1)), (.halfPageUp, .halfPages(-1)), (.halfPageDown, .halfPages(1)),
    (.pageUp, .pages(-1)), (.pageDown, .pages(1)), (.moveToFirst, .toFirst), (.moveToLast, .toLast),
  ]
}
