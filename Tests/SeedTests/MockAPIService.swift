import Gallery
import Photos
import Services
import Synchronization

/// A source of photos that answers when the test says so.
final class MockAPIService: APIServiceProtocol {
  private let answers = Mutex<PhotoStream.Continuation?>(nil)

  /// Whether the photos have been asked for.
  var isFetchPhotosCalled: Bool { answers.withLock { $0 != nil } }

  func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream {
    AsyncStream { continuation in answers.withLock { $0 = continuation } }
  }

  /// Answers the fetch with photos.
  func fetchSuccess(_ photos: [Photo]) { answer(.success(PhotoSnapshot(photos: PhotoTable(photos)))) }

  /// Answers the fetch with an error.
  func fetchFail(_ error: APIError) { answer(.failure(error)) }

  private func answer(_ answer: Result<PhotoSnapshot, APIError>) {
    answers.withLock { answers in
      answers?.yield(answer)
      answers?.finish()
    }
  }
}
