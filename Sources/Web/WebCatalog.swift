import Gallery
import HTTP
import Photos
import Services
import Store
import WorkerPool

/// A catalog on the web, by pages: where the next is says the header `Link` (RFC 8288), or `current_page` and
/// `total_pages`, as 500px's answers have them, with `page` in the query.
///
/// What was fetched is kept, and asked after the next time. Where the server cannot be reached, what is kept stands in
/// for it: already while it is tried again.
public struct WebCatalog: APIServiceProtocol {
  private let server: NamedServer
  private let client: HTTPClient
  private let cache: PageCache

  /// - Parameter server: With the address of the first page.
  public init(server: NamedServer, client: HTTPClient, cache: PageCache) {
    (self.server, self.client, self.cache) = (server, client, cache)
  }

  /// The first page; or what is there, and the page after it.
  public func fetchPhotos(after snapshot: PhotoSnapshot?) -> PhotoStream {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task(executorPreference: WorkerPool.shared) {
        do throws(APIError) {
          continuation.yield(.success(try await read(after: snapshot) { continuation.yield(.success($0)) }))
        } catch {
          if error != .cancelled { continuation.yield(.failure(error)) }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// - Parameter answer: Takes what there is to be seen in the meantime.
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
      response = try await client.get(request) { _ in
        guard var shown = kept?.snapshot else { return }
        shown.isComplete = false
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

  private func take(
    _ page: WebPage, of request: HTTPRequest, after snapshot: PhotoSnapshot?, instead kept: PhotoSnapshot?
  ) throws(APIError) -> PhotoSnapshot {
    do throws(APIError) {
      let result = try page.snapshot(after: snapshot)
      if page.mayBeKept { cache.keep(page, for: request) }
      return result
    } catch {
      // Where a network wants a login first, it answers for every server with a page of its own.
      if let kept { return kept }
      throw error
    }
  }

  /// Nil for what cannot be read any more, too, which is fetched anew.
  private func kept(
    for request: HTTPRequest, after snapshot: PhotoSnapshot?
  ) -> (validators: HTTPValidators, snapshot: PhotoSnapshot)? {
    guard let page = cache.page(for: request), let kept = try? page.snapshot(after: snapshot) else { return nil }
    return (page.validators, kept)
  }
}
