import Foundation
import Gallery
import Testing
import WebServer

@testable import HTTP

extension WebTests {
  /// Proxies that the environment names, good and bad ones.
  @Suite struct ProxyTests {
    private static func environment(_ proxy: String) -> [String: String] {
      ["http_proxy": proxy, "https_proxy": proxy]
    }

    /// The server sees no password of the proxy, and the proxy none of an encrypted server.
    @Test func eachPasswordGoesToItsOwnHost() async throws {
      let proxy = try ForwardingProxy()
      let proxied = client(environment: Self.environment(proxy.address))
      let secret = ["X-Key": "of the server"]
      try await WebServer.run { question in
        .init(body: Data(question.target.utf8))
      } body: { server in
        let response = try await proxied.send(
          HTTPRequest("http://photos.example:\(server.port)/a?b", headers: secret, namedHost: "photos.example"))
        #expect(String(decoding: response.body, as: UTF8.self) == "/a?b")
        let headers = try #require(server.questions.first?.headers)
        #expect(headers["x-key"] == "of the server" && headers["host"] == "photos.example:\(server.port)")
        #expect(!headers.keys.contains { $0.hasPrefix("proxy") })
      }
      let server = try await SecureServer(name: "DNS:photos.example")
      var environment = Self.environment(proxy.address)
      environment["SSL_CERT_FILE"] = server.certificate
      let port = server.address.split(separator: ":").last ?? ""
      var request = HTTPRequest("https://photos.example:\(port)", headers: secret, namedHost: "photos.example")
      request.authorization = .password(user: "ben", password: "word")
      let response = try await client(environment: environment).send(request)
      #expect(String(decoding: response.body, as: UTF8.self).contains("s_server"))
      let tunnel = try #require(proxy.requests.last)
      #expect(tunnel.hasPrefix("CONNECT photos.example:") && tunnel.contains("\r\nProxy-Authorization: Basic "))
      #expect(!tunnel.contains("X-Key") && !tunnel.contains("\r\nAuthorization"))
    }

    @Test(arguments: ["http", "https"]) func aProxyThatAsksForAPasswordIsExplained(scheme: String) async throws {
      let proxy = try ForwardingProxy()
      for address in [proxy.bareAddress, proxy.bareAddress.replacing("//", with: "//ana:wrong@")] {
        let asked = proxy.requests.count
        let error = await #expect(throws: HTTPError.self) {
          try await client(environment: Self.environment(address)).send(HTTPRequest("\(scheme)://photos.example/"))
        }
        #expect(error == .noConnection(host: "photos.example", cause: .proxy(.status(407))))
        let message = try APIError(#require(error)).message
        #expect(message.contains("the proxy asks for a password") && !message.contains("wrong"), "\(message)")
        #expect(proxy.requests.count == asked + 1)
      }
    }

    /// What a bad proxy does with a request.
    enum Misdeed: CaseIterable {
      case refusing, failing, redirecting, nonsense, binary, nothing, half, floodingHeaders, otherWords, never

      fileprivate func commit(to peer: RawServer.Peer) {
        let end = "Content-Length: 0\r\nConnection: close\r\n\r\n"
        switch self {
        case .refusing: _ = peer.send("HTTP/1.1 403 ana:secret\r\n\(end)")
        case .failing: _ = peer.send("HTTP/1.1 502 No\r\n\(end)")
        case .redirecting: _ = peer.send("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(peer.port)/\r\n\(end)")
        case .nonsense: _ = peer.send("220 mail.example ESMTP\r\n")
        case .binary: _ = peer.send("\u{0}\u{1}SSH-2.0\r\n\r\n")
        case .nothing: break
        case .half: _ = peer.send("HTTP/1.1 2")
        case .floodingHeaders: if peer.send("HTTP/1.1 200 OK\r\n") { while peer.send("X: y\r\n") {} }
        case .otherWords: _ = peer.send("HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\n<html>a page</html>\r\n")
        case .never: peer.waitForClose()
        }
      }

      /// The number of requests that the proxy gets for an encrypted server.
      fileprivate var requests: Int { [.failing, .nonsense, .binary, .nothing, .half].contains(self) ? 4 : 1 }

      /// A part of the message about an encrypted server.
      fileprivate var text: String {
        switch self {
        case .refusing: "the proxy fails (403)"
        case .failing: "the proxy fails (502)"
        case .redirecting: "the proxy fails (302)"
        case .nonsense, .binary, .nothing, .half: "the proxy fails ("
        case .floodingHeaders: "Too large response headers"
        case .otherWords: "no encrypted connection"
        case .never: "timed out"
        }
      }
    }

    /// Each leads to one sentence, soon, without the password and without a request to an address that the proxy names.
    @Test(arguments: Misdeed.allCases) func aBadProxyIsExplained(misdeed: Misdeed) async throws {
      for scheme in ["https", "http"] {
        let asked = Counter()
        let proxy = try RawServer { peer in
          _ = asked.next()
          misdeed.commit(to: peer)
        }
        var limits = HTTPLimits.quick
        limits.connectTime = .seconds(2)
        let address = proxy.address.replacing("//", with: "//ana:secret@")
        let error = await #expect(throws: HTTPError.self) {
          try await client(limits: limits, environment: Self.environment(address)).send(
            HTTPRequest("\(scheme)://photos.example/"))
        }
        let message = try APIError(#require(error)).message
        #expect(!message.contains("secret"), "\(message)")
        let count = asked.next()
        #expect(count <= 4, "\(misdeed): \(message)")
        guard scheme == "https" else { continue }
        #expect(message.contains(misdeed.text), "\(message)")
        #expect(misdeed == .floodingHeaders || count == misdeed.requests, "\(misdeed): \(message)")
      }
    }

    /// libcurl names the whole address in some of its messages.
    @Test(arguments: [
      "htps://ana:secret@127.0.0.1:1", "http://ana:secret@127.0.0.1:99999", "http://ana:secret@[:1",
      "http://ana:secret@127.0.0.1:1", "https://ana:secret@127.0.0.1:1", "socks5://ana:secret@127.0.0.1:1",
      "socks5h://ana:secret@127.0.0.1:1", "http://ana:secret@proxy.invalid:1",
    ])
    func thePasswordOfAProxyIsNotShown(proxy: String) async throws {
      for scheme in ["http", "https"] {
        let error = await #expect(throws: HTTPError.self) {
          try await client(environment: Self.environment(proxy)).send(HTTPRequest("\(scheme)://photos.example/"))
        }
        guard case .noConnection("photos.example", .proxy)? = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
        let message = try APIError(#require(error)).message
        #expect(message.contains("the proxy fails") && !message.contains("secret"), "\(message)")
      }
    }

    /// A proxy of SOCKS that speaks another protocol.
    @Test(arguments: ["socks4a", "socks5", "socks5h"]) func aProxyOfSOCKSThatFailsIsExplained(kind: String) async throws
    {
      let proxy = try RawServer(readsRequests: false) { peer in
        if peer.send("HTTP/1.1 400 No\r\n\r\n") { peer.waitForClose(milliseconds: 1000) }
      }
      let address = proxy.address.replacing("http://", with: "\(kind)://ana:secret@")
      for scheme in ["http", "https"] {
        let error = await #expect(throws: HTTPError.self) {
          try await client(environment: Self.environment(address)).send(
            HTTPRequest("\(scheme)://127.0.0.2/", namedHost: "127.0.0.2"))
        }
        let message = try APIError(#require(error)).message
        #expect(message.contains("the proxy fails (") && !message.contains("secret"), "\(message)")
      }
    }

    /// The certificate of a proxy is its own matter.
    @Test func theCertificateOfAProxyIsChecked() async throws {
      let proxy = try await SecureServer(name: "IP:127.0.0.1")
      for scheme in ["http", "https"] {
        await #expect(throws: HTTPError.untrusted(host: "127.0.0.1", .unknownAuthority)) {
          try await client(environment: Self.environment(proxy.address)).send(
            HTTPRequest("\(scheme)://photos.example/"))
        }
      }
      var environment = Self.environment(proxy.address)
      environment["SSL_CERT_FILE"] = proxy.certificate
      let response = try await client(environment: environment).send(HTTPRequest("http://photos.example/"))
      #expect(response.status == 200)
      let plain = try RawServer(readsRequests: false) { peer in
        _ = peer.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        // A socket that is closed with bytes to read resets the connection.
        peer.drain()
      }
      let encrypted = Self.environment(plain.address.replacing("http:", with: "https:"))
      let error = await #expect(throws: HTTPError.self) {
        try await client(environment: encrypted).send(HTTPRequest("https://photos.example/"))
      }
      guard case .noConnection(_, .proxy(.noEncryption))? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    /// The proxy is not asked for what is written as a private address, in whatever way.
    @Test(arguments: PrivateNetworkTests.hosts + ["localhost.", "a.localhost.", "10.0.0.1.", "169.254.169.254"])
    func aProxyLeadsToNoPrivateAddress(host: String) async throws {
      let proxy = try ForwardingProxy()
      let client = client(environment: Self.environment(proxy.address))
      for scheme in ["http", "https"] {
        let address = "\(scheme)://\(host):1/"
        await #expect(throws: HTTPError.privateAddress(host: HTTPAddress(address)!.host)) {
          try await client.send(HTTPRequest(address, namedHost: "photos.example"))
        }
      }
      #expect(proxy.requests == [])
    }

    @Test(arguments: [302, 307]) func aRedirectBehindAProxyLeadsToNoPrivateAddress(status: Int) async throws {
      let proxy = try ForwardingProxy()
      try await WebServer.run { _ in
        .init(status, headers: ["Location": "http://10.0.0.1/secret"])
      } body: { server in
        await #expect(throws: HTTPError.privateAddress(host: "10.0.0.1")) {
          try await client(environment: Self.environment(proxy.address)).send(
            HTTPRequest("http://photos.example:\(server.port)/", namedHost: "photos.example"))
        }
      }
      #expect(proxy.requests.count == 1)
    }

    /// Without a proxy, what the name leads to counts, also if another host is reached by the proxy.
    @Test func anExceptionIsCheckedAsUsual() async throws {
      let proxy = try ForwardingProxy()
      var environment = Self.environment(proxy.address)
      environment["no_proxy"] = "localhost, 127.0.0.0/8"
      let client = client(environment: environment)
      try await WebServer.run { _ in
        .init()
      } body: { server in
        #expect(try await client.send(local(server.address)).status == 200)
        for address in [server.address, "http://localhost:\(server.port)/"] {
          await #expect(throws: HTTPError.privateAddress(host: HTTPAddress(address)!.host)) {
            try await client.send(HTTPRequest(address))
          }
        }
        #expect(server.questions.count == 1)
        #expect(proxy.requests == [])
        _ = try await client.send(HTTPRequest("http://photos.example:\(server.port)/", namedHost: "photos.example"))
        #expect(proxy.requests.count == 1)
      }
    }

    @Test func exceptionsAreNamesAndRanges() throws {
      func hasProxy(_ host: String, besides exceptions: String) throws -> Bool {
        let settings = ProxySettings(environment: ["http_proxy": "p:1", "no_proxy": exceptions])
        return settings.proxy(for: try #require(HTTPAddress("http://\(host)/"))) != nil
      }
      for (host, exceptions) in [
        ("10.1.2.3", "10.0.0.0/8"), ("10.1.2.3", "a.org,10.1.2.2/31"), ("[fd00::1]", "fd00::/8"),
        ("[fd00::1]", "[fd00::1]"), ("8.8.8.8", "0.0.0.0/0"), ("a.org.", "a.org"), ("b.a.org", "a.org."),
        ("10.1.2.3", "10.1.2.3"),
      ] {
        #expect(try !hasProxy(host, besides: exceptions), "\(host) \(exceptions)")
      }
      for (host, exceptions) in [
        ("11.1.2.3", "10.0.0.0/8"), ("10.1.2.4", "10.1.2.2/31"), ("[fe00::1]", "fd00::/8"), ("10.1.2.3", "10.0.0.0/33"),
        ("10.1.2.3", "fd00::/0"), ("10.1.2.3", "10.0.0.0/x"), ("ten.org", "10.0.0.0/0"), ("110.1.2.3", "10.1.2.3"),
      ] {
        #expect(try hasProxy(host, besides: exceptions), "\(host) \(exceptions)")
      }
    }
  }
}
