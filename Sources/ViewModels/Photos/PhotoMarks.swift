import Gallery

/// The marked photos of a list.
///
/// Marks are identifiers of photos, so they stay when the list is searched, sorted or reloaded.
@MainActor
public final class PhotoMarks {
  /// The number of marked photos.
  @Published public private(set) var count = 0
  /// The rows between the ends of a range that has not been completed, or nil if there is none.
  public private(set) var range: ClosedRange<Int>?
  /// The photo at which that range begins, and its row when the range was last extended.
  private var start: (id: Photo.ID, row: Int)? {
    didSet { if start == nil { range = nil } }
  }

  private var ids: Set<Photo.ID> = [] {
    didSet { if ids.count != count { count = ids.count } }
  }

  /// Returns whether a photo is marked.
  public func contains(_ id: Photo.ID) -> Bool { ids.contains(id) }

  /// Marks or unmarks a photo.
  public func toggle(_ id: Photo.ID) {
    if ids.remove(id) == nil { ids.insert(id) }
  }

  /// Marks or unmarks the photo of a row, and cancels a range.
  public func toggle(row: Int, in rows: PhotoRows) {
    guard rows.indices.contains(row) else { return }
    start = nil
    toggle(rows.id(at: row))
  }

  /// Begins a range of marks at a row. If a range has begun, marks all photos from its first row to this one instead.
  public func markRange(to row: Int, in rows: PhotoRows) {
    guard rows.indices.contains(row) else { return }
    extendRange(to: row, in: rows)
    if let range {
      start = nil
      ids.formUnion(range.map(rows.id(at:)))
    } else {
      (start, range) = ((rows.id(at: row), row), row...row)
    }
  }

  /// Extends a range that has begun to a row, or takes note that the photo at its start is no longer listed.
  func extendRange(to row: Int, in rows: PhotoRows) {
    guard let (id, guess) = start, rows.indices.contains(row) else { return }
    let first = rows.index(ofPhoto: id, guess: guess)
    start = first.map { (id, $0) }
    range = first.map { min($0, row)...max($0, row) }
  }

  /// Marks the matches of the search, or all photos if nothing is searched for. Unmarks them if all of them are marked.
  public func markAll(in rows: PhotoRows) {
    start = nil
    let all = rows.matchingIDs
    if all.allSatisfy(ids.contains) { ids.subtract(all) } else { ids.formUnion(all) }
  }

  /// Cancels a range that has begun.
  public func cancelRange() { start = nil }
}
