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
  case noConnection(host: String)
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
  /// Whether nothing is known to be wrong with what was asked for, so that what is kept of it may stand in for it.
  public var isOutage: Bool {
    switch self {
    case .connectingTakesTooLong, .tooSlow: true
    default: mayPass
    }
  }
}

extension APIError {
  /// What happened to a request, as the person is told.
  public init(_ error: HTTPError) {
    switch error {
    case .cancelled: self = .cancelled
    case .unavailable: self = .unreadableContent(source: "The web", fault: "libcurl is not there; install libcurl4")
    case .noConnection, .connectingTakesTooLong: self = .noNetwork
    case .refused(_, 429, _), .refused(_, 503, _): self = .serverOverload
    case .refused(let host, 401, let reason), .refused(let host, 403, let reason):
      self = .permissionDenied(subject: host, reason: reason)
    case .refused(let host, let status, let reason):
      self = .serverFault(server: host, fault: "it says \(status)" + (reason.map { " (\($0))" } ?? ""))
    case .interrupted(let host, let reason): self = .serverFault(server: host, fault: reason)
    case .tooSlow(let host): self = .serverFault(server: host, fault: "it is too slow")
    case .bodyTooLarge(let host, let limit):
      self = .serverFault(server: host, fault: "it sends more than \(Self.size(limit))")
    case .headersTooLarge(let host, let limit):
      self = .serverFault(server: host, fault: "it sends more than \(Self.size(limit)) of headers")
    case .tooManyRedirects(let host, let limit):
      self = .serverFault(server: host, fault: "it redirects more than \(limit) times")
    case .untrusted(let host, let reason): self = .untrustedServer(server: host, fault: reason)
    case .invalidAddress(let address):
      self = .unsafeAddress(address, fault: "it is not an http or https address")
    case .invalidHeader(let name): self = .invalidHeader(name: name)
    case .forbiddenRedirect(let address):
      self = .unsafeAddress(address, fault: "a redirect may not lead there")
    case .privateAddress(let host):
      self = .unsafeAddress(host, fault: "it is on a private network, and you did not name it yourself")
    case .unwritable(let reason): self = .cannotWrite(reason: reason)
    }
  }

  private static func size(_ bytes: Int) -> String {
    bytes >= 1 << 20 ? "\(bytes >> 20) MB" : bytes >= 1 << 10 ? "\(bytes >> 10) KB" : "\(bytes) bytes"
  }
}
