import Gallery
import Photos
import Services
import WorkerPool

/// Photos of a JSON catalog in a file: the bundled gallery's `content.json`, or one of the person's own.
public struct CatalogFile: APIServiceProtocol {
  private let path: FilePath
  private let delay: Duration
  private let clock: any Clock<Duration>

  /// - Parameters:
  ///   - path: The catalog's absolute path.
  ///   - delay: How long an answer is held back, as a server far away would.
  public init(path: FilePath, delay: Duration = .zero, clock: any Clock<Duration>) {
    self.path = path
    self.delay = delay
    self.clock = clock
  }

  public func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task(executorPreference: WorkerPool.shared) {
        if delay > .zero { try? await clock.sleep(for: delay) }
        if Task.isCancelled { return continuation.finish() }
        CatalogLoading(source: .file(path), kind: .catalog).start(continuation)
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
