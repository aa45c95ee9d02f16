import Gallery
import Photos
import Services
import Synchronization
import WorkerPool

/// A source that reads a catalog or a list of paths from the standard input.
///
/// The input is read only once. Later fetches receive the photos that have been read already, and then the following
/// ones.
public final class StandardInput: APIServiceProtocol {
  private struct State {
    var isStarted = false
    var isAtEnd = false
    var last: Result<PhotoSnapshot, APIError>?
    var listeners: [Int: PhotoStream.Continuation] = [:]
    var listenersSoFar = 0
  }

  private let loading: CatalogLoading
  private let state = Mutex(State())

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - folder: The absolute path that relative paths start from.
  ///   - hasZeroBytes: Whether the input is a list of paths that end with zero bytes, as `find -print0` writes it. If
  ///     not, the first bytes decide: the input is a catalog if it starts with a bracket, and a list of lines
  ///     otherwise. Both may be compressed with gzip.
  ///   - descriptor: The file descriptor to read from, which stays open.
  public init(folder: FilePath, hasZeroBytes: Bool = false, descriptor: Int32 = 0) {
    loading = CatalogLoading(
      source: .stream(descriptor: descriptor, folder: folder), kind: hasZeroBytes ? .paths(end: 0) : nil)
  }

  public func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { listener in
      let (number, isFirst) = state.withLock { state in
        // This listener is not awaited yet, and a later answer must not come before this one.
        if let last = state.last { listener.yield(last) }
        if state.isAtEnd { listener.finish() } else { state.listeners[state.listenersSoFar] = listener }
        defer {
          state.listenersSoFar += 1
          state.isStarted = true
        }
        return (state.listenersSoFar, !state.isStarted)
      }
      listener.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
      }
      if isFirst { Task(executorPreference: WorkerPool.shared) { [self] in await read() } }
    }
  }

  private func read() async {
    let (answers, continuation) = AsyncStream.makeStream(
      of: Result<PhotoSnapshot, APIError>.self, bufferingPolicy: .bufferingNewest(1))
    loading.start(continuation)
    for await answer in answers {
      let listeners = state.withLock { state in
        state.last = answer
        return state.listeners.values.map(\.self)
      }
      // Not while the state is locked: a listener that is canceled at this moment holds its task's lock, which yielding
      // needs, and waits for the state.
      for listener in listeners { listener.yield(answer) }
    }
    let listeners = state.withLock { state in
      state.isAtEnd = true
      return state.listeners.values.map(\.self)
    }
    for listener in listeners { listener.finish() }
  }
}
