import Terminal

/// The places of panes side by side, all of the same size.
struct CompareLayout {
  let panes: [Rect]

  /// The proportions of a photo for which the places are chosen. Most photos have them.
  private static let photo = (width: 3.0, height: 2.0)
  /// The columns between two panes.
  private static let gap = 1
  /// The lines below the image of a pane.
  static let captionRows = 1

  /// Divides a rectangle so that whole photos are as large as possible.
  ///
  /// - Parameter cell: The size of a cell, in any unit.
  init(_ count: Int, in bounds: Rect, cell: (width: Int, height: Int)) {
    let across = count == 4 ? [1, 2, 4] : [1, count]
    let sizes = across.map { (columns: $0, size: Self.size($0, (count + $0 - 1) / $0, in: bounds)) }
    func area(_ size: Size) -> Double {
      let (width, height) = (size.columns * cell.width, (size.rows - Self.captionRows) * cell.height)
      let scale = min(Double(width) / Self.photo.width, Double(height) / Self.photo.height)
      return scale > 0 ? scale : -1
    }
    let best = sizes.max { area($0.size) < area($1.size) } ?? (1, Size(columns: bounds.columns, rows: bounds.rows))
    panes = (0..<count).map { pane in
      Rect(
        column: bounds.column + pane % best.columns * (best.size.columns + Self.gap),
        row: bounds.row + pane / best.columns * best.size.rows, columns: best.size.columns, rows: best.size.rows)
    }
  }

  private static func size(_ columns: Int, _ rows: Int, in bounds: Rect) -> Size {
    Size(columns: (bounds.columns - (columns - 1) * gap) / columns, rows: bounds.rows / rows)
  }
}
