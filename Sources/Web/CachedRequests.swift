import Foundation
import Gallery
import HTTP
import Store

/// Requests to a server whose answers are cached, for times when it can't be reached.
struct CachedRequests: Sendable {
  let client: HTTPClient
  let cache: PageCache

  /// Returns what a request is answered, and when that was fetched if it comes from the cache.
  ///
  /// - Parameters:
  ///   - isAway: Whether the server has just not been reached, so that a cached answer is taken without asking.
  ///   - onStart: Called on another thread with the start of an answer that is long.
  ///   - onRetry: Called with the error of a try before the next one.
  ///   - decode: Decodes an answer. What can't be decoded is not kept.
  func answer<Answer>(
    to request: HTTPRequest, isAway: Bool = false, onStart: (@Sendable (PageBody) -> Void)? = nil,
    onRetry: (APIError) -> Void = { _ in }, decode: (WebPage) throws(APIError) -> Answer
  ) async throws(APIError) -> (answer: Answer, keptSince: Date?) {
    if isAway, let kept = kept(request, decode: decode) { return kept }
    let page: WebPage
    do throws(HTTPError) {
      page = try await fetch(request, onStart: onStart, onRetry: onRetry)
    } catch {
      guard error.isOutage, let kept = cache.page(for: request) else { throw APIError(error) }
      return (try decode(kept), kept.keptSince)
    }
    let answer = try decode(page)
    if page.mayBeKept { cache.keep(page, for: request) }
    return (answer, nil)
  }

  /// Returns the cached answer to a request, or nil if there is none.
  func kept<Answer>(
    _ request: HTTPRequest, decode: (WebPage) throws(APIError) -> Answer
  ) -> (answer: Answer, keptSince: Date?)? {
    guard let kept = cache.page(for: request), let answer = try? decode(kept) else { return nil }
    return (answer, kept.keptSince)
  }

  private func fetch(
    _ request: HTTPRequest, onStart: (@Sendable (PageBody) -> Void)?, onRetry: (APIError) -> Void
  ) async throws(HTTPError) -> WebPage {
    let file = try cache.makeFile()
    var request = request
    // With a cached page there is no reason to wait some seconds for another try.
    request.mayBeTriedAgain = !cache.has(request)
    request.destination = .file(descriptor: file.descriptor)
    request.sizeLimit = HTTPRequest.largestPage
    let started = onStart.map { onStart in { @Sendable in onStart(PageBody(descriptor: file.descriptor)) } }
    let response = try await client.send(request, onRetry: { onRetry(APIError($0)) }, onStart: started)
    return WebPage(response, body: PageBody(descriptor: file.descriptor))
  }
}
