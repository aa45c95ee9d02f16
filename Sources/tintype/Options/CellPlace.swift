import ArgumentParser
import Terminal

/// Cells of the whole terminal, as `80x24@40x0`: the size, then the column and the row of the top left, counted from 0.
struct CellPlace: ExpressibleByArgument {
  let rect: Rect

  init?(argument: String) {
    let parts = argument.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let size = CellBox(argument: parts[0]) else { return nil }
    let corner = parts[1].lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard corner.count == 2, let column = corner[0], let row = corner[1], (0...9999).contains(column),
      (0...9999).contains(row)
    else { return nil }
    rect = Rect(column: column, row: row, columns: size.columns, rows: size.rows)
  }
}
