import Foundation
import Testing
import WebServer

@testable import HTTP

extension WebTests {
  @Suite struct PrivateNetworkTests {
    @Test func privateAddressesAreRecognized() {
      for address in [
        "127.0.0.1", "127.255.0.1", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
        "0.0.0.0",
        "100.64.0.1", "224.0.0.1", "255.255.255.255", "::", "::1", "[::1]", "fe80::1%eth0", "fd00::1", "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::10.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::8.8.8.8",
        "2002:7f00:1::",
      ] {
        #expect(PrivateNetwork.contains(address), "\(address)")
      }
      for address in [
        "8.8.8.8", "172.15.0.1", "172.32.0.1", "192.167.0.1", "169.253.0.1", "100.128.0.1", "2001:4860:4860::8888",
        "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "example.org",
      ] {
        #expect(!PrivateNetwork.contains(address), "\(address)")
      }
    }

    @Test func onlyTheHostThatTheUserNamedMayBePrivate() async throws {
      try await WebServer.run { _ in
        .init()
      } body: { server in
        let local = "http://localhost:\(server.port)/"
        for (address, named) in [(server.address, nil), (server.address, "example.org"), (local, "127.0.0.1")] {
          await #expect(throws: HTTPError.privateAddress(host: HTTPAddress(address)!.host)) {
            try await client().send(HTTPRequest(address, namedHost: named))
          }
        }
        #expect(server.questions.isEmpty)
        let response = try await client().send(HTTPRequest(local, namedHost: "LocalHost"))
        #expect(response.status == 200)
      }
    }

    /// The hosts that lead to this machine: addresses of both families in several spellings, and a name with two
    /// addresses.
    static let hosts = [
      "127.0.0.1", "127.1", "0x7f000001", "0.0.0.0", "localhost", "[::1]", "[::]", "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
    ]

    @Test(arguments: hosts) func noConnectionIsMadeToAPrivateAddress(host: String) async throws {
      let listener = try Listener()
      await #expect(throws: HTTPError.privateAddress(host: HTTPAddress("http://\(host)/")!.host)) {
        try await client().send(HTTPRequest("http://\(host):\(listener.port)/"))
      }
      #expect(!listener.hasConnection)
      // A connection would be noticed.
      _ = try? await client(limits: .quick).send(
        HTTPRequest("http://localhost:\(listener.port)/", namedHost: "localhost"))
      #expect(listener.hasConnection)
    }

    /// Hosts that libcurl spells like the named host are that host, so they are left out.
    @Test(arguments: hosts.filter { HTTPAddress("http://\($0)/")?.host != "127.0.0.1" })
    func aRedirectMakesNoConnectionToAPrivateAddress(host: String) async throws {
      let listener = try Listener()
      let target = "http://\(host):\(listener.port)/"
      try await WebServer.run { _ in
        .init(302, headers: ["Location": target])
      } body: { server in
        await #expect(throws: HTTPError.privateAddress(host: HTTPAddress(target)!.host)) {
          try await client().send(local(server.address))
        }
      }
      #expect(!listener.hasConnection)
    }

    @Test func aRedirectToAPrivateNetworkIsRefused() async throws {
      try await WebServer.run { _ in
        .init()
      } body: { inside in
        let target = "http://localhost:\(inside.port)/"
        try await WebServer.run { _ in
          .init(302, headers: ["Location": target])
        } body: { server in
          await #expect(throws: HTTPError.privateAddress(host: "localhost")) {
            try await client().send(local(server.address))
          }
          #expect(inside.questions.isEmpty)
        }
      }
    }

    @Test func aReusedConnectionToAPrivateAddressIsRefused() async throws {
      try await WebServer.run { _ in
        .init()
      } body: { server in
        let client = client()
        _ = try await client.send(local(server.address))
        await #expect(throws: HTTPError.privateAddress(host: "127.0.0.1")) {
          try await client.send(HTTPRequest(server.address))
        }
        #expect(server.questions.count == 1)
      }
    }

    @Test func aProxyOfTheEnvironmentIsUsedAndMayBePrivate() async throws {
      try await WebServer.run { _ in
        .init(body: Data("proxied".utf8))
      } body: { proxy in
        let environment = ["http_proxy": proxy.address, "no_proxy": "127.0.0.1"]
        let client = client(environment: environment)
        let response = try await client.send(HTTPRequest("http://example.invalid/a"))
        #expect(String(decoding: response.body, as: UTF8.self) == "proxied")
        #expect(proxy.questions.map(\.target) == ["http://example.invalid/a"])
        // The proxy must not lead to this machine, and without the proxy the address is checked as usual.
        for address in ["http://localhost/", "http://10.0.0.1/", "http://127.0.0.1:\(proxy.port)/"] {
          await #expect(throws: HTTPError.privateAddress(host: HTTPAddress(address)!.host)) {
            try await client.send(HTTPRequest(address))
          }
        }
        #expect(proxy.questions.count == 1)
      }
    }

    @Test func theEnvironmentNamesProxiesAsForCurl() throws {
      let plain = try #require(HTTPAddress("http://www.example.org/"))
      let secure = try #require(HTTPAddress("https://example.org/"))
      func proxies(_ environment: [String: String]) -> [String?] {
        let settings = ProxySettings(environment: environment)
        return [settings.proxy(for: plain), settings.proxy(for: secure)]
      }
      #expect(proxies([:]) == [nil, nil])
      #expect(proxies(["http_proxy": "p:1", "HTTPS_PROXY": "q:2"]) == ["p:1", "q:2"])
      #expect(proxies(["HTTP_PROXY": "p:1"]) == [nil, nil])
      #expect(proxies(["ALL_PROXY": "p:1", "https_proxy": ""]) == ["p:1", "p:1"])
      #expect(proxies(["all_proxy": "p:1", "no_proxy": "a.org, .example.org"]) == [nil, nil])
      #expect(proxies(["all_proxy": "p:1", "NO_PROXY": "www.example.org"]) == [nil, "p:1"])
      #expect(proxies(["all_proxy": "p:1", "no_proxy": "ample.org"]) == ["p:1", "p:1"])
      #expect(proxies(["all_proxy": "p:1", "no_proxy": "*"]) == [nil, nil])
    }
  }
}
