/// Which row of a list is highlighted and which are in view. Knows numbers only.
struct ListPosition: Equatable {
  /// How many lines of the screen the rows take.
  enum Heights: Equatable {
    case uniform(Int)
    /// One for each row.
    case mixed([Int])
  }

  /// The number of rows.
  private(set) var count = 0
  private(set) var highlighted = 0
  /// The first row in view.
  private(set) var top = 0
  private var heights = Heights.uniform(1)
  /// How many lines there are for rows.
  private var room = 1

  /// How many rows stay in view above and below the highlighted one, where there are so many.
  static let margin = 2

  /// The rows of which all is in view; one at least, whatever its height.
  var visible: Range<Int> { top..<end(startingAt: top) }

  /// How many rows a page has where the highlighted one is.
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

  mutating func move(by rows: Int) {
    highlight(highlighted + rows)
  }

  func height(of row: Int) -> Int {
    switch heights {
    case .uniform(let height): height
    case .mixed(let heights): heights.indices.contains(row) ? heights[row] : 1
    }
  }

  private var margin: Int {
    if case .uniform = heights { return min(Self.margin, (capacity - 1) / 2) }
    // As many as fit above it, or below where it is one of the first.
    return min(
      Self.margin, max(highlighted - first(endingAt: highlighted), end(startingAt: highlighted) - highlighted) / 2)
  }

  /// The row behind the last that there is room for if `first` is the first; one at least.
  private func end(startingAt first: Int) -> Int {
    if case .uniform(let height) = heights { return min(count, first + max(1, room / height)) }
    var (end, lines) = (first, 0)
    while end < count, end == first || lines + height(of: end) <= room {
      lines += height(of: end)
      end += 1
    }
    return end
  }

  /// The row to start with so that as much as there is room for ends with `last`.
  private func first(endingAt last: Int) -> Int {
    if case .uniform(let height) = heights { return max(0, last + 1 - max(1, room / height)) }
    var (first, lines) = (last, height(of: last))
    while first > 0, lines + height(of: first - 1) <= room {
      first -= 1
      lines += height(of: first)
    }
    return first
  }

  /// Moves as the command says.
  /// - Returns: Whether it is a command of moving.
  mutating func move(_ command: Command) -> Bool {
    switch command {
    case .moveUp: move(by: -1)
    case .moveDown: move(by: 1)
    case .halfPageUp: move(by: -max(1, capacity / 2))
    case .halfPageDown: move(by: max(1, capacity / 2))
    case .pageUp: move(by: -capacity)
    case .pageDown: move(by: capacity)
    case .moveToFirst: highlight(0)
    case .moveToLast: highlight(count - 1)
    default: return false
    }
    return true
  }
}

/// Which lines of a text are in view. Knows numbers only.
struct TextPosition: Equatable {
  /// The first line in view.
  private(set) var top = 0
  private var count = 0
  private var capacity = 1

  var isScrollable: Bool { count > capacity }

  mutating func setExtent(count: Int, capacity: Int) {
    self.count = count
    self.capacity = max(1, capacity)
    scroll(by: 0)
  }

  mutating func scroll(by lines: Int) {
    top = min(max(0, top + lines), max(0, count - capacity))
  }

  mutating func scroll(_ command: Command) {
    switch command {
    case .moveUp: scroll(by: -1)
    case .moveDown: scroll(by: 1)
    case .halfPageUp: scroll(by: -max(1, capacity / 2))
    case .halfPageDown: scroll(by: max(1, capacity / 2))
    case .pageUp: scroll(by: -capacity)
    case .pageDown: scroll(by: capacity)
    case .moveToFirst: top = 0
    case .moveToLast: scroll(by: count)
    default: break
    }
  }
}
