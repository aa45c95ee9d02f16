import CCurl

/// A URL as libcurl parses it, so that the address that is checked is the one that is fetched.
public struct HTTPAddress: Hashable, Sendable {
  /// The whole URL.
  public let text: String
  /// The scheme in lower case.
  public let scheme: String
  /// The host in lower case, with brackets if it is an IPv6 address.
  public let host: String
  let port: Int

  /// Creates an address, or returns nil if the text is no URL with a host and port, or if libcurl is not installed.
  public init?(_ text: String) { self.init([text]) }

  /// Resolves a reference (RFC 3986, section 4.1) in an answer from this address.
  ///
  /// - Returns: The address, or nil if it is no http or https address.
  public func resolving(_ reference: String) -> HTTPAddress? {
    guard let address = HTTPAddress([text, reference]), address.isHTTP else { return nil }
    return address
  }

  /// - Parameter texts: A URL, then references, each of which is resolved against the one before.
  private init?(_ texts: [String]) {
    guard ccurl_table() != nil, let url = curl.url() else { return nil }
    defer { curl.url_cleanup(url) }
    let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)
    guard
      texts.allSatisfy({ !$0.utf8.contains(0) && curl.url_set(url, CURLUPART_URL, $0, flags) == CURLUE_OK }),
      let whole = Self.part(CURLUPART_URL, of: url), let scheme = Self.part(CURLUPART_SCHEME, of: url),
      let host = Self.part(CURLUPART_HOST, of: url), !host.isEmpty,
      let port = Self.part(CURLUPART_PORT, of: url).flatMap({ Int($0) })
    else { return nil }
    self.text = whole
    self.scheme = scheme.lowercased()
    self.host = host.lowercased()
    self.port = port
  }

  /// The address without its query.
  public var withoutQuery: HTTPAddress { HTTPAddress(String(text.prefix { $0 != "?" && $0 != "#" })) ?? self }

  /// Returns the address with a parameter of its query set. Its other parameters stay unchanged.
  public func setting(_ name: String, to value: Int) -> HTTPAddress? {
    let parts = text.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1)
    var parameters = parts.dropFirst().flatMap { $0.split(separator: "&").map(String.init) }
    let isNamed = { (parameter: String) in parameter.prefix { $0 != "=" } == name }
    let place = parameters.firstIndex(where: isNamed) ?? parameters.count
    parameters.removeAll(where: isNamed)
    parameters.insert("\(name)=\(value)", at: place)
    return HTTPAddress("\(parts[0])?\(parameters.joined(separator: "&"))")
  }

  /// Whether an answer from this address may redirect to `other`: a web address that is encrypted if this one is.
  public func mayLead(to other: HTTPAddress) -> Bool { other.isHTTP && (scheme != "https" || other.scheme == "https") }

  /// The scheme, host and port (RFC 6454).
  var origin: String { "\(scheme)://\(host):\(port)" }

  var isHTTP: Bool { scheme == "http" || scheme == "https" }

  /// Whether the headers meant for this server may be sent to `other`: the same server, or the same one with
  /// encryption.
  func isTrusted(toForwardTo other: HTTPAddress) -> Bool {
    guard host == other.host else { return false }
    return (scheme, port) == (other.scheme, other.port)
      || (scheme, port, other.scheme, other.port) == ("http", 80, "https", 443)
  }

  private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    guard curl.url_get(url, part, &value, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let value else { return nil }
    defer { curl.free(value) }
    return String(cString: value)
  }
}

extension HTTPAddress {
  /// Whether the host is written as a private address, so that it needs no lookup.
  var isPlainlyPrivate: Bool {
    // The dot at the end of a complete name says nothing about where it leads.
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    return name == "localhost" || name.hasSuffix(".localhost") || PrivateNetwork.contains(name)
  }
}
