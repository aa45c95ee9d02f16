import Gallery
import Store

/// The photos whose parts have to wait for others.
struct PartsBehind {
  private(set) var photos: Set<ImageLocation>
  /// The paths that the parts that wait will change.
  private var paths: Set<FilePath> = []

  init(photos: Set<ImageLocation>) { self.photos = photos }

  /// Adds a part if it has to wait. Returns whether it has.
  mutating func add(_ part: StepJournal.Part, _ writer: PartWriter) -> Bool {
    guard photos.contains(part.photo) || writer.changes(paths, part, isUndone: false) else { return false }
    photos.insert(part.photo)
    paths.formUnion(writer.paths(of: part, isUndone: false))
    return true
  }
}
