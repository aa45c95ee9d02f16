import CCurl
import Foundation
import Synchronization

/// A client that sends requests with HTTP/1.1 and HTTP/2, compressed if the server can, over reused connections.
///
/// libcurl transfers the data on a separate thread, which sleeps while there is no transfer. Canceling a task ends its
/// request at once.
public final class HTTPClient: Sendable {
  private let limits: HTTPLimits
  private let userAgent: String
  private let proxies: ProxySettings
  private let certificates: String?
  private let clock: any Clock<Duration>
  private let random: @Sendable () -> Double
  private let thread = TransferThread()
  /// The schemes by which servers take passwords, by the origins of their addresses.
  private let schemes = Mutex<[String: PasswordScheme]>([:])
  private let endsWithOutage = Mutex(false)

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - environment: Names proxies (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`) and a file of certificates
  ///     to trust (`CURL_CA_BUNDLE`, `SSL_CERT_FILE`), as for curl.
  ///   - random: Returns a number from 0 to 1.
  public init(
    userAgent: String, limits: HTTPLimits = HTTPLimits(), environment: [String: String], clock: any Clock<Duration>,
    random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    self.userAgent = userAgent
    self.limits = limits
    self.clock = clock
    self.random = random
    proxies = ProxySettings(environment: environment)
    certificates = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
  }

  deinit { thread.stop() }

  /// Cancels all requests, also later ones, as soon as one gets no answer. A program calls this when it only waits for
  /// requests to end.
  public func endWithNextOutage() { endsWithOutage.withLock { $0 = true } }

  /// Sends a request. Follows redirects, and retries after failures that may be temporary.
  ///
  /// - Parameters:
  ///   - onRetry: Called with the error of a try before the client waits for the next one.
  ///   - onStart: Called on another thread when the first ``HTTPRequest/startSize`` bytes of the body are at its destination. A try that fails
  ///     later discards them.
  /// - Returns: A successful answer, or one that says that the cached body is still valid.
  public func send(
    _ request: HTTPRequest, onRetry: (HTTPError) -> Void = { _ in }, onStart: (@Sendable () -> Void)? = nil
  ) async throws(HTTPError) -> HTTPResponse {
    guard ccurl_table() != nil else { throw .unavailable }
    guard let address = HTTPAddress(request.address), address.isHTTP else { throw .invalidAddress(request.address) }
    let headers = try Self.lines(request.headers)
    let output = BodyWriter(request.destination, onStart: onStart)
    for number in 1... {
      do throws(Failure) {
        return try await follow(request, from: address, headers: headers, output: output)
      } catch {
        let delay = limits.delay(afterTry: number, failing: error.error, wish: error.wish, random: random())
        guard let delay, request.mayBeTriedAgain else { throw error.error }
        onRetry(error.error)
        do { try await clock.sleep(for: delay) } catch { throw .cancelled }
      }
    }
    throw .cancelled
  }

  /// The error of one try, and how long the server asks the client to wait.
  private struct Failure: Error {
    var error: HTTPError
    var wish = Duration.zero
  }

  private func follow(
    _ request: HTTPRequest, from first: HTTPAddress, headers: [String], output: BodyWriter
  ) async throws(Failure) -> HTTPResponse {
    var (request, address, headers) = (request, first, headers)
    for _ in 0...limits.redirects {
      let answer = try await answer(request, at: address, headers: headers, output: output)
      guard let target = answer.redirect else { return try response(answer, from: address) }
      do throws(HTTPError) {
        let next = try Redirect.follow(request.method, status: answer.status, from: address, to: target)
        if !address.isTrusted(toForwardTo: next) {
          headers = []
          request.authorization = nil
        }
        address = next
      } catch {
        throw Failure(error: error)
      }
    }
    throw Failure(error: .tooManyRedirects(host: first.host, limit: limits.redirects))
  }

  private func answer(
    _ request: HTTPRequest, at address: HTTPAddress, headers: [String], output: BodyWriter
  ) async throws(Failure) -> Transfer.Answer {
    do throws(HTTPError) {
      try output.rewind()
      let proxy = proxies.proxy(for: address)
      let mayBePrivate = address.host == request.namedHost?.lowercased()
      // A proxy looks the host up, so only an address that is written as a private one can be refused here.
      if proxy != nil, !mayBePrivate, address.isPlainlyPrivate { throw .privateAddress(host: address.host) }
      let range = request.prefix.map { ["Range": "bytes=0-\(max(1, $0) - 1)"] } ?? [:]
      let headers = try headers + Self.lines(request.validators) + Self.lines(range)
      let transfer = Transfer(
        method: request.method, address: address, headers: headers, body: request.body, proxy: proxy,
        mayBePrivate: mayBePrivate || proxy != nil, output: output, sizeLimit: request.largestBody,
        prefix: request.prefix, isCompressed: request.mayBeCompressed, limits: limits)
      transfer.identify(as: userAgent, trusting: certificates)
      if let authorization = request.authorization {
        transfer.authorize(by: authorization, schemes.withLock { $0[address.origin] })
      }
      let answer = try await thread.run(transfer)
      if let scheme = answer.passwordScheme { schemes.withLock { $0[address.origin] = scheme } }
      return answer
    } catch {
      if error.isOutage, endsWithOutage.withLock(\.self) { thread.stop() }
      throw Failure(error: error)
    }
  }

  private func response(_ answer: Transfer.Answer, from address: HTTPAddress) throws(Failure) -> HTTPResponse {
    guard (200..<300).contains(answer.status) || answer.status == 304 else {
      let reason = ServerReason.read(answer.body, type: answer.headers["content-type"])
      throw Failure(
        error: .refused(host: address.host, status: answer.status, reason: reason), wish: answer.wishedDelay)
    }
    return HTTPResponse(status: answer.status, headers: answer.headers, body: answer.body, address: address.text)
  }

  private static func lines(_ headers: [String: String]) throws(HTTPError) -> [String] {
    var lines: [String] = []
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      // Only tokens and field values of RFC 9110, section 5: any other value could add more headers.
      guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }),
        value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
      else { throw .invalidHeader(name: name) }
      // libcurl would send no such header for "Name:".
      lines.append(value.allSatisfy(\.isWhitespace) ? "\(name);" : "\(name): \(value)")
    }
    return lines
  }

  private static func lines(_ validators: HTTPValidators) throws(HTTPError) -> [String] {
    try lines(
      ["If-None-Match": validators.entityTag, "If-Modified-Since": validators.lastModified].compactMapValues(\.self))
  }
}
