import ImageWire

/// The cells of large images, which are left to later frames as soon as a frame is full. So no key waits for a whole image on
/// a slow line.
struct ImageRest {
  /// The first row that the last frame left to the next one, or nil if it was complete.
  var start: Int?
  private var size = Size(columns: 0, rows: 0)
  private var mostBytes: Int?
  /// Whether each cell belongs to a large image; empty if the frame has none.
  private var cells: [Bool] = []

  /// Begins a frame without images.
  /// - Parameter mostBytes: The number of bytes with which a frame is full; nil if it never is.
  mutating func beginFrame(size: Size, mostBytes: Int?) {
    self.size = size
    self.mostBytes = mostBytes
    cells.removeAll(keepingCapacity: true)
  }

  /// Whether the frame shows large images that need not be complete.
  var isWanted: Bool { !cells.isEmpty }

  /// Returns whether a frame of `count` bytes is full.
  func isFull(_ count: Int) -> Bool { mostBytes.map { count >= $0 } ?? false }

  /// All rows, from the first that was left: so every row gets its turn, even in an animation.
  var rowsInOrder: [Int] {
    let start = min(start ?? 0, size.rows)
    return Array(start..<size.rows) + Array(0..<start)
  }

  /// Returns the columns of a row that belong to large images.
  func columns(inRow row: Int) -> [Int] { (0..<size.columns).filter { cells[row * size.columns + $0] } }

  /// Adds the cells of a large image.
  mutating func spread(_ rect: Rect) {
    guard mostBytes != nil, !rect.isEmpty else { return }
    if cells.isEmpty { cells = Array(repeating: false, count: size.columns * size.rows) }
    for row in rect.row..<rect.endRow {
      for column in rect.column..<rect.endColumn { cells[row * size.columns + column] = true }
    }
  }

  /// Removes cells over which something else was written.
  mutating func cover(column: Int, row: Int, columns: Int) {
    guard isWanted, (0..<size.rows).contains(row) else { return }
    for column in max(0, column)..<max(0, min(size.columns, column + columns)) {
      cells[row * size.columns + column] = false
    }
  }
}
