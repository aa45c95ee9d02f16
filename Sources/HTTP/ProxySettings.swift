/// The proxies that the environment names, by the rules of curl (`man curl`, ENVIRONMENT).
///
/// libcurl could find them itself, but it would not report whether it uses one. Then the address that it connects to is
/// that of the proxy, and says nothing about the server.
struct ProxySettings: Hashable, Sendable {
  private let byScheme: [String: String]
  private let exceptions: [String]

  init(environment: [String: String]) {
    func value(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    let all = value("all_proxy", "ALL_PROXY")
    // In a web server, HTTP_PROXY in capitals can come from a header that any client sends.
    byScheme = ["http": value("http_proxy") ?? all, "https": value("https_proxy", "HTTPS_PROXY") ?? all]
      .compactMapValues(\.self)
    exceptions = (value("no_proxy", "NO_PROXY") ?? "").lowercased().split { $0 == "," || $0 == " " }.map(String.init)
  }

  /// Returns the URL of the proxy for an address, or nil if there is none.
  func proxy(for address: HTTPAddress) -> String? {
    guard let proxy = byScheme[address.scheme], !exceptions.contains(where: { Self.matches($0, address.host) }) else {
      return nil
    }
    return proxy
  }

  private static func matches(_ exception: String, _ host: String) -> Bool {
    if exception == "*" { return true }
    func bare(_ host: some StringProtocol) -> String {
      let name = host.drop { $0 == "[" }.prefix { $0 != "]" }
      return String(name.hasSuffix(".") ? name.dropLast() : name)
    }
    let host = bare(host)
    if let range = AddressRange(exception) { return range.contains(host) }
    let name = bare(exception.drop { $0 == "." })
    return host == name || host.hasSuffix("." + name)
  }
}
