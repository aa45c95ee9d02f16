/// The proxies that the environment names, by curl's rules (`man curl`, ENVIRONMENT).
///
/// libcurl would find them by itself, but not say whether it uses one. It matters, since then the address connected to
/// is the proxy's.
struct ProxySettings: Hashable, Sendable {
  private let byScheme: [String: String]
  private let exceptions: [String]

  init(environment: [String: String]) {
    func value(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    let all = value("all_proxy", "ALL_PROXY")
    // HTTP_PROXY in capitals would be a web server's name for a header that anybody can send it.
    byScheme = ["http": value("http_proxy") ?? all, "https": value("https_proxy", "HTTPS_PROXY") ?? all]
      .compactMapValues(\.self)
    exceptions = (value("no_proxy", "NO_PROXY") ?? "").lowercased().split { $0 == "," || $0 == " " }.map(String.init)
  }

  /// - Returns: The proxy's URL, nil where there is none.
  func proxy(for address: HTTPAddress) -> String? {
    guard let proxy = byScheme[address.scheme], !exceptions.contains(where: { Self.matches($0, address.host) }) else {
      return nil
    }
    return proxy
  }

  private static func matches(_ exception: String, _ host: String) -> Bool {
    if exception == "*" { return true }
    let name = exception.drop { $0 == "." || $0 == "[" }.prefix { $0 != "]" }
    let host = host.drop { $0 == "[" }.prefix { $0 != "]" }
    return host == name || host.hasSuffix("." + name)
  }
}
