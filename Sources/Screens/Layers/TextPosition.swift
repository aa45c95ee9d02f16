/// The lines of a text that are in view. It knows numbers only.
struct TextPosition: Equatable {
  /// The first line in view.
  private(set) var top = 0
  private var count = 0
  /// The number of lines that fit.
  private var capacity = 1

  /// Whether lines above the ones in view are out of view.
  var isBelowTop: Bool { top > 0 }
  /// Whether lines below the ones in view are out of view.
  var isAboveEnd: Bool { top + capacity < count }
  /// Whether some lines are out of view.
  var isScrollable: Bool { count > capacity }

  mutating func setExtent(count: Int, capacity: Int) {
    self.count = count
    self.capacity = max(1, capacity)
    scroll(.rows(0))
  }

  mutating func scroll(_ move: Move) {
    switch move {
    case .rows(let lines): scroll(to: top + lines)
    case .halfPages(let halves): scroll(to: top + halves * max(1, capacity / 2))
    case .pages(let pages): scroll(to: top + pages * capacity)
    case .toFirst: scroll(to: 0)
    case .toLast: scroll(to: count)
    }
  }

  private mutating func scroll(to line: Int) {
    top = min(max(0, line), max(0, count - capacity))
  }
}
