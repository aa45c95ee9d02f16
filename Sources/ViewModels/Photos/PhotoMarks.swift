import Gallery

/// The marked photos of a list.
///
/// Marks are identifiers of photos, so they stay when the list is searched, sorted or reloaded.
@MainActor
public final class PhotoMarks {
  /// The number of marked photos.
  @Published public private(set) var count = 0
  /// The photo at which a range begins that has not been completed, or nil if there is none.
  public private(set) var rangeStart: Photo.ID?

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
    rangeStart = nil
    toggle(rows.id(at: row))
  }

  /// Begins a range of marks at a row. If a range has begun, marks all photos from its first row to this one instead.
  public func markRange(to row: Int, in rows: PhotoRows) {
    guard rows.indices.contains(row) else { return }
    guard let start = rangeStart.flatMap({ rows.index(ofPhoto: $0) }) else {
      rangeStart = rows.id(at: row)
      return
    }
    rangeStart = nil
    ids.formUnion((min(start, row)...max(start, row)).map(rows.id(at:)))
  }

  /// Marks the matches of the search, or all photos if nothing is searched for. Unmarks them if all of them are marked.
  public func markAll(in rows: PhotoRows) {
    rangeStart = nil
    let all = rows.matchingIDs
    if all.allSatisfy(ids.contains) { ids.subtract(all) } else { ids.formUnion(all) }
  }

  /// Cancels a range that has begun.
  public func cancelRange() { rangeStart = nil }
}
