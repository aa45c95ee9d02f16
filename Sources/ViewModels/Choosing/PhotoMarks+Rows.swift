import Gallery
import Photos

// Marks of rows, and ranges of them.
extension PhotoMarks {
  /// Marks or unmarks the photo of a row, and cancels a range.
  public func toggle(row: RowIndex, in rows: PhotoRows) {
    guard rows.indices.contains(row) else { return }
    start = nil
    toggle(rows.id(at: row))
  }

  /// Begins a range of marks at a row. If a range has begun, marks all photos from its first row to this one instead.
  public func markRange(to row: RowIndex, in rows: PhotoRows) {
    guard rows.indices.contains(row) else { return }
    extendRange(to: row, in: rows)
    if let range {
      start = nil
      change { $0.formUnion(range.map(rows.id(at:))) }
    } else {
      start = (rows.id(at: row), row)
      range = row...row
    }
  }

  /// Extends a range that has begun to a row, or takes note that the photo at its start is no longer listed.
  func extendRange(to row: RowIndex, in rows: PhotoRows) {
    guard let (id, guess) = start, rows.indices.contains(row) else { return }
    let first = rows.index(ofPhoto: id, guess: guess)
    start = first.map { (id, $0) }
    range = first.map { min($0, row)...max($0, row) }
  }

  /// Unmarks the matches of a search, or marks them if none of them is marked. Without a search, unmarks all photos, shots of
  /// closed stacks too, or marks those of all rows if none is marked.
  public func markAll(in rows: PhotoRows, isSearch: Bool) {
    start = nil
    if !isSearch, count > 0 { return change { $0 = [] } }
    let all = rows.matchingIDs
    change { if all.contains(where: $0.contains) { $0.subtract(all) } else { $0.formUnion(all) } }
  }
}
