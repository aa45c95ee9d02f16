import Gallery
import Photos
import Services
import WorkerPool

// Storing marks, and restoring those of the last session.
extension PhotoMarks {
  /// The state of the marks' storage.
  @MainActor
  final class Keeping {
    let archive: MarkArchive
    /// The pause after a change before the marks are stored, with all changes that have followed.
    let pause: Debounce
    var photos = PhotoTable()
    var isComplete = false
    /// Whether there are changes that are not stored.
    var isChanged = false
    /// Whether the changes are to be stored now, because the pause is over or the program ends.
    var isDue = false
    /// The number of changes so far.
    var version = 0
    /// Whether there may be stored marks of photos that have not appeared yet. They are not read before the first frame is
    /// drawn.
    var mayRestore = false
    /// Whether something has changed since the work began.
    var isOutdated = false
    /// The reason why the last attempt has failed, or nil if it has not.
    var failure: Alert?
    var work: Task<Void, Never>?

    init(service: any MarkServiceProtocol, clock: any Clock<Duration>) {
      archive = MarkArchive(service: service)
      pause = Debounce(.seconds(1), clock: clock)
    }
  }

  /// Restores the marks of the last session, those of photos that are still to come as soon as they appear.
  public func load() {
    keeping?.mayRestore = true
    update()
  }

  /// Stores all changes. If that fails, ``failure`` has the reason.
  public func settle() async {
    guard let keeping else { return }
    keeping.pause.cancel()
    store()
    while let work = keeping.work { await work.value }
  }

  /// The reason why there are changes that could not be stored, or nil if there are none.
  public var failure: Alert? { keeping.flatMap { $0.isChanged ? $0.failure : nil } }

  /// Takes note of the photos of the source.
  ///
  /// - Parameter isComplete: Whether the source has no other photos.
  func sourceDidChange(_ photos: PhotoTable, isComplete: Bool) {
    guard let keeping else { return }
    keeping.photos = photos
    keeping.isComplete = isComplete
    if keeping.mayRestore || count > 0 { update() }
  }

  /// Takes note of a change, which is stored after a moment, even if others follow without a pause.
  func didChange() {
    guard let keeping else { return }
    keeping.version += 1
    keeping.isChanged = true
    keeping.pause.runUnlessWaiting { [weak self] in self?.store() }
  }

  private func store() {
    guard let keeping, keeping.isChanged else { return }
    keeping.isDue = true
    update()
  }

  /// Restores and stores marks, after the work that is going on.
  private func update() {
    guard let keeping else { return }
    keeping.isOutdated = true
    guard keeping.work == nil else { return }
    keeping.work = Task.onMainActor { [self] in
      while keeping.isOutdated {
        keeping.isOutdated = false
        await update(keeping)
      }
      keeping.work = nil
    }
  }

  private func update(_ keeping: Keeping) async {
    let (archive, photos, isComplete) = (keeping.archive, keeping.photos, keeping.isComplete)
    let (version, ids) = (keeping.version, ids)
    let changes: MarkArchive.Changes = keeping.isDue ? .due : keeping.isChanged ? .waiting : .none
    if keeping.isDue { (keeping.isDue, keeping.isChanged) = (false, false) }
    let answer = await result { () throws(MarkArchive.Failure) in
      try await archive.update(photos, isComplete: isComplete, marked: ids, changes: changes)
    }
    switch answer {
    case .success(let restored):
      keeping.mayRestore = restored.hasMissing
      keeping.failure = nil
      restore(restored, isCurrent: version == keeping.version && !keeping.isOutdated)
    case .failure(let failure):
      if changes == .due { keeping.isChanged = true }
      if keeping.failure == nil { onAlert(failure.alert) }
      keeping.failure = failure.alert
    }
  }
}

extension MarkArchive.Failure {
  fileprivate var alert: Alert {
    switch self {
    case .reading(let error): Alert(title: localized("Can't restore the marks"), message: error.message)
    case .storing(let error): Alert(title: localized("Can't keep the marks"), message: error.message)
    }
  }
}
