import Gallery
import Photos
import Services
import WorkerPool

/// The duplicates in the photo list. They are looked for in the background as soon as a search asks for them, and again when
/// the source has other photos.
@MainActor
public final class PhotoDuplicates {
  /// Called when ``groups`` have changed.
  var onChange: () -> Void = {}
  /// Called when ``progress`` has changed.
  var onProgress: () -> Void = {}
  /// The groups that were found last, or nil if none were looked for.
  public private(set) var groups: DuplicateGroups?
  /// The progress of the first look at the photos, or nil if none is in progress.
  public private(set) var progress: PhotoSnapshot.Progress?

  private let finder: DuplicateFinder?
  private var isWanted = false
  /// The photos of the source, or nil while they are read.
  private var source: PhotoTable?
  /// The photos among which ``groups`` were found.
  private var searched: PhotoTable?
  private(set) var finding: Task<Void, Never>?

  /// - Parameter service: The service that looks at photos, or nil for none: then nothing is found.
  init(service: (any AppraisalServiceProtocol)?) { finder = service.map(DuplicateFinder.init) }

  deinit { finding?.cancel() }

  /// Sets whether a search asks for duplicates.
  func want(_ isWanted: Bool) {
    guard isWanted != self.isWanted else { return }
    self.isWanted = isWanted
    if isWanted { find() } else { stop() }
  }

  /// Takes note of the photos of the source.
  ///
  /// - Parameter isComplete: Whether the photos have been read.
  func sourceDidChange(_ photos: PhotoTable, isComplete: Bool) {
    source = isComplete ? photos : nil
    // If the user reads the source again, files may have changed.
    if !isComplete { searched = nil }
    find()
  }

  private func stop() {
    finding?.cancel()
    finding = nil
    progress = nil
  }

  private func find() {
    guard isWanted, let source else { return }
    if let searched, source.changes(since: searched) != nil { return }
    stop()
    finding = Task.onMainActor { [weak self, finder] in
      let groups = await finder?.duplicates(in: source) { [weak self] in await self?.look(done: $0, total: $1) }
      if !Task.isCancelled { self?.take(groups ?? DuplicateGroups(), in: source) }
    }
  }

  private func look(done: Int, total: Int) {
    guard !Task.isCancelled else { return }
    progress = PhotoSnapshot.Progress(done: done, total: total, unit: .photos)
    onProgress()
  }

  private func take(_ groups: DuplicateGroups, in photos: PhotoTable) {
    searched = photos
    progress = nil
    guard groups != self.groups else { return }
    self.groups = groups
    onChange()
  }
}
