import Finding
import ViewModels

/// The state of a search through the photos: where the list returns to when the search ends, and which commands wait for
/// its rows.
///
/// A search runs beside the keys. A command about the rows, such as Enter, is meant for the rows that were searched for:
/// ``holds(_:isArranging:)`` keeps it, and all commands after it, until ``takeWaitingCommands()`` gives them back.
struct PhotoSearch {
  /// The row that the list highlights when its rows have changed.
  enum Highlight {
    case unchanged
    case bestMatch
    /// The row that was highlighted before the search.
    case origin(any RowViewModel)
  }

  private var origin: (any RowViewModel)?
  /// The query of the rows that are shown.
  private var query: PhotoQuery?
  private var waiting: [Command] = []

  /// The commands that do not depend on which rows are shown.
  private static let independentOfRows: Set<Command> = [
    .search, .close, .stopLoading, .switchWindow, .sort, .contactSheet, .zoomIn, .zoomOut, .toggleRows, .showProblems,
    .reload, .savedSearches, .saveSearch,
  ]

  /// Begins a search at the highlighted row.
  mutating func begin(at row: (any RowViewModel)?) { origin = row }

  /// Forgets the row to return to, since the user has moved on to one of the results.
  mutating func stayAtResult() { origin = nil }

  /// Takes note of new rows, and returns what the list highlights.
  /// - Parameters:
  ///   - query: The query of the rows; nil if they are all photos.
  ///   - keepsWholeList: Whether photos that do not match stay in the list.
  mutating func rowsDidChange(query: PhotoQuery?, keepsWholeList: Bool) -> Highlight {
    guard query != self.query else { return .unchanged }
    self.query = query
    if query != nil { return .bestMatch }
    // In the whole list, the user has searched for a place to stay at.
    return keepsWholeList ? .unchanged : origin.map { .origin($0) } ?? .unchanged
  }

  /// Keeps a command that has to wait for the rows.
  /// - Parameter isArranging: Whether the rows are still searched or sorted.
  /// - Returns: Whether the command waits.
  mutating func holds(_ command: Command, isArranging: Bool) -> Bool {
    guard isArranging, !waiting.isEmpty || !Self.independentOfRows.contains(command) else { return false }
    waiting.append(command)
    return true
  }

  /// Returns the commands that wait, in the order in which they were given, and forgets them.
  mutating func takeWaitingCommands() -> [Command] {
    defer { waiting = [] }
    return waiting
  }
}
