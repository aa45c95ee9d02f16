/// A size in character cells.
public struct Size: Hashable, Sendable {
  /// The width in cells.
  public var columns: Int
  /// The height in cells.
  public var rows: Int

  /// Creates a size in cells.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// A rectangle of character cells. Columns and rows count from 0 at the top left.
public struct Rect: Hashable, Sendable {
  /// The leftmost column.
  public var column: Int
  /// The topmost row.
  public var row: Int
  /// The width in cells.
  public var columns: Int
  /// The height in cells.
  public var rows: Int

  /// Creates a rectangle. Negative sizes become 0.
  public init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  /// Creates the rectangle of this size at the top left.
  public init(_ size: Size) {
    self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
  }

  /// The column after the last one.
  public var endColumn: Int { column + columns }
  /// The row after the last one.
  public var endRow: Int { row + rows }
  /// Whether the rectangle has no cells.
  public var isEmpty: Bool { columns == 0 || rows == 0 }

  /// Returns whether a cell lies in the rectangle.
  public func contains(column: Int, row: Int) -> Bool {
    (self.column..<endColumn).contains(column) && (self.row..<endRow).contains(row)
  }

  /// Returns the cells that both rectangles have.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(column, other.column)
    let top = max(row, other.row)
    return Rect(
      column: left, row: top,
      columns: min(endColumn, other.endColumn) - left, rows: min(endRow, other.endRow) - top)
  }

  /// Returns the rectangle without this many columns and rows at each side.
  public func inset(columns: Int = 0, rows: Int = 0) -> Rect {
    Rect(
      column: column + columns, row: row + rows,
      columns: self.columns - 2 * columns, rows: self.rows - 2 * rows)
  }

  /// The columns at the sides of a rectangle that are too few for anything else.
  private static let fewestColumns = 10

  /// Returns a rectangle of this size, or as much of it as fits, in the middle of this one.
  ///
  /// - Parameter spreads: Whether it takes all columns if few would be left at its sides, where cut words would be in the way.
  public func centered(columns: Int, rows: Int, spreads: Bool = false) -> Rect {
    let isNearlyAll = spreads && self.columns - columns < Self.fewestColumns
    let columns = isNearlyAll ? self.columns : min(columns, self.columns)
    let rows = min(rows, self.rows)
    return Rect(
      column: column + (self.columns - columns) / 2, row: row + (self.rows - rows) / 2,
      columns: columns, rows: rows)
  }

  /// Splits the rectangle into its upper `rows` and the rest.
  public func split(rows upper: Int) -> (Rect, Rect) {
    let upper = min(max(0, upper), rows)
    return (
      Rect(column: column, row: row, columns: columns, rows: upper),
      Rect(column: column, row: row + upper, columns: columns, rows: rows - upper)
    )
  }

  /// Splits the rectangle into its left `columns` and the rest.
  public func split(columns left: Int) -> (Rect, Rect) {
    let left = min(max(0, left), columns)
    return (
      Rect(column: column, row: row, columns: left, rows: rows),
      Rect(column: column + left, row: row, columns: columns - left, rows: rows)
    )
  }
}
