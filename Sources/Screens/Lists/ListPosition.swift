/// The highlighted row of a list, and the rows in view. It knows numbers only.
struct ListPosition {
  /// The lines of the screen that rows take.
  struct Layout {
    /// Returns the height of a row in lines.
    var height: (Int) -> Int = { _ in 1 }
    /// The number of blank lines above a row of several lines. The first row in view has none.
    var air = 0
    /// Returns whether a row begins a section, so that the section's heading takes a line above it.
    var beginsSection: (Int) -> Bool = { _ in false }
    /// Returns whether a row belongs to a section. Above the first row in view, the section's heading takes a line, whether
    /// the row begins the section or not.
    var isInSection: (Int) -> Bool = { _ in false }

    /// Rows of the same height, without sections.
    static func uniform(_ height: Int) -> Layout { Layout(height: { _ in height }) }

    /// Returns the number of lines that a row takes as the first one in view.
    func linesAtTop(of row: Int) -> Int { height(row) + (isInSection(row) ? 1 : 0) }

    /// Returns the number of blank lines between the rows `row - 1` and `row`.
    func air(above row: Int) -> Int { height(row) > 1 ? air : 0 }

    /// Returns the number of lines from the end of the row `row - 1` to the end of `row`.
    func linesBelowAnother(of row: Int) -> Int { air(above: row) + (beginsSection(row) ? 1 : 0) + height(row) }
  }

  /// The number of rows.
  private(set) var count = 0
  private(set) var highlighted = 0
  /// The first row in view.
  private(set) var top = 0
  private(set) var layout = Layout()
  /// The number of lines for rows.
  private var room = 1

  /// The number of rows that stay in view above and below the highlighted one, if the list has them.
  static let margin = 2

  /// The rows that are completely in view, or the first of them alone if it is higher than the room.
  var visible: Range<Int> { top..<end(startingAt: top) }

  /// The number of rows of a page around the highlighted row.
  var capacity: Int { max(1, visible.count) }

  /// Sets the number of rows, whose lines are those of `layout`.
  mutating func setCount(_ count: Int, layout: Layout = Layout()) {
    self.count = max(0, count)
    self.layout = layout
    highlight(highlighted)
  }

  /// Sets the number of lines for the rows and their headings.
  mutating func setRoom(_ lines: Int, layout: Layout) {
    self.layout = layout
    room = lines
    highlight(highlighted)
  }

  /// Highlights a row, or the nearest one that exists, and scrolls it into view with its margin.
  mutating func highlight(_ row: Int) {
    highlighted = min(max(0, row), max(0, count - 1))
    guard count > 0 else {
      top = 0
      return
    }
    let margin = margin
    top = min(top, highlighted - margin)
    top = max(top, first(endingAt: min(count - 1, highlighted + margin)))
    top = max(0, min(top, highlighted, first(endingAt: count - 1)))
  }

  mutating func move(_ move: Move) {
    switch move {
    case .rows(let rows): highlight(highlighted + rows)
    case .halfPages(let halves): highlight(highlighted + halves * max(1, capacity / 2))
    case .pages(let pages): highlight(highlighted + pages * capacity)
    case .toFirst: highlight(0)
    case .toLast: highlight(count - 1)
    }
  }

  /// The largest number of rows, up to the one for a large room, that fit both above and below the highlighted one.
  private var margin: Int {
    (1...Self.margin).last { margin in
      end(startingAt: max(0, highlighted - margin)) > min(count - 1, highlighted + margin)
    } ?? 0
  }

  /// Returns the end of the rows that fit if `first` is the first one. At least one row counts as fitting.
  private func end(startingAt first: Int) -> Int {
    guard first < count else { return count }
    var (end, lines) = (first + 1, layout.linesAtTop(of: first))
    while end < count {
      lines += layout.linesBelowAnother(of: end)
      if lines > room { break }
      end += 1
    }
    return end
  }

  /// Returns the first of the rows that fit if `last` is the last one.
  private func first(endingAt last: Int) -> Int {
    // The lines of the rows below the first one, with the headings between them.
    var (first, below) = (last, 0)
    while first > 0 {
      below += layout.linesBelowAnother(of: first)
      if layout.linesAtTop(of: first - 1) + below > room { break }
      first -= 1
    }
    return first
  }
}
