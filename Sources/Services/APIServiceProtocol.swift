import Gallery
import WorkerPool

/// Where photos come from.
public protocol APIServiceProtocol: Sendable {
  /// The popular photos, of the first page.
  func fetchPopularPhotos() async throws(APIError) -> Page<Photo>

  /// The same photos as they come: each answer has all so far, and goes on with more, or with what has changed, until
  /// the stream ends or a failure ends it. Answers that nobody has taken yet are replaced by the next. Who no longer
  /// iterates stops the reading.
  ///
  /// - Parameter snapshot: Where its `nextPage` is known, the answers are this snapshot and that page together.
  func photos(after snapshot: PhotoSnapshot?) -> AsyncStream<Result<PhotoSnapshot, APIError>>
}

extension APIServiceProtocol {
  public func photos() -> AsyncStream<Result<PhotoSnapshot, APIError>> { photos(after: nil) }

  /// One answer, with all photos.
  public func photos(after _: PhotoSnapshot?) -> AsyncStream<Result<PhotoSnapshot, APIError>> {
    AsyncStream { continuation in
      let task = Task(executorPreference: WorkerPool.shared) {
        let answer: Result<PhotoSnapshot, APIError>
        do throws(APIError) {
          let page = try await fetchPopularPhotos()
          var snapshot = PhotoSnapshot(photos: PhotoTable(page.items), totalItems: page.totalItems)
          (snapshot.pageNumber, snapshot.totalPages) = (page.number, page.totalPages)
          answer = .success(snapshot)
        } catch {
          answer = .failure(error)
        }
        continuation.yield(answer)
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
