/// Which row of a list is highlighted and which are in view. Knows numbers only.
struct ListPosition: Equatable {
  /// The number of rows.
  private(set) var count = 0
  private(set) var highlighted = 0
  /// The first row in view.
  private(set) var top = 0
  /// How many rows are in view at once.
  private(set) var capacity = 1

  /// How many rows stay in view above and below the highlighted one, where there are so many.
  static let margin = 2

  var visible: Range<Int> { top..<min(count, top + capacity) }

  mutating func setCount(_ count: Int) {
    self.count = max(0, count)
    highlight(highlighted)
  }

  mutating func setCapacity(_ capacity: Int) {
    guard self.capacity != max(1, capacity) else { return }
    self.capacity = max(1, capacity)
    highlight(highlighted)
  }

  mutating func highlight(_ row: Int) {
    highlighted = min(max(0, row), max(0, count - 1))
    let margin = min(Self.margin, (capacity - 1) / 2)
    top = min(top, highlighted - margin)
    top = max(top, highlighted + margin - capacity + 1)
    top = min(max(0, top), max(0, count - capacity))
  }

  mutating func move(by rows: Int) {
    highlight(highlighted + rows)
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
