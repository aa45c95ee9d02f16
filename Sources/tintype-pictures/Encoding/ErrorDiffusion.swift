#if Pictures
  /// The errors of cells, which are passed on to the cells that follow (R. Floyd and L. Steinberg, "An Adaptive Algorithm for
  /// Spatial Greyscale", 1976).
  struct ErrorDiffusion<Color: SIMD & Sendable> where Color.Scalar == Float {
    /// The errors for the cells of this row and of the next one, with one more cell on each side.
    private var row: [Color]
    private var nextRow: [Color]

    init(columns: Int) {
      row = Array(repeating: Color(), count: columns + 2)
      nextRow = row
    }

    /// The error that the cells before have passed on to a cell of this row.
    subscript(column: Int) -> Color { row[column + 1] }

    /// Passes the error of a cell on.
    mutating func pass(_ error: Color, from column: Int) {
      row[column + 2] += error * (7.0 / 16)
      nextRow[column] += error * (3.0 / 16)
      nextRow[column + 1] += error * (5.0 / 16)
      nextRow[column + 2] += error * (1.0 / 16)
    }

    /// Goes on to the next row.
    mutating func endRow() {
      swap(&row, &nextRow)
      for index in nextRow.indices { nextRow[index] = Color() }
    }
  }
#endif
