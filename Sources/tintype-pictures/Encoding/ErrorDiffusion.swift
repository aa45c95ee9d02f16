/// The errors of pixels or cells, which are passed on to those that follow (R. Floyd and L. Steinberg, "An Adaptive Algorithm
/// for Spatial Greyscale", 1976).
///
/// The errors of a row are passed on from its first column to its last one, so that only finished sums are stored.
struct ErrorDiffusion<Color: SIMD & Sendable> where Color.Scalar == Float {
  /// The errors from the row above, after one for the column left of the first.
  private var row: [Color]
  /// The errors for the next row, as far as they are known.
  private var nextRow: [Color]
  /// The error for the next column of this row.
  private var ahead = Color()
  /// The errors for the next row: in the last column, and in the next one.
  private var below = (last: Color(), next: Color())

  init(columns: Int) {
    row = Array(repeating: Color(), count: columns + 1)
    nextRow = row
  }

  /// The error that has been passed on to a column of this row.
  @inline(__always)
  subscript(column: Int) -> Color { row[column + 1] + ahead }

  /// Passes the error of a column on.
  @inline(__always)
  mutating func pass(_ error: Color, from column: Int) {
    ahead = error * (7.0 / 16)
    nextRow[column] = below.last + error * (3.0 / 16)
    below = (below.next + error * (5.0 / 16), error * (1.0 / 16))
  }

  /// Goes on to the next row.
  mutating func endRow() {
    nextRow[nextRow.count - 1] = below.last
    swap(&row, &nextRow)
    ahead = Color()
    below = (Color(), Color())
  }
}
