import Gallery
import Photos
import Services
import Synchronization
import WorkerPool

/// The photos that come by the standard input: a catalog, or a list of paths. It is read once, and whoever asks
/// again gets what has come.
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

  /// - Parameters:
  ///   - folder: The absolute path that what is relative starts from.
  ///   - hasZeroBytes: Whether it is a list of paths that end with a zero byte, as `find -print0` writes. Else it is a
  ///     catalog if it starts as one (with a bracket, or packed by gzip), and paths by lines if not.
  ///   - descriptor: The file that is read, and stays open.
  public init(folder: FilePath, hasZeroBytes: Bool = false, descriptor: Int32 = 0) {
    loading = CatalogLoading(
      source: .stream(descriptor: descriptor, folder: folder), kind: hasZeroBytes ? .paths(end: 0) : nil)
  }

  public func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { listener in
      let (number, isFirst) = state.withLock { state in
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
      state.withLock { state in
        state.last = answer
        for listener in state.listeners.values { listener.yield(answer) }
      }
    }
    let listeners = state.withLock { state in
      state.isAtEnd = true
      return state.listeners.values.map(\.self)
    }
    for listener in listeners { listener.finish() }
  }
}
