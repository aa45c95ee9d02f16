import Foundation
import Gallery
import Synchronization
import Testing
import WebServer

@testable import HTTP

extension WebTests {
  /// Faults of encryption: each leads to one sentence that says what the user can do, and nothing is sent to the server.
  @Suite struct EncryptionTests {
    /// A certificate that proves nothing.
    enum Certificate: CaseIterable {
      case expired, notYetValid, forAnotherName, ownOne, ofAnUnknownAuthority, weak

      fileprivate func server() async throws -> SecureServer {
        switch self {
        case .expired: try await SecureServer(name: "IP:127.0.0.1", years: 2020...2021)
        case .notYetValid: try await SecureServer(name: "IP:127.0.0.1", years: 2048...2049)
        case .forAnotherName: try await SecureServer(name: "DNS:example.org")
        case .ownOne: try await SecureServer(name: "IP:127.0.0.1")
        case .ofAnUnknownAuthority: try await SecureServer(name: "IP:127.0.0.1", isSigned: true)
        case .weak:
          try await SecureServer(
            name: "IP:127.0.0.1", key: ["rsa:768"], options: ["-cipher", "DEFAULT@SECLEVEL=0"])
        }
      }

      /// Whether the user trusts the certificate.
      fileprivate var isTrusted: Bool { ![.ownOne, .ofAnUnknownAuthority].contains(self) }

      fileprivate var fault: TrustFault {
        switch self {
        case .expired: .expired
        case .notYetValid: .notYetValid
        case .forAnotherName: .otherName
        case .ownOne, .ofAnUnknownAuthority: .unknownAuthority
        case .weak: .weak
        }
      }

      /// The part of the message that says what to do.
      fileprivate var advice: String {
        switch self {
        case .expired, .notYetValid: "check this machine's date"
        case .forAnotherName: "check the address"
        case .ownOne, .ofAnUnknownAuthority: "name the certificate's file in SSL_CERT_FILE"
        case .weak: "ask the server's owner for a new one"
        }
      }
    }

    @Test(arguments: Certificate.allCases) func aCertificateThatProvesNothingIsExplained(kind: Certificate) async throws
    {
      let server = try await kind.server()
      let error = await #expect(throws: HTTPError.self) {
        try await client(environment: kind.isTrusted ? ["SSL_CERT_FILE": server.certificate] : [:])
          .send(local(server.address))
      }
      #expect(error == .untrusted(host: "127.0.0.1", kind.fault))
      let message = try APIError(#require(error)).message
      #expect(message.hasPrefix("127.0.0.1 cannot be trusted: ") && message.contains(kind.advice), "\(message)")
    }

    @Test(arguments: [false, true]) func aCertificateThatTheUserTrustsIsTaken(isSigned: Bool) async throws {
      let server = try await SecureServer(name: "IP:127.0.0.1", isSigned: isSigned)
      for variable in ["SSL_CERT_FILE", "CURL_CA_BUNDLE"] {
        let response = try await client(environment: [variable: server.certificate]).send(local(server.address))
        #expect(response.status == 200)
      }
    }

    @Test func aMissingFileOfAuthoritiesIsNamed() async throws {
      let error = await #expect(throws: HTTPError.self) {
        try await client(environment: ["SSL_CERT_FILE": "/none.pem"]).send(local("https://127.0.0.1:1/"))
      }
      // With other versions of libcurl, the connection is refused first.
      if case .noConnection(_, .refused)? = error { return }
      let message = try APIError(#require(error)).message
      #expect(message.contains("/none.pem") && message.contains("check SSL_CERT_FILE"), "\(message)")
    }

    /// A handshake that fails.
    enum Handshake: CaseIterable {
      case oldVersion, plainText, cutOff, never
    }

    @Test(arguments: Handshake.allCases) func aFailingHandshakeIsExplained(kind: Handshake) async throws {
      let count = Counter()
      var limits = HTTPLimits()
      if kind == .never { limits.connectTime = .milliseconds(300) }
      let raw = try RawServer(readsRequests: false) { peer in
        _ = count.next()
        switch kind {
        case .plainText: _ = peer.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        case .oldVersion, .cutOff, .never: break
        }
        // A socket that is closed with bytes to read resets the connection.
        if kind == .plainText || kind == .never { peer.drain() }
      }
      let old = try await SecureServer(
        name: "IP:127.0.0.1", options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
      let address = kind == .oldVersion ? old.address : raw.address.replacing("http:", with: "https:")
      let error = await #expect(throws: HTTPError.self) {
        try await client(limits: limits, environment: ["SSL_CERT_FILE": old.certificate]).send(local(address))
      }
      let message = try APIError(#require(error)).message
      switch (kind, error) {
      case (.oldVersion, .noConnection(_, .noEncryption)), (.plainText, .noConnection(_, .noEncryption)):
        #expect(message.contains("check the port, and whether the server has TLS 1.2 or later"), "\(message)")
        #expect(!message.contains("SSL routines"), "\(message)")
      case (.cutOff, .interrupted): #expect(message.contains("the connection broke"), "\(message)")
      case (.never, .connectingTakesTooLong): #expect(message.contains("timed out"), "\(message)")
      default: Issue.record("\(kind): \(String(describing: error))")
      }
      // Only a break may pass.
      #expect(count.next() == (kind == .oldVersion ? 0 : kind == .cutOff ? 4 : 1))
    }

    /// A server that expects encryption answers with an alert.
    @Test func anAddressWithoutEncryptionOfAnEncryptedServerIsExplained() async throws {
      let server = try RawServer { peer in _ = peer.send(BadAnswer.encryption.bytes) }
      let clock = RecordingClock()
      let error = await #expect(throws: HTTPError.self) { try await client(clock: clock).send(local(server.address)) }
      #expect(error == .notHTTP(host: "127.0.0.1") && clock.sleeps == [])
      #expect(try APIError(#require(error)).message.contains("whether the address begins with https"))
    }

    @Test func aRedirectFromHTTPSToHTTPIsNotFollowed() async throws {
      try await WebServer.run { _ in
        .init()
      } body: { plain in
        let answer = "HTTP/1.0 302 Found\r\nLocation: \(plain.address)/\r\n\r\n"
        let server = try await SecureServer(name: "IP:127.0.0.1", answer: answer)
        let client = client(environment: ["SSL_CERT_FILE": server.certificate])
        await #expect(throws: HTTPError.forbiddenRedirect(to: plain.address + "/")) {
          try await client.send(local(server.address + "answer"))
        }
        #expect(plain.questions.isEmpty)
      }
    }
  }
}
