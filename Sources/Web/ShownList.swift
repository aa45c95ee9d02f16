import Photos
import Synchronization

/// What is shown of a list that is read again and again: no photo vanishes only because it has not been read again.
final class ShownList: Sendable {
  /// The last whole list.
  private let last = Mutex<PhotoSnapshot?>(nil)

  /// Returns what is shown while a list is read.
  func shown(_ snapshot: PhotoSnapshot) -> PhotoSnapshot {
    if snapshot.isComplete { last.withLock { $0 = snapshot } }
    guard !snapshot.isComplete, var known = last.withLock(\.self), known.photos.count > snapshot.photos.count
    else { return snapshot }
    known.isComplete = false
    known.progress = snapshot.progress
    known.retriedError = snapshot.retriedError
    return known
  }
}
