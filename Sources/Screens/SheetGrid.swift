import Terminal

/// The geometry of a contact sheet: its places for photos, the rows in view, and where a move leads.
struct SheetGrid: Equatable {
  /// The number of places side by side.
  private(set) var columns = 1
  /// The rows of places.
  private(set) var rows = ListPosition()
  private var count = 0
  /// An index into ``widths``.
  private var step = 2
  private var bounds = Rect(column: 0, row: 0, columns: 0, rows: 0)

  /// The least widths of a place, in cells. The height follows from the width.
  private static let widths = [10, 14, 18, 24, 32, 44, 60]

  /// The size of a place in cells: a photo of about 4 to 3, a line for its name, and a blank line and column.
  var place: Size {
    let width = bounds.columns / columns
    // Cells are twice as high as wide. The rows then share the whole height.
    let natural = max(3, width * 3 / 8 + 2)
    let rows = max(1, (bounds.rows + natural / 2) / natural)
    return Size(columns: width, rows: max(3, bounds.rows / rows))
  }

  func canResize(by step: Int) -> Bool { Self.widths.indices.contains(self.step + step) }

  /// Makes the places larger or smaller. They change with the next layout.
  mutating func resize(by step: Int) {
    if canResize(by: step) { self.step += step }
  }

  /// Lays the places out for `count` photos, and scrolls to the highlighted one.
  mutating func layOut(count: Int, highlighted: Int, in bounds: Rect) {
    self.count = count
    self.bounds = bounds
    columns = max(1, bounds.columns / Self.widths[step])
    rows.setCount((count + columns - 1) / columns)
    rows.setRoom(bounds.rows, heights: .uniform(place.rows))
    rows.highlight(highlighted / columns)
  }

  /// The photos in view.
  var visible: Range<Int> {
    let first = rows.visible.lowerBound * columns
    return first..<max(first, min(count, rows.visible.upperBound * columns))
  }

  /// The photos of the row below the ones in view.
  var next: Range<Int> { visible.upperBound..<min(count, visible.upperBound + columns) }

  /// Returns a photo's place on the screen.
  func rect(of photo: Int) -> Rect {
    Rect(
      column: bounds.column + photo % columns * place.columns,
      row: bounds.row + (photo / columns - rows.top) * place.rows, columns: place.columns, rows: place.rows)
  }

  /// Returns the photo at a cell of the screen, or nil if there is none.
  func photo(atColumn column: Int, row: Int) -> Int? {
    guard bounds.contains(column: column, row: row) else { return nil }
    let (across, down) = ((column - bounds.column) / place.columns, (row - bounds.row) / place.rows)
    let index = (rows.top + down) * columns + across
    return across < columns && down < rows.capacity && index < count ? index : nil
  }

  /// Returns the photo that a move from `photo` leads to. A move up from the first row leads nowhere.
  func photo(after move: Move, from photo: Int, count: Int) -> Int {
    let page = columns * max(1, rows.capacity)
    let target: Int =
      switch move {
      case .rows(-1): photo < columns ? photo : photo - columns
      // In the row before the last there may be no photo right below: then the move leads to the last photo.
      case .rows(1): photo / columns < (count - 1) / columns ? photo + columns : photo
      case .rows(let rows): photo + rows * columns
      case .halfPages(let halves): photo + halves * (page / 2 / columns * columns)
      case .pages(let pages): photo + pages * page
      case .toFirst: 0
      case .toLast: count - 1
      }
    return min(max(0, target), max(0, count - 1))
  }
}
