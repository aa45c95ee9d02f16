/// Lines in columns next to each other. The lines of a block stay in one column.
struct TextColumns<Line> {
  private(set) var columns: [[Line]] = []

  /// The number of lines of the highest column.
  var height: Int { columns.map(\.count).max() ?? 0 }

  /// Fills columns from the first to the last, each up to the lowest height at which all blocks fit.
  /// - Parameters:
  ///   - separator: The lines between two blocks of a column.
  ///   - most: The largest number of columns.
  ///   - least: The least height of a column that is full.
  init(_ blocks: [[Line]], separator: [Line] = [], most: Int, height least: Int = 0) {
    var height = max(least, blocks.map(\.count).max() ?? 0)
    repeat {
      columns = Self.fill(blocks, separator: separator, height: height)
      height += 1
    } while columns.count > max(1, most)
  }

  private static func fill(_ blocks: [[Line]], separator: [Line], height: Int) -> [[Line]] {
    blocks.reduce(into: []) { columns, block in
      if let last = columns.last, last.count + separator.count + block.count <= height {
        columns[columns.count - 1] += separator + block
      } else {
        columns.append(block)
      }
    }
  }
}
