import Gallery
import Services
import WorkerPool

/// The ratings that the user gives photos: stars, rejection and labels.
///
/// A change shows at once. Until the source has read it from the photo's sidecar, ``rating(of:_:)`` returns it in place of
/// what the source knows.
@MainActor
public final class PhotoRatings {
  /// Called when ratings have changed that rows show.
  var onChange: () -> Void = {}
  /// Called with the reason why ratings could not be kept.
  var onAlert: (Alert) -> Void = { _ in }
  /// Called with what was done.
  var onNote: (String) -> Void = { _ in }

  /// Whether the highlight moves on after a photo was rated.
  public private(set) var advances = true

  private let service: any RatingServiceProtocol
  /// The changes that the source may not have read yet.
  private var changed: [FilePath: Change] = [:]
  /// The number of steps that are on their way.
  private var pending = 0
  /// The failures that the user has been told.
  private var reported: Set<String> = []
  /// The last call of the service. Each waits for the one before, so that changes keep the order of the keys.
  private(set) var working: Task<Void, Never>?

  /// The parts of a rating that differ from what the source knows.
  private struct Change {
    var stars: Int??
    var label: String??

    func rating(_ known: PhotoRating) -> PhotoRating {
      PhotoRating(stars: stars ?? known.stars, label: label ?? known.label)
    }
  }

  init(service: any RatingServiceProtocol) { self.service = service }

  /// Returns the rating of a photo.
  ///
  /// - Parameter metadata: What the source has read.
  func rating(of image: ImageLocation, _ metadata: PhotoMetadata?) -> PhotoRating {
    let known = PhotoRating(stars: metadata?.rating, label: metadata?.label)
    guard case .file(let path) = image, let change = changed[path] else { return known }
    let rating = change.rating(known)
    if rating == known, pending == 0 { changed[path] = nil }
    return rating
  }

  /// Makes a change for photos in files.
  func make(_ change: RatingChange, for photos: [Photo]) {
    let paths = photos.compactMap { if case .file(let path) = $0.image { path } else { nil } }
    for path in paths {
      switch change {
      case .stars(let stars): changed[path, default: Change()].stars = stars
      case .label(let label): changed[path, default: Change()].label = .some(label)
      }
    }
    guard let first = photos.first, !paths.isEmpty else { return }
    onNote("\(change.text): \(paths.count == 1 ? first.displayName : paths.count.photosText)")
    onChange()
    work { await $0.make(change, for: paths) }
  }

  /// Undoes the last step, which may be one of an earlier session.
  public func undo() { work("Undone", orElse: "There is nothing to undo.") { await $0.undo() } }

  /// Makes the step again that was undone last.
  public func redo() { work("Redone", orElse: "There is nothing to redo.") { await $0.redo() } }

  /// Switches on or off that the highlight moves on after a photo was rated.
  public func toggleAdvance() {
    advances.toggle()
    onNote(advances ? "The next photo follows after a rating." : "The photo stays after a rating.")
  }

  /// Waits until all changes are kept.
  public func settle() async { await working?.value }

  private func work(
    _ verb: String? = nil, orElse nothing: String = "",
    _ call: @escaping @Sendable (any RatingServiceProtocol) async -> RatingStep?
  ) {
    let before = working
    pending += 1
    working = Task.onMainActor { [weak self, service] in
      await before?.value
      let step = await call(service)
      guard let self else { return }
      pending -= 1
      finish(step)
      guard let verb else { return }
      // If nothing was changed, the alert says why.
      if step?.ratings.isEmpty != true { onNote(step.map { "\(verb): \($0.title)" } ?? nothing) }
    }
  }

  private func finish(_ step: RatingStep?) {
    // The steps that are on their way may have changed these ratings again.
    if pending == 0 {
      for (path, rating) in step?.ratings ?? [:] {
        // Without a value in the sidecar, the photo's own counts, which the source knows.
        changed[path] = Change(stars: rating.stars.map { $0 }, label: rating.label.map { $0 })
      }
    }
    onChange()
    let news = (step?.failures ?? []).filter { reported.insert($0).inserted }
    if let first = news.first { onAlert(Alert(title: "Can't keep the rating", message: first)) }
  }
}
