import Gallery
import Photos
import Services
import Testing

extension APIServiceProtocol {
  /// Returns the first complete snapshot.
  func fetchComplete(after snapshot: PhotoSnapshot? = nil) async throws -> PhotoSnapshot {
    for await answer in fetchPhotos(after: snapshot) {
      let snapshot = try answer.get()
      if snapshot.isComplete { return snapshot }
    }
    throw CancellationError()
  }

  /// Returns the last snapshot of a fetch that ends.
  func last(after snapshot: PhotoSnapshot? = nil) async throws -> PhotoSnapshot {
    var last: Result<PhotoSnapshot, APIError>?
    for await answer in fetchPhotos(after: snapshot) { last = answer }
    return try #require(last).get()
  }

  /// Fetches page after page and returns a snapshot for each, twenty at most.
  func allPages() async throws -> [PhotoSnapshot] {
    var pages = [try await last()]
    while let page = pages.last, page.nextPage != nil, pages.count < 20 { pages.append(try await last(after: page)) }
    return pages
  }
}
