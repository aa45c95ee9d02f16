import ArgumentParser

/// The largest size of images in cells, as `80x24`, or as `80x` or `x24` if one of the two is not limited.
struct SizeLimit: ExpressibleByArgument {
  private let columns: Int?
  private let rows: Int?

  init?(argument: String) {
    let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    let numbers = parts.map { Int($0) }
    guard parts.count == 2, zip(parts, numbers).allSatisfy({ $0.isEmpty || (1...1000).contains($1 ?? 0) }),
      numbers.contains(where: { $0 != nil })
    else { return nil }
    columns = numbers[0]
    rows = numbers[1]
  }

  /// Returns the size, in which `room` replaces a side without a limit.
  func box(in room: CellBox) -> CellBox { CellBox(columns: columns ?? room.columns, rows: rows ?? room.rows) }
}
