import Gallery

/// Where photos come from.
public protocol APIServiceProtocol: Sendable {
  /// The popular photos, of the first page.
  func fetchPopularPhotos() async throws(APIError) -> Page<Photo>

  /// The same photos as they come: each answer has all so far, the last is complete or a failure. Answers that nobody
  /// has taken yet are replaced by the next. Who no longer iterates stops the reading.
  func photos() -> AsyncStream<Result<PhotoSnapshot, APIError>>
}

extension APIServiceProtocol {
  /// One answer, with all photos.
  public func photos() -> AsyncStream<Result<PhotoSnapshot, APIError>> {
    AsyncStream { continuation in
      let task = Task {
        let answer: Result<PhotoSnapshot, APIError>
        do throws(APIError) {
          let page = try await fetchPopularPhotos()
          answer = .success(
            PhotoSnapshot(
              photos: PhotoTable(page.items), pageNumber: page.number, totalPages: page.totalPages,
              totalItems: page.totalItems))
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
