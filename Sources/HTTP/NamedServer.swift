/// A server that the user named. It may be on a private network, and it alone receives the user's headers.
public struct NamedServer: Hashable, Sendable {
  /// The address as the user gave it.
  public let address: String
  private let origin: HTTPAddress?
  private let headers: [String: String]
  private let authorization: HTTPAuthorization?
  private let versions: ImageVersions?

  /// Creates a named server.
  ///
  /// - Parameters:
  ///   - address: An http or https address on the server.
  ///   - headers: The headers for this server. Servers that it redirects to or names do not receive them.
  ///   - authorization: The proof of the user for this server.
  ///   - versions: The rules for the smaller versions of images; nil if there are none.
  public init(
    _ address: String, headers: [String: String] = [:], authorization: HTTPAuthorization? = nil,
    versions: ImageVersions? = nil
  ) {
    self.authorization = authorization
    self.address = address
    self.headers = headers
    self.versions = versions
    origin = HTTPAddress(address)
  }

  /// Whether an address is on the host of this server.
  public func isHost(of address: String) -> Bool {
    guard let origin, let address = HTTPAddress(address) else { return false }
    return address.host == origin.host
  }

  /// Whether an address is on this server itself, to which the headers may be sent.
  public func isOrigin(of address: String) -> Bool {
    HTTPAddress(address).map { origin?.isTrusted(toForwardTo: $0) == true } ?? false
  }

  /// Returns a request for an address, which need not be on this server.
  public func request(_ address: String) -> HTTPRequest {
    let isOrigin = isOrigin(of: address)
    var request = HTTPRequest(address, headers: isOrigin ? headers : [:], namedHost: origin?.host)
    request.authorization = isOrigin ? authorization : nil
    return request
  }

  /// Returns the smaller versions of an image, smallest first.
  public func smallerVersions(of image: String) -> [WebImageVersion] { versions?.smaller(of: image) ?? [] }

  /// Returns the number of bytes from the start of an image's file in which its smallest version is, or nil if that is another file.
  public func previewSize(of image: String) -> Int? { smallerVersions(of: image).first?.file.prefix }
}
