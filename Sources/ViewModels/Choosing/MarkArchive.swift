import Gallery
import Photos
import Services

/// The marks of a source as they are stored. It works outside the main actor, because a source may have a million photos.
actor MarkArchive {
  /// The marks that a call has restored.
  struct Restored: Sendable {
    /// The marked photos that the caller did not know of.
    var found: [Photo.ID] = []
    /// The marked photos that the source does not have any more.
    var gone: Set<Photo.ID> = []
    /// All marked photos.
    var all: Set<Photo.ID> = []
    /// Whether there are stored marks of photos that have not appeared yet.
    var hasMissing = false
  }

  /// The changes that are not stored.
  enum Changes {
    case none
    /// Another call stores the changes.
    case waiting
    /// This call stores the changes.
    case due
  }

  /// A reason why the marks of the last session or those of this one are not there.
  enum Failure: Error {
    case reading(APIError)
    case storing(APIError)
  }

  private let service: any MarkServiceProtocol
  /// The marks that were read or stored last; nil until the stored marks have been read.
  private var stored: MarkedLocations?
  /// The locations of marked photos that are not in ``photos``.
  private var missing: Set<[UInt8]> = []
  /// The photos in which the stored marks have been looked for.
  private var photos = PhotoTable()
  /// Whether photos may have other locations than those that are stored.
  private var mayHaveMoved = false

  init(service: any MarkServiceProtocol) { self.service = service }

  /// Restores the marks of photos that have appeared, and stores all marks.
  ///
  /// - Parameters:
  ///   - photos: The photos of the source that are known so far.
  ///   - isComplete: Whether the source has no other photos. Marks of photos that are gone are given up.
  ///   - marked: The marked photos.
  ///   - changes: The changes of the marks. Those of the photos' locations are stored with them, or at once if there are
  ///     none.
  func update(
    _ photos: PhotoTable, isComplete: Bool, marked: Set<Photo.ID>, changes: Changes
  ) async throws(Failure) -> Restored {
    let stored = try await load()
    // If a disk is taken away while its folder is read, the folder looks empty.
    let isComplete = isComplete && !photos.isEmpty
    var restored = Restored(found: restore(photos, isComplete: isComplete, marked), all: marked)
    if isComplete { restored.gone = marked.subtracting(photos.indices.lazy.map(photos.id(at:))) }
    restored.all.subtract(restored.gone)
    restored.all.formUnion(restored.found)
    restored.hasMissing = !missing.isEmpty
    if changes == .due || changes == .none && mayHaveMoved {
      try await store(restored.all, insteadOf: stored, isChanged: changes == .due)
    }
    return restored
  }

  private func load() async throws(Failure) -> MarkedLocations {
    if let stored { return stored }
    do throws(APIError) {
      let marks = try await service.marks()
      stored = marks
      missing = marks.all
      return marks
    } catch {
      throw .reading(error)
    }
  }

  /// - Parameter isChanged: Whether the marks are known to differ from the stored ones.
  private func store(
    _ marked: Set<Photo.ID>, insteadOf stored: MarkedLocations, isChanged: Bool
  ) async throws(Failure) {
    let marks = MarkedLocations(locations(of: marked) + missing)
    do throws(APIError) {
      if isChanged || marks != stored && marks.all != stored.all {
        try await service.setMarks(marks, insteadOf: stored)
        self.stored = marks
      }
      mayHaveMoved = false
    } catch {
      throw .storing(error)
    }
  }

  /// Looks for the missing marks among new photos, and returns the photos that have them.
  private func restore(_ new: PhotoTable, isComplete: Bool, _ marked: Set<Photo.ID>) -> [Photo.ID] {
    let hasGrown = new.lineage === photos.lineage && new.count >= photos.count
    if !hasGrown, !photos.isEmpty {
      mayHaveMoved = true
      // If the source is read again, these photos may be yet to come, or have another ID.
      missing.formUnion(locations(of: marked.subtracting(new.indices.lazy.map(new.id(at:)))))
    }
    let first = hasGrown ? photos.endIndex : 0
    photos = new
    if missing.isEmpty { return [] }
    let found = (first..<new.endIndex).filter { missing.contains(new.image(at: $0).bytes) }
    if isComplete { missing = [] } else { missing.subtract(found.map { new.image(at: $0).bytes }) }
    return found.map(new.id(at:)).filter { !marked.contains($0) }
  }

  private func locations(of marked: Set<Photo.ID>) -> [[UInt8]] {
    if marked.isEmpty { return [] }
    return photos.indices.filter { marked.contains(photos.id(at: $0)) }.map { photos.image(at: $0).bytes }
  }
}
