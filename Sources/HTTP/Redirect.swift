/// The rules for redirects.
enum Redirect {
  /// The statuses that name another address (RFC 9110, section 15.4).
  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Returns the address that a redirect leads to.
  ///
  /// - Parameter target: An absolute URL.
  static func follow(from: HTTPAddress, to target: String) throws(HTTPError) -> HTTPAddress {
    guard let address = HTTPAddress(target), from.mayLead(to: address) else { throw .forbiddenRedirect(to: target) }
    return address
  }
}
