import Folder
import Gallery
import Synchronization

/// A reader that returns the file's name as the title once it is released. Files whose names begin with "bad" are not
/// images.
final class HeldReader: Sendable {
  private struct State {
    var isHeld = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var names: [String] = []
  }

  private let state = Mutex(State())

  func hold() { state.withLock { $0.isHeld = true } }

  func release() {
    let waiting = state.withLock { state in
      defer { (state.isHeld, state.waiting) = (false, []) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns the names of the files that have been read since the last call.
  func takeNames() -> [String] {
    state.withLock { state in
      defer { state.names = [] }
      return state.names.sorted()
    }
  }

  @Sendable func read(_ photos: [FoundPhoto]) async -> [Result<MetadataRecord, PhotoFault>] {
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        state.names += photos.map(\.path.printableName)
        if state.isHeld { state.waiting.append(continuation) }
        return state.isHeld
      }
      if !isHeld { continuation.resume() }
    }
    return photos.map { photo in
      if photo.path.printableName.hasPrefix("bad") { return .failure(.notAnImage) }
      var metadata = PhotoMetadata()
      metadata.isCutOff = photo.path.printableName.hasPrefix("cut")
      metadata.title = "Title of \(photo.path.printableName)"
      metadata.takenAt = CaptureTime(clock: 1_000_000, offset: 3600)
      return .success(MetadataRecord(metadata))
    }
  }
}
