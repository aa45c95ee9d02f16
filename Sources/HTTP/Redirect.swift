/// The rules for redirects.
enum Redirect {
  /// The statuses that name another address (RFC 9110, section 15.4).
  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Returns the address that a redirect leads to.
  ///
  /// What a request changes or asks for in its body is meant for its own server, and other statuses than 307 and 308 would turn it
  /// into a GET request.
  ///
  /// - Parameter target: An absolute URL.
  static func follow(
    _ method: HTTPRequest.Method, status: Int, from: HTTPAddress, to target: String
  ) throws(HTTPError) -> HTTPAddress {
    guard let address = HTTPAddress(target), from.mayLead(to: address) else { throw .forbiddenRedirect(to: target) }
    if method == .get || from.isTrusted(toForwardTo: address) && [307, 308].contains(status) { return address }
    throw .forbiddenRedirect(to: target)
  }
}
