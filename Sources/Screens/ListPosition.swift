/// The highlighted row of a list, and the rows in view. It knows numbers only.
struct ListPosition: Equatable {
  /// The heights of the rows, in lines of the screen.
  enum Heights: Equatable {
    case uniform(Int)
    /// One height for each row.
    case mixed([Int])
  }

  /// The number of rows.
  private(set) var count = 0
  private(set) var highlighted = 0
  /// The first row in view.
  private(set) var top = 0
  private var heights = Heights.uniform(1)
  /// The number of lines for rows.
  private var room = 1

  /// The number of rows that stay in view above and below the highlighted one, if the list has them.
  static let margin = 2

  /// The rows that are completely in view, or the first of them alone if it is higher than the room.
  var visible: Range<Int> { top..<end(startingAt: top) }

  /// The number of rows of a page around the highlighted row.
  var capacity: Int {
    if case .uniform(let height) = heights { return max(1, room / height) }
    return max(1, visible.count)
  }

  mutating func setCount(_ count: Int) {
    self.count = max(0, count)
    highlight(highlighted)
  }

  mutating func setRoom(_ lines: Int, heights: Heights) {
    guard room != lines || self.heights != heights else { return }
    (room, self.heights) = (lines, heights)
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

  func height(of row: Int) -> Int {
    switch heights {
    case .uniform(let height): height
    case .mixed(let heights): heights.indices.contains(row) ? heights[row] : 1
    }
  }

  private var margin: Int {
    if case .uniform = heights { return min(Self.margin, (capacity - 1) / 2) }
    // Half of the rows that fit above the highlighted one, or below it if it is one of the first.
    return min(
      Self.margin, max(highlighted - first(endingAt: highlighted), end(startingAt: highlighted) - highlighted) / 2)
  }

  /// Returns the end of the rows that fit if `first` is the first one. At least one row counts as fitting.
  private func end(startingAt first: Int) -> Int {
    if case .uniform(let height) = heights { return min(count, first + max(1, room / height)) }
    var (end, lines) = (first, 0)
    while end < count, end == first || lines + height(of: end) <= room {
      lines += height(of: end)
      end += 1
    }
    return end
  }

  /// Returns the first of the rows that fit if `last` is the last one.
  private func first(endingAt last: Int) -> Int {
    if case .uniform(let height) = heights { return max(0, last + 1 - max(1, room / height)) }
    var (first, lines) = (last, height(of: last))
    while first > 0, lines + height(of: first - 1) <= room {
      first -= 1
      lines += height(of: first)
    }
    return first
  }
}
