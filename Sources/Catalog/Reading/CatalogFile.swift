import Gallery
import Photos
import Services
import WorkerPool

/// A source that reads a JSON catalog from a file: the bundled gallery's `content.json`, or one of the user's catalogs.
public struct CatalogFile: APIServiceProtocol {
  private let path: FilePath

  /// Creates a source.
  ///
  /// - Parameter path: The catalog's absolute path.
  public init(path: FilePath) { self.path = path }

  public func fetchPhotos(after _: PhotoSnapshot?) -> PhotoStream {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      CatalogLoading(source: .file(path), kind: .catalog).start(continuation)
    }
  }
}
