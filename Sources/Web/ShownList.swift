import Photos
import Synchronization

/// The list that is shown while it is read again. A photo stays until the new list is complete.
final class ShownList: Sendable {
  /// The last whole list, or the one of the last session.
  private let last = Mutex<PhotoSnapshot?>(nil)

  /// Takes note of the list of the last session.
  func keep(_ snapshot: PhotoSnapshot) { last.withLock { $0 = $0 ?? snapshot } }

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
