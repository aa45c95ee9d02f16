import CCurl
import CSystem
import Foundation
import Gallery

/// One request to one server, and its answer as it arrives.
///
/// The class is unchecked because the compiler cannot see that it belongs to its creator until it is started, and then
/// to the transfer thread alone.
final class Transfer: @unchecked Sendable {
  struct Answer: Sendable {
    var status = 0
    var headers: [String: String] = [:]
    /// The body of a successful answer that goes to memory, or the beginning of one that contains the reason of a
    /// refusal.
    var body: [UInt8] = []
    var wishedDelay = Duration.zero
    /// The absolute address of a redirect.
    var redirect: String?
    /// The scheme by which the server has asked for the password; nil if it has not.
    var passwordScheme: PasswordScheme?
  }

  /// Called once with the result.
  var completion: (Result<Answer, HTTPError>) -> Void = { _ in }
  var isCancelled = false
  let easy = curl.easy_init()!

  let address: HTTPAddress
  private let mayBePrivate: Bool
  /// The address of the proxy, which may contain a password; nil if there is none.
  let proxy: String?
  private let output: BodyWriter
  private let sizeLimit: Int
  private let headerLimit: Int
  private var list: UnsafeMutablePointer<curl_slist>?
  let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var answer = Answer()
  private var headerSize = 0
  /// The reason why this side ended the transfer.
  private var fault: HTTPError?
  /// Whether a private address of the host was refused, and whether another address was tried.
  private(set) var hasRefusedAddress = false
  private(set) var hasOpenedSocket = false
  /// Whether the transfer ended because the rest of the answer is not needed.
  private var isCutShort = false
  private var passwordScheme: PasswordScheme?
  private let prefix: Int?

  /// The number of bytes that are read of a refusal.
  private static let longestRefusal = 64 << 10

  init(
    method: HTTPRequest.Method, address: HTTPAddress, headers: [String], body: [UInt8], proxy: String?,
    mayBePrivate: Bool, output: BodyWriter, sizeLimit: Int, prefix: Int? = nil, isCompressed: Bool = true,
    limits: HTTPLimits
  ) {
    self.prefix = prefix
    self.address = address
    self.mayBePrivate = mayBePrivate
    self.proxy = proxy
    self.output = output
    self.sizeLimit = sizeLimit
    headerLimit = limits.headerSize
    errorText.pointee = 0
    for line in headers { list = curl.slist_append(list, line) }
    ccurl_set_headers(easy, list)
    ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    setAddress(proxy: proxy, isCompressed: isCompressed && prefix == nil)
    if method != .get { setBody(body, method) }
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
    guard let certificates else { return }
    ccurl_set_string(easy, CURLOPT_CAINFO, certificates)
    ccurl_set_string(easy, CURLOPT_PROXY_CAINFO, certificates)
  }

  /// - Parameter scheme: The scheme by which the server takes passwords, or nil if it is unknown. Then the server is asked first.
  func authorize(by authorization: HTTPAuthorization, _ scheme: PasswordScheme?) {
    switch authorization {
    case .password(let user, let password):
      let schemes: [PasswordScheme?: UInt] = [.basic: CCURLAUTH_BASIC, .digest: CCURLAUTH_DIGEST]
      ccurl_set_long(easy, CURLOPT_HTTPAUTH, Int(schemes[scheme] ?? CCURLAUTH_BASIC | CCURLAUTH_DIGEST))
      ccurl_set_string(easy, CURLOPT_USERNAME, user)
      ccurl_set_string(easy, CURLOPT_PASSWORD, password)
    case .signature(let keyID, let secret, let region):
      ccurl_set_string(easy, CURLOPT_AWS_SIGV4, "aws:amz:\(region):s3")
      ccurl_set_string(easy, CURLOPT_USERNAME, keyID)
      ccurl_set_string(easy, CURLOPT_PASSWORD, secret)
    }
  }

  private func setAddress(proxy: String?, isCompressed: Bool) {
    ccurl_set_string(easy, CURLOPT_URL, address.text)
    ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    // Empty strings keep libcurl from reading the environment.
    ccurl_set_string(easy, CURLOPT_PROXY, proxy ?? "")
    ccurl_set_string(easy, CURLOPT_NOPROXY, "")
    ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // A part of a compressed body could not be decompressed.
    ccurl_set_string(easy, CURLOPT_ACCEPT_ENCODING, isCompressed ? "gzip, deflate" : "identity")
    // libcurl 7 has the version as an enumeration, and libcurl 8 as a number.
    ccurl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    ccurl_set_long(easy, CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
  }

  private func setBody(_ body: [UInt8], _ method: HTTPRequest.Method) {
    // libcurl copies as many bytes as it knows of. Without an address, it would ask for the body instead of sending an empty one.
    ccurl_set_long(easy, CURLOPT_POSTFIELDSIZE, body.count)
    (body + [0]).withUnsafeBytes { bytes in
      _ = ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
    ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, method.rawValue)
  }

  private func setLimits(_ limits: HTTPLimits) {
    let (seconds, attoseconds) = limits.connectTime.components
    ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    ccurl_set_long(easy, CURLOPT_LOW_SPEED_TIME, limits.stallSeconds)
    ccurl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, limits.leastSpeed)
    ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    // The end of a transfer does not wait for the lookup of its host, which would block all other transfers.
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

// The callbacks of libcurl, on the transfer thread.
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
    return create_socket(family, kind, address.pointee.protocol)
  }

  /// Whether the request may be sent over a connection to this address.
  ///
  /// A reused connection opens no socket, so it is checked here.
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
      // A new answer begins. Those before it were informational.
      answer = Answer(status: line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
    } else if let colon = line.firstIndex(of: ":") {
      let name = line[..<colon].lowercased()
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
      answer.headers[name] = answer.headers[name].map { $0 + ", " + value } ?? value
      fault = fault(of: name, answer.headers[name] ?? "")
      if fault != nil { return false }
      if answer.status == 401, name == "www-authenticate" { noteScheme(value.lowercased()) }
    }
    return true
  }

  /// Returns what is wrong with a header that says how long the body is and how it is compressed; nil if nothing is.
  private func fault(of name: String, _ value: String) -> HTTPError? {
    guard (200..<300).contains(answer.status) else { return nil }
    switch name {
    case "content-length":
      // Of two lengths, either could cut the body off (RFC 9112, section 6.3).
      let lengths = Set(value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
      let isSound = lengths.count == 1 && lengths.allSatisfy { Int($0) != nil }
      return isSound ? nil : .interrupted(host: address.host, reason: "Invalid Content-Length: value")
    // libcurl applies all methods that it knows, asked for or not, and several one after another. zstd keeps up to 128 MB of
    // what it has decoded, and brotli 16 MB.
    case "content-encoding" where !["", "identity", "gzip", "x-gzip", "deflate"].contains(value.lowercased()),
      "transfer-encoding" where !["", "identity", "chunked"].contains(value.lowercased()):
      return .unwantedCoding(host: address.host)
    default: return nil
    }
  }

  /// Takes note of a scheme that the server offers. libcurl takes the safest one.
  private func noteScheme(_ challenge: String) {
    if challenge.hasPrefix("digest") { passwordScheme = .digest }
    if challenge.hasPrefix("basic"), passwordScheme == nil { passwordScheme = .basic }
  }

  private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard (200..<300).contains(answer.status) else {
      answer.body.append(contentsOf: bytes.prefix(Self.longestRefusal - answer.body.count))
      isCutShort = answer.body.count == Self.longestRefusal
      return !isCutShort
    }
    do throws(HTTPError) {
      if let prefix, output.size + bytes.count > prefix {
        // A server that knows no ranges would send the rest, too.
        try output.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(prefix - output.size)))
        isCutShort = true
        return false
      }
      guard output.size + bytes.count <= sizeLimit else { throw .bodyTooLarge(host: address.host, limit: sizeLimit) }
      try output.append(bytes)
      return true
    } catch {
      fault = error
      return false
    }
  }
}

// The end of a transfer.
extension Transfer {
  func end(_ code: CURLcode) {
    guard code == CURLE_OK || isCutShort else { return completion(.failure(fault ?? error(code))) }
    var seconds: curl_off_t = 0
    ccurl_get_offset(easy, CURLINFO_RETRY_AFTER, &seconds)
    answer.wishedDelay = .seconds(seconds)
    // Only a proxy asks for its password in this way.
    if proxy != nil, answer.status == 407 {
      return completion(.failure(.noConnection(host: address.host, cause: .proxy(.status(407)))))
    }
    answer.passwordScheme = passwordScheme
    if Redirect.isRedirect(answer.status) {
      answer.redirect = ccurl_get_string(easy, CURLINFO_REDIRECT_URL).map { String(cString: $0) }
    }
    if (200..<300).contains(answer.status) { answer.body = output.take() }
    completion(.success(answer))
  }
}
