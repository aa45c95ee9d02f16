import Gallery
import Photos
import Services
import WorkerPool

extension PhotoStream {
  /// Returns the answers of a server, which are fetched on the worker pool until the stream is no longer needed.
  ///
  /// - Parameter fetch: Fetches the photos, and calls its argument with each snapshot of them.
  static func answers(
    _ fetch: @escaping @Sendable (_ answer: @escaping @Sendable (PhotoSnapshot) -> Void) async throws(APIError) -> Void
  ) -> PhotoStream {
    PhotoStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task(executorPreference: WorkerPool.shared) {
        do throws(APIError) {
          try await fetch { continuation.yield(.success($0)) }
        } catch {
          if error != .cancelled { continuation.yield(.failure(error)) }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
