import Gallery
import Photos

/// The answers to one fetch: snapshots that grow or change, or the error that ended the fetch.
public typealias PhotoStream = AsyncStream<Result<PhotoSnapshot, APIError>>

/// A source of photos: a catalog, a folder, a list of paths or a web server.
///
/// A source that has all of its photos at once answers with one snapshot:
///
/// ```swift
/// struct FixedPhotos: APIServiceProtocol {
///   let photos: [Photo]
///
///   func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream {
///     AsyncStream { answers in
///       answers.yield(.success(PhotoSnapshot(photos: PhotoTable(photos))))
///       answers.finish()
///     }
///   }
/// }
/// ```
public protocol APIServiceProtocol: Sendable {
  /// Fetches the photos and returns a stream of snapshots.
  ///
  /// Each snapshot contains every photo known so far. A snapshot that has not been read yet may be replaced by the next
  /// one. The stream ends when no more photos or changes can follow; a failure is its last answer. The fetch stops when
  /// the caller stops iterating.
  ///
  /// - Parameter snapshot: A snapshot to continue from, or nil to start from the beginning. If the snapshot has a
  ///   `nextPage`, the answers contain its photos and those of that page. Sources without pages ignore it.
  func fetchPhotos(after snapshot: PhotoSnapshot?) -> PhotoStream
}

extension APIServiceProtocol {
  /// Fetches the photos from the beginning.
  public func fetchPhotos() -> PhotoStream { fetchPhotos(after: nil) }
}
