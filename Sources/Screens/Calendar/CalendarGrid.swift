import Terminal

/// The geometry of the calendar: a grid of cells below the names of its columns, and beside it the place of an image where the
/// cells have no room for theirs.
struct CalendarGrid: Equatable {
  /// The place of the grid.
  let bounds: Rect
  /// The place of the image beside the grid; empty if the cells have images, or if there is no room for one.
  let side: Rect
  /// The number of cells side by side.
  let columns: Int
  /// Whether each cell has room for a frame, and an image in it below its caption.
  let hasImages: Bool
  /// The distance from one cell to the next. The frames of two cells have a line in common.
  private let pitch: Size
  /// The rows in view.
  private let rows: Range<Int>

  /// The least width of a cell with an image, and the lines of its frame and its caption.
  private static let (imageColumns, linesBesideImage) = (10, 3)
  /// The heights of a cell without an image, in lines.
  private static let textLines = 1...3
  /// The least width of a grid with an image beside it, and the least width of that image.
  private static let (widthBesideImage, sideColumns) = (42, 24)
  /// The fewest rows for which there is room, so that a short month does not change the size of the cells.
  private static let fewestRows = 3

  /// - Parameters:
  ///   - chosen: The index of a cell that is in view.
  ///   - isScrolled: Whether only as many rows are in view as have room for images.
  ///   - imageLines: The least height of an image that shows something; nil if no images are shown.
  init(cells: Int, columns: Int, chosen: Int, isScrolled: Bool, in room: Rect, imageLines: Int?) {
    self.columns = columns
    let all = max(1, (cells + columns - 1) / columns)
    let lines = (imageLines ?? .max / 2) + Self.linesBesideImage
    let wanted = isScrolled ? min(all, max(1, (room.rows - 1) / lines)) : max(Self.fewestRows, all)
    let framed = (room.rows - 1) / wanted
    hasImages = framed >= lines && room.columns / columns >= Self.imageColumns
    let sideColumns = max(Self.sideColumns, room.columns / 3)
    let hasSide = imageLines != nil && !hasImages && room.columns - sideColumns >= Self.widthBesideImage
    let (left, right) = room.split(columns: hasSide ? room.columns - sideColumns : room.columns)
    side = right
    let width = max(1, (left.columns - (hasImages ? 1 : 0)) / columns)
    // Without an image beside it, the grid is in the middle.
    bounds = hasImages ? left.centered(columns: width * columns + 1, rows: left.rows) : left
    let visible: Int
    if hasImages {
      pitch = Size(columns: width, rows: framed)
      visible = wanted
    } else {
      let shown = isScrolled ? all : wanted
      let height = min(max(room.rows / shown, Self.textLines.lowerBound), Self.textLines.upperBound)
      pitch = Size(columns: width, rows: height)
      visible = max(1, min(shown, room.rows / height))
    }
    let row = chosen / columns
    let top = min(max(0, row - visible / 2), max(0, all - visible))
    rows = top..<top + visible
  }

  /// Returns a cell's place on the screen, with its frame; empty if it is not in view.
  func rect(of cell: Int) -> Rect {
    let row = cell / columns
    guard rows.contains(row) else { return Rect(column: bounds.column, row: bounds.row, columns: 0, rows: 0) }
    let frame = hasImages ? 1 : 0
    return Rect(
      column: bounds.column + cell % columns * pitch.columns, row: bounds.row + (row - rows.lowerBound) * pitch.rows,
      columns: pitch.columns + frame, rows: pitch.rows + frame
    ).intersection(bounds)
  }

  /// Returns the place of the name of a column, in a line.
  func heading(ofColumn column: Int, in line: Rect) -> Rect {
    let frame = hasImages ? 1 : 0
    return Rect(
      column: bounds.column + column * pitch.columns + frame, row: line.row, columns: pitch.columns - 1, rows: line.rows
    )
  }

  /// Returns the first of the cells at a place of the screen, or nil if there is none.
  func cell(atColumn column: Int, row: Int, of count: Int) -> Int? {
    (0..<count).first { rect(of: $0).contains(column: column, row: row) }
  }

  /// Whether there are rows above those in view, and below them.
  func hasMore(of count: Int) -> (above: Bool, below: Bool) {
    (rows.lowerBound > 0, rows.upperBound * columns < count)
  }
}
