import ArgumentParser

/// A size in cells, as `80x24`.
struct CellBox: ExpressibleByArgument {
  let columns: Int
  let rows: Int

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  init?(argument: String) {
    let numbers = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1], (1...1000).contains(columns),
      (1...1000).contains(rows)
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}
