import Terminal

/// The places of a few photos below a heading: side by side, as large as the room allows, with a line for the name of each.
struct TileGrid {
  /// The line of the heading.
  let heading: Rect
  /// The place of all photos in view.
  let bounds: Rect
  /// The number of photos side by side.
  let columns: Int
  /// The number of rows of photos, and of those in view.
  let rowCount, visibleRows: Int
  private let imageSize: Size

  /// The least size of an image. Cells are about twice as high as wide, so that images are about 4 to 3.
  private static let smallest = Size(columns: 11, rows: 4)
  /// The blank columns between two photos.
  private static let gap = 2
  /// The lines from an image to the one below: its name, and a blank line.
  private static let linesBelowImage = 2

  /// Creates the grid in which all photos are in view and largest. If that is not possible, some are out of view.
  /// Returns nil if there are no photos, or no room for one.
  init?(count: Int, in room: Rect) {
    let (heading, bounds) = room.split(rows: 1)
    guard count > 0, bounds.columns >= Self.smallest.columns, bounds.rows > Self.smallest.rows else { return nil }
    func rowCount(_ columns: Int) -> Int { (count + columns - 1) / columns }
    func width(_ columns: Int) -> Int { (bounds.columns + Self.gap) / columns - Self.gap }
    func height(_ columns: Int) -> Int {
      min(width(columns) * 3 / 8, (bounds.rows + 1) / rowCount(columns) - Self.linesBelowImage)
    }
    let most = min(count, (bounds.columns + Self.gap) / (Self.smallest.columns + Self.gap))
    // Of two equal heights, the one with more photos side by side takes fewer lines.
    let columns = (1...most).reversed().max { height($0) < height($1) } ?? most
    let fits = height(columns) >= Self.smallest.rows
    self.columns = fits ? columns : most
    self.heading = heading
    self.bounds = bounds
    let rows = fits ? height(columns) : Self.smallest.rows
    imageSize = Size(columns: min(width(self.columns), rows * 8 / 3), rows: rows)
    self.rowCount = rowCount(self.columns)
    visibleRows = min(self.rowCount, (bounds.rows + 1) / (rows + Self.linesBelowImage))
  }

  /// The number of photos in view.
  var capacity: Int { columns * visibleRows }

  /// The number of lines that the heading and the photos in view take.
  var lines: Int { visibleRows * (imageSize.rows + Self.linesBelowImage) }

  /// Returns the place of the image of a photo in view.
  func image(at index: Int) -> Rect {
    Rect(
      column: bounds.column + index % columns * (imageSize.columns + Self.gap),
      row: bounds.row + index / columns * (imageSize.rows + Self.linesBelowImage), columns: imageSize.columns,
      rows: imageSize.rows)
  }

  /// Returns the line for the name of a photo in view.
  func name(at index: Int) -> Rect {
    let image = image(at: index)
    return Rect(column: image.column, row: image.endRow, columns: image.columns, rows: 1)
  }
}
