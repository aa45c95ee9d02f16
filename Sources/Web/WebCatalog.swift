import Gallery
import HTTP
import Photos
import Services
import Store

/// A catalog on a web server, which is fetched page by page.
///
/// The header `Link` gives the next page (RFC 8288). Without it, `current_page` and `total_pages` of the answer do, as
/// in 500px's API, and the number goes to `page` in the query.
///
/// Pages are cached and validated at the next fetch. If the server cannot be reached, the cached page is used, and it
/// is shown while the request is retried.
public struct WebCatalog: APIServiceProtocol {
  private let server: NamedServer
  private let client: HTTPClient
  private let cache: PageCache

  /// Creates a catalog.
  /// - Parameters:
  ///   - server: The server, with the address of the first page.
  ///   - client: The client that sends the requests.
  ///   - cache: The cache of the pages.
  public init(server: NamedServer, client: HTTPClient, cache: PageCache) {
    self.server = server
    self.client = client
    self.cache = cache
  }

  /// Fetches the first page, or the page after a snapshot. The answers also contain the photos of that snapshot.
  public func fetchPhotos(after snapshot: PhotoSnapshot?) -> PhotoStream {
    .answers { answer throws(APIError) in answer(try await read(after: snapshot, answer)) }
  }

  /// Fetches a page and returns the snapshot that includes it.
  /// - Parameter answer: Called with the snapshot to show while the request is retried.
  private func read(
    after snapshot: PhotoSnapshot?, _ answer: (PhotoSnapshot) -> Void
  ) async throws(APIError) -> PhotoSnapshot {
    if let snapshot, snapshot.nextPage == nil { return snapshot }
    var request = server.request(snapshot?.nextPage ?? server.address)
    let kept = kept(for: request, after: snapshot)
    if let kept { request.validators = kept.validators }
    let (response, body): (HTTPResponse, PageBody)
    do throws(HTTPError) {
      let file = try cache.makeFile()
      request.destination = .file(descriptor: file.descriptor)
      request.sizeLimit = HTTPRequest.largestPage
      response = try await client.send(request) { error in
        var shown = kept?.snapshot ?? snapshot ?? PhotoSnapshot()
        shown.isComplete = false
        shown.retriedError = APIError(error)
        answer(shown)
      }
      body = PageBody(descriptor: file.descriptor)
    } catch {
      if error.isOutage, let kept { return kept.snapshot }
      throw APIError(error)
    }
    if response.isNotModified, var kept {
      cache.renew(request)
      kept.snapshot.keptSince = snapshot?.keptSince
      return kept.snapshot
    }
    return try take(WebPage(response, body: body), of: request, after: snapshot, instead: kept?.snapshot)
  }

  /// Returns the snapshot that includes a page, and caches the page. If the page is invalid, returns the cached
  /// snapshot.
  private func take(
    _ page: WebPage, of request: HTTPRequest, after snapshot: PhotoSnapshot?, instead kept: PhotoSnapshot?
  ) throws(APIError) -> PhotoSnapshot {
    do throws(APIError) {
      let result = try page.snapshot(after: snapshot)
      if page.mayBeKept { cache.keep(page, for: request) }
      return result
    } catch {
      // A network that requires a login (a captive portal) answers for every server with its own page.
      if let kept { return kept }
      throw error
    }
  }

  /// Returns the cached page, or nil if there is none. A cached page that cannot be read is fetched again.
  private func kept(
    for request: HTTPRequest, after snapshot: PhotoSnapshot?
  ) -> (validators: HTTPValidators, snapshot: PhotoSnapshot)? {
    guard let page = cache.page(for: request), let kept = try? page.snapshot(after: snapshot) else { return nil }
    return (page.validators, kept)
  }
}
