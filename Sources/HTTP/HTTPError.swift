import Foundation
import Gallery

/// Why there is no answer.
public enum HTTPError: Error, Hashable, Sendable {
  case cancelled
  /// libcurl is not there.
  case unavailable
  /// It is not an http or https URL that can be read.
  case invalidAddress(String)
  /// It has characters that a header may not have.
  case invalidHeader(name: String)
  case noConnection(host: String, cause: ConnectionFault)
  case connectingTakesTooLong(host: String)
  /// The connection broke, or what came over it is not HTTP.
  case interrupted(host: String, reason: String)
  case tooSlow(host: String)
  /// Its certificate is not that of the host, or nobody trusted vouches for it.
  case untrusted(host: String, reason: String)
  case bodyTooLarge(host: String, limit: Int)
  case headersTooLarge(host: String, limit: Int)
  case tooManyRedirects(host: String, limit: Int)
  case forbiddenRedirect(to: String)
  case privateAddress(host: String)
  /// The server says no. `reason` is its own, if it gives one.
  case refused(host: String, status: Int, reason: String?)
  case unwritable(reason: String)

  /// Whether the same request may well succeed soon.
  var mayPass: Bool {
    switch self {
    case .noConnection, .interrupted: true
    case .refused(_, let status, _): status == 429 || status >= 500
    default: false
    }
  }
}

extension HTTPError {
  /// Why a host can't be reached.
  public enum ConnectionFault: Hashable, Sendable {
    /// Nothing listens at the port.
    case refused
    case noRoute
    case timedOut
    /// This machine is in no network.
    case noNetwork
    /// The host has no address, or nobody could be asked for it.
    case unknownName
    /// The proxy can't be reached, for this reason.
    case proxy(String)
    case other(String)

    /// - Parameter systemError: The error number of the system call that connects; 0 where it isn't known.
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

    /// A clause without a subject, such as "connection refused".
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

  /// Whether nothing is known to be wrong with what was asked for, so that what is kept of it may stand in for it.
  public var isOutage: Bool {
    switch self {
    case .connectingTakesTooLong, .tooSlow: true
    default: mayPass
    }
  }
}

extension APIError {
  /// What happened to a request, as the user is told.
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

  /// The fault of a server that answers with a page for browsers. A network that wants a login first does so for every
  /// address.
  public static func webPage(server: String, insteadOf wanted: String) -> APIError {
    .serverFault(
      server: server,
      fault: "the answer is a web page, not \(wanted); check the address, or log in to this network in a browser")
  }

  private static func size(_ bytes: Int) -> String {
    bytes >= 1 << 20 ? "\(bytes >> 20) MB" : bytes >= 1 << 10 ? "\(bytes >> 10) KB" : "\(bytes) bytes"
  }
}
