import CCurl
import Foundation

/// One request to one server, and its answer as it comes.
/// Unchecked, since the compiler cannot see that it belongs to whoever makes it until it is started, and then to the
/// transfer thread alone.
final class Transfer: @unchecked Sendable {
  struct Answer: Sendable {
    var status = 0
    var headers: [String: String] = [:]
    /// Of success, where it goes to memory; else as much as tells why there is none.
    var body: [UInt8] = []
    var wishedDelay = Duration.zero
    /// The absolute address that it names instead.
    var redirect: String?
  }

  /// Called once, with what came of it.
  var completion: (Result<Answer, HTTPError>) -> Void = { _ in }
  var isCancelled = false
  let easy = curl.easy_init()!

  private let address: HTTPAddress
  private let mayBePrivate: Bool
  private let usesProxy: Bool
  private let output: Output
  private let sizeLimit: Int
  private let headerLimit: Int
  private var list: UnsafeMutablePointer<curl_slist>?
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var answer = Answer()
  private var headerSize = 0
  /// Why it was ended from here.
  private var fault: HTTPError?
  /// Whether a private address of the host was refused, and whether another address was tried.
  private var hasRefusedAddress = false
  private var hasOpenedSocket = false
  /// Whether it was ended because the rest of the answer is of no interest.
  private var isCutShort = false

  /// Enough for a sentence, and nothing to fear.
  private static let longestRefusal = 64 << 10

  init(
    address: HTTPAddress, headers: [String], proxy: String?, mayBePrivate: Bool, output: Output, sizeLimit: Int,
    limits: HTTPLimits
  ) {
    self.address = address
    self.mayBePrivate = mayBePrivate
    usesProxy = proxy != nil
    self.output = output
    self.sizeLimit = sizeLimit
    headerLimit = limits.headerSize
    errorText.pointee = 0
    for line in headers { list = curl.slist_append(list, line) }
    ccurl_set_headers(easy, list)
    ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    setAddress(proxy: proxy)
    setLimits(limits)
    setCallbacks()
  }

  deinit {
    curl.easy_cleanup(easy)
    curl.slist_free_all(list)
    errorText.deallocate()
  }

  func identify(as userAgent: String, trusting certificates: String?) {
    ccurl_set_string(easy, CURLOPT_USERAGENT, userAgent)
    if let certificates { ccurl_set_string(easy, CURLOPT_CAINFO, certificates) }
  }

  private func setAddress(proxy: String?) {
    ccurl_set_string(easy, CURLOPT_URL, address.text)
    ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    // Empty strings keep it from looking into the environment.
    ccurl_set_string(easy, CURLOPT_PROXY, proxy ?? "")
    ccurl_set_string(easy, CURLOPT_NOPROXY, "")
    ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Whatever it can decompress.
    ccurl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "")
  }

  private func setLimits(_ limits: HTTPLimits) {
    let (seconds, attoseconds) = limits.connectTime.components
    ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    ccurl_set_long(easy, CURLOPT_LOW_SPEED_TIME, limits.stallSeconds)
    ccurl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, limits.leastSpeed)
    ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    // A name that is still being looked up does not hold up the end of a transfer, and with it all the others.
    ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
  }

  private func setCallbacks() {
    let this = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_pointer(easy, CURLOPT_HEADERDATA, this)
    ccurl_set_receiver(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, user in
      let isTaken = Transfer.from(user).receiveHeader(UnsafeRawBufferPointer(start: bytes, count: count))
      return isTaken ? count : Int(CURL_WRITEFUNC_ERROR)
    }
    ccurl_set_pointer(easy, CURLOPT_WRITEDATA, this)
    ccurl_set_receiver(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, user in
      let isTaken = Transfer.from(user).receiveBody(UnsafeRawBufferPointer(start: bytes, count: count))
      return isTaken ? count : Int(CURL_WRITEFUNC_ERROR)
    }
    ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, this)
    ccurl_set_socket_opener(easy) { user, _, address in
      address.map { Transfer.from(user).openSocket(to: $0) } ?? CURL_SOCKET_BAD
    }
    ccurl_set_pointer(easy, CURLOPT_PREREQDATA, this)
    ccurl_set_connected(easy) { user, peer, _, _, _ in
      Transfer.from(user).isAllowed(peer.map { String(cString: $0) } ?? "") ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
  }

  private static func from(_ user: UnsafeMutableRawPointer?) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(user!).takeUnretainedValue()
  }
}

// What libcurl calls, on the transfer thread.
extension Transfer {
  /// Opens the socket for a connection, unless the address is private and the request must not go there.
  ///
  /// libcurl calls this once for each address of the host, before it connects. A refused address gets no packet, and
  /// libcurl goes on to the next one.
  private func openSocket(to address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    let (family, kind) = (address.pointee.family, address.pointee.socktype)
    // The structure ends with an address that may be longer than its declared type.
    let place = UnsafeRawPointer(address) + MemoryLayout<curl_sockaddr>.offset(of: \.addr)!
    if !mayBePrivate, PrivateNetwork.contains(place, family: family) {
      hasRefusedAddress = true
      return CURL_SOCKET_BAD
    }
    hasOpenedSocket = true
    return socket(family, kind | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
  }

  /// Whether the request may be sent over the connection to this address. A connection that was kept from an earlier
  /// request opens no socket, so it's checked here.
  private func isAllowed(_ peer: String) -> Bool {
    guard !mayBePrivate, PrivateNetwork.contains(peer) else { return true }
    fault = .privateAddress(host: address.host)
    return false
  }

  private func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headerSize += bytes.count
    guard headerSize <= headerLimit else {
      fault = .headersTooLarge(host: address.host, limit: headerLimit)
      return false
    }
    let line = String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      // A new answer: those before it were of the kind "go on".
      answer = Answer(status: line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
    } else if let colon = line.firstIndex(of: ":") {
      let name = line[..<colon].lowercased()
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
      answer.headers[name] = answer.headers[name].map { $0 + ", " + value } ?? value
    }
    return true
  }

  private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard (200..<300).contains(answer.status) else {
      answer.body.append(contentsOf: bytes.prefix(Self.longestRefusal - answer.body.count))
      isCutShort = answer.body.count == Self.longestRefusal
      return !isCutShort
    }
    do throws(HTTPError) {
      guard output.size + bytes.count <= sizeLimit else { throw .bodyTooLarge(host: address.host, limit: sizeLimit) }
      try output.append(bytes)
      return true
    } catch {
      fault = error
      return false
    }
  }
}

// How it ends.
extension Transfer {
  func end(_ code: CURLcode) {
    guard code == CURLE_OK || isCutShort else { return completion(.failure(fault ?? error(code))) }
    var seconds: curl_off_t = 0
    ccurl_get_offset(easy, CURLINFO_RETRY_AFTER, &seconds)
    answer.wishedDelay = .seconds(seconds)
    if Redirect.isRedirect(answer.status) {
      answer.redirect = ccurl_get_string(easy, CURLINFO_REDIRECT_URL).map { String(cString: $0) }
    }
    if (200..<300).contains(answer.status) { answer.body = output.take() }
    completion(.success(answer))
  }

  /// Why the last connection that was tried failed.
  private var connectionFault: HTTPError.ConnectionFault {
    var number = 0
    ccurl_get_long(easy, CURLINFO_OS_ERRNO, &number)
    let fault = HTTPError.ConnectionFault(systemError: Int32(truncatingIfNeeded: number))
    return usesProxy ? .proxy(fault.text) : fault
  }

  /// CURLE_TOO_LARGE, which libcurl has from 8.6 on.
  private static let tooLarge = CURLcode(rawValue: 100)

  private func error(_ code: CURLcode) -> HTTPError {
    let host = address.host
    if hasRefusedAddress, !hasOpenedSocket { return .privateAddress(host: host) }
    let reason = String(cString: errorText.pointee == 0 ? curl.easy_strerror(code)! : UnsafePointer(errorText))
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: return .noConnection(host: host, cause: .unknownName)
    case CURLE_COULDNT_RESOLVE_PROXY: return .noConnection(host: host, cause: .proxy("unknown name"))
    case CURLE_COULDNT_CONNECT: return .noConnection(host: host, cause: connectionFault)
    case CURLE_OPERATION_TIMEDOUT:
      var ready: curl_off_t = 0
      ccurl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &ready)
      return ready > 0 ? .tooSlow(host: host) : .connectingTakesTooLong(host: host)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS:
      return .untrusted(host: host, reason: reason)
    // So it says of one header that is too long; where memory itself ran out, nobody would hear of it.
    case CURLE_OUT_OF_MEMORY, Self.tooLarge: return .headersTooLarge(host: host, limit: Int(CURL_MAX_HTTP_HEADER))
    default: return .interrupted(host: host, reason: reason)
    }
  }
}
