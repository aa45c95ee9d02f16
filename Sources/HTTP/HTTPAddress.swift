import CCurl

/// A URL as libcurl reads it, so that what is checked is what is fetched.
struct HTTPAddress: Hashable, Sendable {
  let text: String
  /// In lower case.
  let scheme: String
  /// In lower case, an IPv6 address in brackets.
  let host: String
  let port: Int

  /// - Returns: nil where the text is no URL with a host and port, of whichever scheme libcurl knows.
  init?(_ text: String) {
    guard !text.utf8.contains(0), let url = curl.url() else { return nil }
    defer { curl.url_cleanup(url) }
    guard curl.url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)) == CURLUE_OK,
      let whole = Self.part(CURLUPART_URL, of: url), let scheme = Self.part(CURLUPART_SCHEME, of: url),
      let host = Self.part(CURLUPART_HOST, of: url), !host.isEmpty,
      let port = Self.part(CURLUPART_PORT, of: url).flatMap({ Int($0) })
    else { return nil }
    self.text = whole
    self.scheme = scheme.lowercased()
    self.host = host.lowercased()
    self.port = port
  }

  var isHTTP: Bool { scheme == "http" || scheme == "https" }

  /// Whether what may be told to this one may be told to `other`: the same server, or the same with encryption.
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
  /// Whether it can be seen without finding the host that it is on a private network.
  var isPlainlyPrivate: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || PrivateNetwork.contains(host)
  }
}
