import Foundation
import Testing
import WebServer

@testable import HTTP

extension WebTests {
  @Suite struct RedirectTests {
    @Test func redirectsAreFollowed() async throws {
      for status in [301, 302, 303, 307, 308] {
        try await WebServer.run { question in
          question.target == "/old/a"
            ? .init(status, headers: ["Location": "../new?x=1"], body: Data("moved".utf8))
            : .init(body: Data("here".utf8))
        } body: { server in
          let response = try await client().send(local(server.address + "/old/a"))
          #expect(String(decoding: response.body, as: UTF8.self) == "here")
          #expect(response.address == server.address + "/new?x=1")
        }
      }
    }

    @Test func aLoopOfRedirectsEnds() async throws {
      try await WebServer.run { _ in
        .init(302, headers: ["Location": "/again"])
      } body: { server in
        await #expect(throws: HTTPError.tooManyRedirects(host: "127.0.0.1", limit: 5)) {
          try await client().send(local(server.address))
        }
        #expect(server.questions.count == 6)
      }
    }

    @Test func redirectsLeadOnlyToWebAddresses() async throws {
      for target in ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "javascript:alert(1)"] {
        try await WebServer.run { _ in
          .init(302, headers: ["Location": target])
        } body: { server in
          await #expect(throws: HTTPError.forbiddenRedirect(to: target)) {
            try await client().send(local(server.address))
          }
        }
      }
    }

    @Test func aRedirectKeepsEncryption() throws {
      let secure = try #require(HTTPAddress("https://example.org/"))
      let plain = try #require(HTTPAddress("http://example.org/"))
      #expect(throws: HTTPError.forbiddenRedirect(to: plain.text)) {
        try Redirect.follow(.get, status: 302, from: secure, to: plain.text)
      }
      #expect(try Redirect.follow(.get, status: 302, from: plain, to: secure.text) == secure)
      #expect(try Redirect.follow(.get, status: 302, from: secure, to: secure.text) == secure)
    }

    /// RFC 9110, section 15.4: other statuses than these two may turn a request into a GET request.
    @Test func onlyItsOwnServerRedirectsAnotherMethod() async throws {
      try await WebServer.run { _ in
        .init()
      } body: { other in
        try await WebServer.run { question in
          let statuses = ["/found": 302, "/other": 303, "/moved": 307, "/far": 308]
          let target = question.target == "/far" ? other.address + "/new" : "/new"
          return statuses[question.target].map { .init($0, headers: ["Location": target]) }
            ?? .init(body: question.body)
        } body: { server in
          func send(_ path: String) async throws -> [UInt8] {
            try await client().send(
              local(server.address + path) {
                $0.method = .put
                $0.body = Array("{}".utf8)
              }
            ).body
          }
          let moved = try await send("/moved")
          #expect(moved == Array("{}".utf8))
          for (path, target) in [("/found", server.address), ("/other", server.address), ("/far", other.address)] {
            await #expect(throws: HTTPError.forbiddenRedirect(to: target + "/new")) { try await send(path) }
          }
        }
        #expect(other.questions.isEmpty)
      }
    }

    @Test func headersStayWithTheirServer() async throws {
      try await WebServer.run { _ in
        .init()
      } body: { other in
        try await WebServer.run { question in
          question.target == "/first"
            ? .init(302, headers: ["Location": "/second"])
            : .init(302, headers: ["Location": other.address + "/third"])
        } body: { server in
          let request = local(server.address + "/first") {
            $0.headers = ["Authorization": "Bearer secret", "X-Key": "k"]
          }
          _ = try await client().send(request)
          #expect(server.questions.map { $0.headers["authorization"] } == ["Bearer secret", "Bearer secret"])
          #expect(other.questions.count == 1)
          #expect(other.questions.first?.headers["authorization"] == nil)
          #expect(other.questions.first?.headers["x-key"] == nil)
        }
      }
    }

    @Test func headersAreForwardedOnlyToTheSameServer() throws {
      func isTrusted(_ from: String, _ to: String) throws -> Bool {
        try #require(HTTPAddress(from)).isTrusted(toForwardTo: #require(HTTPAddress(to)))
      }
      #expect(try isTrusted("http://a.org/x", "http://A.org:80/y"))
      #expect(try isTrusted("http://a.org/", "https://a.org/"))
      #expect(try !isTrusted("https://a.org/", "http://a.org/"))
      #expect(try !isTrusted("https://a.org/", "https://a.org:8443/"))
      #expect(try !isTrusted("https://a.org/", "https://b.a.org/"))
      #expect(try !isTrusted("http://a.org:8000/", "https://a.org/"))
    }
  }
}
