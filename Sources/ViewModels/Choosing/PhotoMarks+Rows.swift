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

  /// Unmarks the matches of the search, or all photos if nothing is searched for. Marks them if none of them is marked.
  public func markAll(in rows: PhotoRows) {
    start = nil
    let all = rows.matchingIDs
    change { if all.contains(where: $0.contains) { $0.subtract(all) } else { $0.formUnion(all) } }
  }
}
