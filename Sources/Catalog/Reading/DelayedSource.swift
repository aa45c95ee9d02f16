import Photos
import Services
import WorkerPool

/// A source whose answers to each fetch come late, as those of a slow server.
public struct DelayedSource: APIServiceProtocol {
  private let source: any APIServiceProtocol
  private let delay: Duration
  private let clock: any Clock<Duration>

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - source: The source that has the photos.
  ///   - delay: The time to wait before each fetch.
  ///   - clock: The clock that measures the delay.
  public init(_ source: any APIServiceProtocol, delay: Duration, clock: any Clock<Duration>) {
    self.source = source
    self.delay = delay
    self.clock = clock
  }

  public func fetchPhotos(after snapshot: PhotoSnapshot?) -> PhotoStream {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task(executorPreference: WorkerPool.shared) {
        try? await clock.sleep(for: delay)
        if !Task.isCancelled {
          for await answer in source.fetchPhotos(after: snapshot) { continuation.yield(answer) }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
