/// The images that lie over the cells in one frame, or behind their placeholders, and the cells that each of them owns.
///
/// An image owns the cells of its place until something else is written into them.
struct GraphicLayout {
  /// An image at a place on the screen.
  struct Placement: Hashable {
    let id: UInt32
    let rect: Rect
  }

  private(set) var size = Size(columns: 0, rows: 0)
  private var placements: [Placement] = []
  /// The number of each cell's owner: its index among the placements plus 1, or 0 if no image owns the cell.
  private var owners: [Int] = []

  var isEmpty: Bool { placements.isEmpty }

  /// Removes all images, for a frame of the given size.
  mutating func clear(size: Size) {
    self.size = size
    placements = []
    if owners.count == size.columns * size.rows {
      for index in owners.indices { owners[index] = 0 }
    } else {
      owners = Array(repeating: 0, count: size.columns * size.rows)
    }
  }

  /// Makes an image the owner of all cells of a place, which lies on the screen.
  mutating func place(_ id: UInt32, in rect: Rect) {
    placements.append(Placement(id: id, rect: rect))
    for row in rect.row..<rect.endRow {
      for column in rect.column..<rect.endColumn { owners[row * size.columns + column] = placements.count }
    }
  }

  /// Takes cells of a row away from the images, as something was written into them.
  mutating func cover(column: Int, row: Int, columns: Int) {
    guard !placements.isEmpty else { return }
    for column in column..<min(size.columns, column + columns) where row < size.rows {
      owners[row * size.columns + column] = 0
    }
  }

  /// Returns the image that owns a cell.
  func owner(column: Int, row: Int) -> Placement? {
    guard !placements.isEmpty, column < size.columns, row < size.rows else { return nil }
    let number = owners[row * size.columns + column]
    return number > 0 ? placements[number - 1] : nil
  }

  /// Returns the parts of each image that nothing covers, as few rectangles. Images without such a part are left out.
  func visibleParts() -> [Placement: [Rect]] {
    var parts: [Placement: [Rect]] = [:]
    for (index, placement) in placements.enumerated() {
      let rects = visibleParts(of: placement, owner: index + 1)
      if !rects.isEmpty { parts[placement] = rects }
    }
    return parts
  }

  private func visibleParts(of placement: Placement, owner: Int) -> [Rect] {
    // The rectangles that end in the row above.
    var open: [Rect] = []
    // Those that have ended before.
    var closed: [Rect] = []
    for row in placement.rect.row..<placement.rect.endRow {
      var next: [Rect] = []
      for run in runs(of: owner, in: placement.rect, row: row) {
        if let above = open.firstIndex(where: { $0.column == run.column && $0.columns == run.columns }) {
          var grown = open.remove(at: above)
          grown.rows += 1
          next.append(grown)
        } else {
          next.append(run)
        }
      }
      closed += open
      open = next
    }
    return closed + open
  }

  /// Returns the stretches of a row whose cells have the given owner.
  private func runs(of owner: Int, in rect: Rect, row: Int) -> [Rect] {
    var runs: [Rect] = []
    for column in rect.column..<rect.endColumn where owners[row * size.columns + column] == owner {
      if let last = runs.last, last.endColumn == column {
        runs[runs.count - 1].columns += 1
      } else {
        runs.append(Rect(column: column, row: row, columns: 1, rows: 1))
      }
    }
    return runs
  }
}

extension Rect {
  /// Returns the cells of this rectangle that are in none of its `parts`, as strips of one row each.
  func strips(besides parts: [Rect]) -> [Rect] {
    (row..<endRow).flatMap { row in
      let inRow = parts.filter { $0.row <= row && row < $0.endRow }.sorted { $0.column < $1.column }
      let starts = [column] + inRow.map(\.endColumn)
      let ends = inRow.map(\.column) + [endColumn]
      return zip(starts, ends).filter { $0 < $1 }.map { Rect(column: $0, row: row, columns: $1 - $0, rows: 1) }
    }
  }

  /// Returns whether all of this rectangle lies in `others`, which do not overlap.
  func isCovered(by others: [Rect]) -> Bool {
    others.reduce(0) { area, other in
      let common = intersection(other)
      return area + common.columns * common.rows
    } == columns * rows
  }
}
