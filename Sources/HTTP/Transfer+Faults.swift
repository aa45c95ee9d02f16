import CCurl
import Foundation
import Gallery

// The reason why a transfer failed.
extension Transfer {
  /// Returns what an error of libcurl means. Its own words are used only where they can't contain the address of the proxy, and with it a
  /// password.
  func error(_ code: CURLcode) -> HTTPError {
    let host = address.host
    if hasRefusedAddress, !hasOpenedSocket { return .privateAddress(host: host) }
    let reason = String(cString: errorText.pointee == 0 ? curl.easy_strerror(code)! : UnsafePointer(errorText))
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: return .noConnection(host: host, cause: .unknownName)
    case CURLE_COULDNT_RESOLVE_PROXY: return .noConnection(host: host, cause: .proxy(.unknownName))
    case CURLE_COULDNT_CONNECT: return .noConnection(host: host, cause: connectionFault)
    case CURLE_PROXY: return .noConnection(host: host, cause: .proxy(.system(reason: reason)))
    case CURLE_OPERATION_TIMEDOUT:
      var ready: curl_off_t = 0
      ccurl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &ready)
      return ready > 0 ? .tooSlow(host: host) : .connectingTakesTooLong(host: host)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      let isProxy = isEncryptingToProxy
      let result = number(isProxy ? CURLINFO_PROXY_SSL_VERIFYRESULT : CURLINFO_SSL_VERIFYRESULT)
      let proxy = isProxy ? proxy.flatMap { HTTPAddress($0) } : nil
      return .untrusted(host: proxy?.host ?? host, TrustFault(verifyResult: result, reason: reason))
    case CURLE_SSL_CACERT_BADFILE: return .untrusted(host: host, .noAuthorities(reason: reason))
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER:
      guard let reason = ConnectionFault.reasonOfTLS(in: reason) else { break }
      let fault = ConnectionFault.noEncryption(reason: reason)
      return .noConnection(host: host, cause: isEncryptingToProxy ? .proxy(fault) : fault)
    // Only HTTP/0.9, which has no headers, is a protocol that libcurl could have but must not.
    case CURLE_UNSUPPORTED_PROTOCOL:
      return proxy == nil ? .notHTTP(host: host) : .noConnection(host: host, cause: .proxy(.notHTTP))
    // libcurl reports so for a header that is too long. If memory had run out, the process would not get here.
    case CURLE_OUT_OF_MEMORY, Self.tooLarge: return .headersTooLarge(host: host, limit: Int(CURL_MAX_HTTP_HEADER))
    default: break
    }
    if let fault = tunnelFault(reason) { return .noConnection(host: host, cause: .proxy(fault)) }
    return .interrupted(host: host, reason: reason)
  }

  /// `CURLE_TOO_LARGE`, which libcurl has since 8.6.
  private static let tooLarge = CURLcode(rawValue: 100)

  private func number(_ info: CURLINFO) -> Int {
    var number = 0
    ccurl_get_long(easy, info, &number)
    return number
  }

  /// The reason why the last connection failed.
  private var connectionFault: ConnectionFault {
    let fault = ConnectionFault(systemError: Int32(truncatingIfNeeded: number(CURLINFO_OS_ERRNO)))
    return proxy != nil ? .proxy(fault) : fault
  }

  /// Whether the proxy has opened the tunnel to a server with encryption.
  private var hasTunnel: Bool { (200..<300).contains(number(CURLINFO_HTTP_CONNECTCODE)) }

  /// Whether the connection to the proxy itself is encrypted, and nothing has been sent over it.
  private var isEncryptingToProxy: Bool { proxy?.lowercased().hasPrefix("https:") == true && !hasTunnel }

  /// Returns what the proxy does instead of opening a tunnel; nil if it has opened it, or if there is none to open.
  private func tunnelFault(_ reason: String) -> ConnectionFault? {
    guard let proxy, address.scheme == "https", !proxy.lowercased().hasPrefix("socks"), !hasTunnel else { return nil }
    let status = number(CURLINFO_HTTP_CONNECTCODE)
    return status > 0 ? .status(status) : .system(reason: reason)
  }
}
