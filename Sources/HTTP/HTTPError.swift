import Foundation
import Gallery

/// A reason why a request has no answer.
public enum HTTPError: Error, Hashable, Sendable {
  /// The task was canceled.
  case cancelled
  /// libcurl is not installed.
  case unavailable
  /// The address is no valid http or https URL.
  case invalidAddress(String)
  /// The header has characters that HTTP does not allow.
  case invalidHeader(name: String)
  /// The host cannot be connected to.
  case noConnection(host: String, cause: ConnectionFault)
  /// Connecting took longer than ``HTTPLimits/connectTime``.
  case connectingTakesTooLong(host: String)
  /// The connection broke, or the answer is damaged.
  case interrupted(host: String, reason: String)
  /// The answer is not HTTP.
  case notHTTP(host: String)
  /// The answer is compressed by a method that was not asked for.
  case unwantedCoding(host: String)
  /// The answer arrives more slowly than ``HTTPLimits/leastSpeed``.
  case tooSlow(host: String)
  /// The certificate does not prove that this is the host.
  case untrusted(host: String, TrustFault)
  /// The body is larger than `limit` bytes.
  case bodyTooLarge(host: String, limit: Int)
  /// The headers are larger than `limit` bytes.
  case headersTooLarge(host: String, limit: Int)
  /// The servers redirect more than `limit` times.
  case tooManyRedirects(host: String, limit: Int)
  /// A redirect leads to an address that ``HTTPAddress/mayLead(to:)`` excludes.
  case forbiddenRedirect(to: String)
  /// The host is on a private network, and the user did not name it.
  case privateAddress(host: String)
  /// The server refuses the request. `reason` is its own, if it gives one.
  case refused(host: String, status: Int, reason: String?)
  /// The body cannot be written to its file.
  case unwritable(WriteFault)

  /// Whether the same request may succeed soon.
  var mayPass: Bool {
    switch self {
    case .noConnection(_, let fault): fault.mayPass
    case .interrupted: true
    case .refused(_, let status, _): status == 429 || status >= 500
    default: false
    }
  }
}

extension HTTPError {
  /// Whether the failure says nothing about the content of the address, so that a cached copy can replace the answer.
  public var isOutage: Bool {
    switch self {
    case .noConnection, .connectingTakesTooLong, .tooSlow: true
    default: mayPass
    }
  }
}

extension ConnectionFault {
  /// Whether another try may succeed soon.
  fileprivate var mayPass: Bool {
    switch self {
    case .noEncryption, .notHTTP: false
    case .status(let status): status == 429 || status >= 500
    case .proxy(let fault): fault.mayPass
    default: true
    }
  }

  /// - Parameter systemError: The error number of the system call that connects, or 0 if it is unknown.
  init(systemError: Int32) {
    self =
      switch systemError {
      case ECONNREFUSED: .refused
      case EHOSTUNREACH: .noRoute
      case ETIMEDOUT: .timedOut
      case ENETUNREACH, ENETDOWN: .noNetwork
      case 0: .unknown
      default: .system(reason: String(cString: strerror(systemError)))
      }
  }
}

extension ConnectionFault {
  /// Returns why TLS has failed, in the words of its library; nil if the connection broke, so that another try may succeed.
  /// - Parameter text: libcurl's message, such as `error:0A00010B:SSL routines::wrong version number`.
  static func reasonOfTLS(in text: String) -> String? {
    if ["SYSCALL", "unexpected eof", "reset"].contains(where: text.contains) { return nil }
    return text.contains("SSL routines") ? text.split(separator: ":").last.map(String.init) : text
  }
}

extension TrustFault {
  /// - Parameters:
  ///   - verifyResult: The result of OpenSSL (`X509_V_ERR_…`). Other libraries have other numbers or none.
  ///   - reason: libcurl's message.
  init(verifyResult: Int, reason: String) {
    self =
      switch verifyResult {
      case 9: .notYetValid
      case 10: .expired
      case 18, 19, 20, 21: .unknownAuthority
      case 66, 67, 68: .weak
      // libcurl compares the names itself.
      case _ where reason.contains("subject name"): .otherName
      default: .other(reason: reason)
      }
  }
}

extension APIError {
  /// Creates the error that a service reports for a failed request.
  public init(_ error: HTTPError) {
    self =
      switch error {
      case .cancelled: .cancelled
      case .unavailable: .webUnavailable
      case .noConnection(_, .noNetwork): .noNetwork
      case .noConnection(let host, let fault): .unreachable(server: host, fault)
      case .connectingTakesTooLong(let host): .unreachable(server: host, .timedOut)
      case .refused(_, 429, _), .refused(_, 503, _): .serverOverload
      case .refused(let host, 401, let reason), .refused(let host, 403, let reason):
        .permissionDenied(subject: host, reason: reason)
      case .refused(let host, let status, let reason): .serverFault(server: host, .status(status, reason: reason))
      case .interrupted(let host, let reason): .serverFault(server: host, .interrupted(reason: reason))
      case .tooSlow(let host): .serverFault(server: host, .tooSlow)
      case .bodyTooLarge(let host, let limit): .serverFault(server: host, .bodyTooLarge(limit: limit))
      case .headersTooLarge(let host, let limit): .serverFault(server: host, .headersTooLarge(limit: limit))
      case .tooManyRedirects(let host, let limit): .serverFault(server: host, .tooManyRedirects(limit: limit))
      case .notHTTP(let host): .serverFault(server: host, .notHTTP)
      case .unwantedCoding(let host): .serverFault(server: host, .unwantedCoding)
      case .untrusted(let host, let fault): .untrustedServer(server: host, fault)
      case .invalidAddress(let address): .unsafeAddress(address, .notHTTP)
      case .invalidHeader(let name): .invalidHeader(name: name)
      case .forbiddenRedirect(let address): .unsafeAddress(address, .forbiddenRedirect)
      case .privateAddress(let host): .unsafeAddress(host, .privateNetwork)
      case .unwritable(let fault): .cannotWrite(fault)
      }
  }
}
