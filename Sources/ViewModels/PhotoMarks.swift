import Finding
import Gallery

/// The photos that the person has chosen, by their ids: they stay so whatever is searched, sorted or loaded anew.
@MainActor
public final class PhotoMarks {
  /// How many there are.
  public let count = Observable(0)
  /// Where a range begins that is still to be ended, as a photo's id.
  public internal(set) var rangeStart: Photo.ID?
  private var ids: Set<Photo.ID> = [] {
    didSet { if ids.count != count.value { count.value = ids.count } }
  }

  public func contains(_ id: Photo.ID) -> Bool { ids.contains(id) }

  func toggle(_ id: Photo.ID) {
    if ids.remove(id) == nil { ids.insert(id) }
  }

  func insert(_ more: some Sequence<Photo.ID>) { ids.formUnion(more) }
  func remove(_ others: some Sequence<Photo.ID>) { ids.subtract(others) }

  /// Forgets where a range was begun.
  public func endRange() { rangeStart = nil }

  func removeAll() { (ids, rangeStart) = ([], nil) }
}
