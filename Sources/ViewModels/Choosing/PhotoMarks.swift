import Gallery
import Photos
import Services
import WorkerPool

/// The marked photos of a list, or the shots that are kept of its stacks.
///
/// Marks are identifiers of photos, so they stay when the list is searched, sorted or reloaded. With a service, they are
/// stored and are restored in the next session: see `PhotoMarks+Keeping.swift`.
@MainActor
public final class PhotoMarks {
  /// Called with the reason why the marks could not be read or stored.
  var onAlert: (Alert) -> Void = { _ in }
  /// Called with photos that were marked in the last session, after their marks have been restored.
  var onRestore: ([Photo.ID]) -> Void = { _ in }
  /// Called when photos were marked or unmarked.
  var onChange: () -> Void = {}
  /// The number of marked photos.
  @Published public private(set) var count = 0
  /// The rows between the ends of a range that has not been completed, or nil if there is none.
  public internal(set) var range: ClosedRange<RowIndex>?
  /// The photo at which that range begins, and its row when the range was last extended.
  var start: (id: Photo.ID, row: RowIndex)? {
    didSet { if start == nil { range = nil } }
  }

  private(set) var ids: Set<Photo.ID> = [] {
    didSet {
      if ids.count != count { count = ids.count }
      onChange()
    }
  }
  let keeping: Keeping?

  /// Creates marks that end with the session.
  public init() { keeping = nil }

  /// Creates marks that a service keeps. Call ``load()`` to restore those of the last session.
  public init(service: any MarkServiceProtocol, clock: any Clock<Duration>) {
    keeping = Keeping(service: service, clock: clock)
  }

  /// Changes the marks. The marks must not be copied on the way, since there may be a million.
  func change(_ body: (inout Set<Photo.ID>) -> Void) {
    body(&ids)
    didChange()
  }

  /// Takes over marks of the last session, and removes those of photos that are gone. They need not be stored again.
  func restore(_ restored: MarkArchive.Restored, isCurrent: Bool) {
    if restored.found.isEmpty, restored.gone.isEmpty { return }
    if isCurrent { ids = restored.all } else { ids.formUnion(restored.found) }
    if !restored.found.isEmpty { onRestore(restored.found) }
  }

  /// Returns whether a photo is marked.
  public func contains(_ id: Photo.ID) -> Bool { ids.contains(id) }

  /// Marks or unmarks a photo.
  public func toggle(_ id: Photo.ID) {
    change { if $0.remove(id) == nil { $0.insert(id) } }
  }

  /// Marks some photos, and no others.
  func mark(only photos: [Photo.ID]) {
    start = nil
    change { $0 = Set(photos) }
  }

  /// Unmarks photos.
  func unmark(_ photos: [Photo.ID]) {
    if photos.contains(where: ids.contains) { change { $0.subtract(photos) } }
  }

  /// Cancels a range that has begun.
  public func cancelRange() { start = nil }
}
