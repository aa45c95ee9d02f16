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
  /// The connection broke, or the answer is not HTTP.
  case interrupted(host: String, reason: String)
  /// The answer arrives more slowly than ``HTTPLimits/leastSpeed``.
  case tooSlow(host: String)
  /// The certificate belongs to another host, or no trusted authority signed it.
  case untrusted(host: String, reason: String)
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
  case unwritable(reason: String)

  /// Whether the same request may succeed soon.
  var mayPass: Bool {
    switch self {
    case .noConnection, .interrupted: true
    case .refused(_, let status, _): status == 429 || status >= 500
    default: false
    }
  }
}

extension HTTPError {
  /// A reason why a host cannot be reached.
  public enum ConnectionFault: Hashable, Sendable {
    /// No program listens at the port.
    case refused
    /// No route leads to the host.
    case noRoute
    /// The host does not answer in time.
    case timedOut
    /// This machine is in no network.
    case noNetwork
    /// The host has no address, or no name server answers.
    case unknownName
    /// The proxy cannot be reached for this reason.
    case proxy(String)
    /// The system reports another error.
    case other(String)

    /// - Parameter systemError: The error number of the system call that connects, or 0 if it is unknown.
    init(systemError: Int32) {
      self =
        switch systemError {
        case ECONNREFUSED: .refused
        case EHOSTUNREACH: .noRoute
        case ETIMEDOUT: .timedOut
        case ENETUNREACH, ENETDOWN: .noNetwork
        case 0: .other("no connection")
        default: .other(String(cString: strerror(systemError)))
        }
    }

    /// The fault as a clause without a subject, such as "connection refused".
    var text: String {
      switch self {
      case .refused: "connection refused"
      case .noRoute: "no route to the host"
      case .timedOut: "timed out"
      case .noNetwork: "no network"
      case .unknownName: "unknown host name, or no network"
      case .proxy(let fault): "the proxy fails (\(fault))"
      case .other(let text): text
      }
    }
  }

  /// Whether the failure says nothing about the content of the address, so that a cached copy can replace the answer.
  public var isOutage: Bool {
    switch self {
    case .connectingTakesTooLong, .tooSlow: true
    default: mayPass
    }
  }
}

extension APIError {
  /// Creates the error that a service reports for a failed request.
  public init(_ error: HTTPError) {
    switch error {
    case .cancelled: self = .cancelled
    case .unavailable: self = .unreadableContent(source: "The web", fault: "libcurl is missing; install libcurl4")
    case .noConnection(_, .noNetwork): self = .noNetwork
    case .noConnection(let host, let fault): self = .unreachable(server: host, reason: fault.text)
    case .connectingTakesTooLong(let host): self = .unreachable(server: host, reason: "timed out")
    case .refused(_, 429, _), .refused(_, 503, _): self = .serverOverload
    case .refused(let host, 401, let reason), .refused(let host, 403, let reason):
      self = .permissionDenied(subject: host, reason: reason)
    case .refused(let host, let status, let reason):
      let number = "\(status)" + (reason.map { ": \($0)" } ?? "")
      self = .serverFault(
        server: host,
        fault: [404, 410].contains(status)
          ? "page not found (\(number)); check the address" : "the server reports an error (\(number))")
    case .interrupted(let host, let reason):
      self = .serverFault(server: host, fault: "the connection broke (\(reason))")
    case .tooSlow(let host): self = .serverFault(server: host, fault: "the answer is too slow")
    case .bodyTooLarge(let host, let limit):
      self = .serverFault(server: host, fault: "the answer is larger than \(Self.size(limit))")
    case .headersTooLarge(let host, let limit):
      self = .serverFault(server: host, fault: "the answer's headers are larger than \(Self.size(limit))")
    case .tooManyRedirects(let host, let limit):
      self = .serverFault(server: host, fault: "the server redirects more than \(limit) times")
    case .untrusted(let host, let reason): self = .untrustedServer(server: host, fault: reason)
    case .invalidAddress(let address):
      self = .unsafeAddress(address, fault: "this is not an http or https address")
    case .invalidHeader(let name): self = .invalidHeader(name: name)
    case .forbiddenRedirect(let address):
      self = .unsafeAddress(address, fault: "a redirect must not lead there")
    case .privateAddress(let host):
      self = .unsafeAddress(host, fault: "the address is on a private network, and you didn't enter it yourself")
    case .unwritable(let reason): self = .cannotWrite(reason: reason)
    }
  }

  /// Returns the error for a server that answers with a page for browsers.
  ///
  /// A network that requires a login first answers every address with such a page.
  public static func webPage(server: String, insteadOf wanted: String) -> APIError {
    .serverFault(
      server: server,
      fault: "the answer is a web page, not \(wanted); check the address, or log in to this network in a browser")
  }

  private static func size(_ bytes: Int) -> String {
    bytes >= 1 << 20 ? "\(bytes >> 20) MB" : bytes >= 1 << 10 ? "\(bytes >> 10) KB" : "\(bytes) bytes"
  }
}
