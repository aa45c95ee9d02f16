import Gallery
import Services
import Store

/// The photos whose parts have to wait for others.
struct PartsBehind {
  private(set) var photos: Set<ImageLocation>
  /// The paths that the parts that wait will change.
  private var paths: Set<FilePath>

  init(photos: Set<ImageLocation>, paths: Set<FilePath> = []) { (self.photos, self.paths) = (photos, paths) }

  /// Adds a part if it has to wait. Returns whether it has.
  mutating func add(_ part: StepJournal.Part, _ writer: PartWriter) -> Bool {
    guard photos.contains(part.photo) || writer.uses(paths, part, isUndone: false) else { return false }
    photos.insert(part.photo)
    paths.formUnion(writer.paths(of: part, isUndone: false))
    return true
  }
}

/// The paths of the parts of a step that could not be made. The others at these paths can't be made either: with names that photos
/// give one another, what is there belongs to an earlier photo.
struct RefusedPaths {
  private var faults: [FilePath: StepFault] = [:]

  /// Adds an attempt if its part could not be made.
  mutating func add(_ attempt: PartWriter.Attempt, isUndone: Bool, _ writer: PartWriter) {
    guard !isUndone, case .failed(let fault) = attempt.outcome else { return }
    for path in writer.paths(of: attempt.part, isUndone: false) { faults[path] = fault }
  }

  /// Returns why a part can't be made either; nil if nothing is known against it.
  func fault(of part: StepJournal.Part, isUndone: Bool, _ writer: PartWriter) -> StepFault? {
    isUndone || faults.isEmpty ? nil : writer.paths(of: part, isUndone: false).lazy.compactMap { faults[$0] }.first
  }
}
