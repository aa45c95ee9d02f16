import Gallery
import Photos
import Services
import WorkerPool

/// The marked photos of a list.
///
/// Marks are identifiers of photos, so they stay when the list is searched, sorted or reloaded. With a service, they are
/// stored and are restored in the next session: see `PhotoMarks+Keeping.swift`.
@MainActor
public final class PhotoMarks {
  /// Called with the reason why the marks could not be read or stored.
  var onAlert: (Alert) -> Void = { _ in }
  /// Called with photos that were marked in the last session, after their marks have been restored.
  var onRestore: ([Photo.ID]) -> Void = { _ in }
  /// The number of marked photos.
  @Published public private(set) var count = 0
  /// The rows between the ends of a range that has not been completed, or nil if there is none.
  public private(set) var range: ClosedRange<Int>?
  /// The photo at which that range begins, and its row when the range was last extended.
  private var start: (id: Photo.ID, row: Int)? {
    didSet { if start == nil { range = nil } }
  }

  private(set) var ids: Set<Photo.ID> = [] {
    didSet { if ids.count != count { count = ids.count } }
  }
  let keeping: Keeping?

  /// Creates marks that end with the session.
  public init() { keeping = nil }

  /// Creates marks that a service keeps. Call ``load()`` to restore those of the last session.
  public init(service: any MarkServiceProtocol, clock: any Clock<Duration>) {
    keeping = Keeping(service: service, clock: clock)
  }

  /// Changes the marks. The marks must not be copied on the way, since there may be a million.
  private func change(_ body: (inout Set<Photo.ID>) -> Void) {
    body(&ids)
    didChange()
  }

  /// Takes over marks of the last session, which need not be stored again.
  func restore(_ restored: MarkArchive.Restored, isCurrent: Bool) {
    if restored.found.isEmpty { return }
    if isCurrent { ids = restored.all } else { ids.formUnion(restored.found) }
    onRestore(restored.found)
  }

  /// Returns whether a photo is marked.
  public func contains(_ id: Photo.ID) -> Bool { ids.contains(id) }

  /// Marks or unmarks a photo.
  public func toggle(_ id: Photo.ID) {
    change { if $0.remove(id) == nil { $0.insert(id) } }
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
      change { $0.formUnion(range.map(rows.id(at:))) }
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
    change { if all.allSatisfy($0.contains) { $0.subtract(all) } else { $0.formUnion(all) } }
  }

  /// Marks some photos, and no others.
  func mark(only photos: [Photo.ID]) {
    start = nil
    change { $0 = Set(photos) }
  }

  /// Cancels a range that has begun.
  public func cancelRange() { start = nil }
}
