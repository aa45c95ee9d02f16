/// A server that the person named: it may be on a private network, and is told what no other is.
public struct NamedServer: Hashable, Sendable {
  /// As the person gave it.
  public let address: String
  private let origin: HTTPAddress?
  private let headers: [String: String]

  /// - Parameters:
  ///   - address: An http or https address on it.
  ///   - headers: Sent to this server, and to no other that it redirects to or names.
  public init(_ address: String, headers: [String: String] = [:]) {
    self.address = address
    self.headers = headers
    origin = HTTPAddress(address)
  }

  /// Whether the address is one of its host.
  public func isHost(of address: String) -> Bool {
    guard let origin, let address = HTTPAddress(address) else { return false }
    return address.host == origin.host
  }

  /// A request for what is at an address, which need not be on this server.
  public func request(_ address: String) -> HTTPRequest {
    let isTrusted = HTTPAddress(address).map { origin?.isTrusted(toForwardTo: $0) == true } ?? false
    return HTTPRequest(address, headers: isTrusted ? headers : [:], namedHost: origin?.host)
  }
}
