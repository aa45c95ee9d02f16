import Gallery
import Photos
import Services
import WorkerPool

/// A source that reads a JSON catalog from a file: the bundled gallery's `content.json`, or a catalog of the user.
public struct CatalogFile: APIServiceProtocol {
  private let path: FilePath
  private let delay: Duration
  private let clock: any Clock<Duration>

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - path: The catalog's absolute path.
  ///   - delay: The time to wait before the first answer, which simulates a remote server.
  ///   - clock: The clock that measures the delay.
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
