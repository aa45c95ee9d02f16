import Foundation
import Gallery
import Testing
import WebServer

@testable import HTTP

extension WebTests {
  @Suite struct ErrorTests {
    @Test func theReasonOfTheServerIsPrintable() {
      let json = "application/problem+json; charset=utf-8"
      for (type, body, reason) in [
        (json, #"{"message": "Bad credentials"}"#, "Bad credentials"),
        (json, #"{"error": {"code": 1, "message": "No\nkey"}}"#, "No key"),
        (json, #"{"errors": ["OAuth error"]}"#, "OAuth error"), (json, #"{"title": "Forbidden"}"#, "Forbidden"),
        // The error of OAuth is a code for programs.
        (json, #"{"error": "invalid_token", "error_description": "The token expired"}"#, "The token expired"),
        (json, "broken", nil), (json, "{}", nil), ("text/plain", "Sign \u{1B}[31min\nsecond", "Sign \u{FFFD}[31min"),
        ("text/html", "<p>No</p>", nil), (nil, "No", nil),
      ] as [(String?, String, String?)] {
        #expect(ServerReason.read(Array(body.utf8), type: type) == reason, "\(body)")
      }
      #expect(ServerReason.read([UInt8](repeating: 0x78, count: 5000), type: "text/plain")?.count == 200)
    }

    @Test func everyFailureBecomesAnErrorOfTheService() {
      for (error, wanted) in [
        (.noConnection(host: "a.org", cause: .noNetwork), .noNetwork),
        (.noConnection(host: "a.org", cause: .refused), .unreachable(server: "a.org", .refused)),
        (.noConnection(host: "a.org", cause: .noRoute), .unreachable(server: "a.org", .noRoute)),
        (.connectingTakesTooLong(host: "a.org"), .unreachable(server: "a.org", .timedOut)),
        (.refused(host: "a.org", status: 429, reason: "x"), .serverOverload),
        (.refused(host: "a.org", status: 503, reason: nil), .serverOverload),
        (.refused(host: "a.org", status: 401, reason: "x"), .permissionDenied(subject: "a.org", reason: "x")),
        (.refused(host: "a.org", status: 403, reason: nil), .permissionDenied(subject: "a.org")),
        (
          .refused(host: "a.org", status: 404, reason: "Gone"),
          .serverFault(server: "a.org", .status(404, reason: "Gone"))
        ),
        (.interrupted(host: "a.org", reason: "x"), .serverFault(server: "a.org", .interrupted(reason: "x"))),
        (.tooSlow(host: "a.org"), .serverFault(server: "a.org", .tooSlow)),
        (.bodyTooLarge(host: "a.org", limit: 5), .serverFault(server: "a.org", .bodyTooLarge(limit: 5))),
        (.headersTooLarge(host: "a.org", limit: 5), .serverFault(server: "a.org", .headersTooLarge(limit: 5))),
        (.tooManyRedirects(host: "a.org", limit: 5), .serverFault(server: "a.org", .tooManyRedirects(limit: 5))),
        (.untrusted(host: "a.org", reason: "x"), .untrustedServer(server: "a.org", reason: "x")),
        (.invalidAddress("x"), .unsafeAddress("x", .notHTTP)),
        (.forbiddenRedirect(to: "x"), .unsafeAddress("x", .forbiddenRedirect)),
        (.privateAddress(host: "x"), .unsafeAddress("x", .privateNetwork)),
        (.invalidHeader(name: "x"), .invalidHeader(name: "x")),
        (.unwritable(.noRoom(folder: "/x")), .cannotWrite(.noRoom(folder: "/x"))),
        (.unavailable, .webUnavailable), (.cancelled, .cancelled),
      ] as [(HTTPError, APIError)] {
        #expect(APIError(error) == wanted)
      }
    }

    @Test func theErrorOfTheSystemCallNamesTheFault() {
      for (number, fault) in [
        (ECONNREFUSED, .refused), (EHOSTUNREACH, .noRoute), (ENETUNREACH, .noNetwork), (ETIMEDOUT, .timedOut),
      ] as [(Int32, ConnectionFault)] {
        #expect(ConnectionFault(systemError: number) == fault)
      }
      #expect(ConnectionFault(systemError: EACCES) == .system(reason: String(cString: strerror(EACCES))))
      #expect(ConnectionFault(systemError: 0) == .unknown)
    }

    @Test(arguments: [
      ("<html>", true), ("\u{FEFF}\r\n\t <!DOCTYPE html>", true), ("{\"a\": \"<\"}", false), ("", false), ("a<", false),
    ])
    func pagesForBrowsersAreRecognized(body: String, isPage: Bool) {
      #expect(WebMarkup.begins(Array(body.utf8)) == isPage)
    }

    @Test func aServerUnderAWrongNameIsNotTrusted() async throws {
      let wrong = try await SecureServer(name: "DNS:example.org")
      await #expect {
        try await client(environment: ["SSL_CERT_FILE": wrong.certificate]).send(local(wrong.address))
      } throws: { error in
        guard case HTTPError.untrusted(host: "127.0.0.1", let reason) = error else { return false }
        return reason.contains("subject name matches")
      }
      let right = try await SecureServer(name: "IP:127.0.0.1")
      // No authority signed the certificate, so only the user can trust it.
      await #expect {
        try await client().send(local(right.address))
      } throws: { error in
        guard case HTTPError.untrusted = error else { return false }
        return true
      }
      let response = try await client(environment: ["SSL_CERT_FILE": right.certificate]).send(local(right.address))
      #expect(response.status == 200)
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

/// A web server with a certificate that it signed itself.
private final class SecureServer {
  let address: String
  let certificate: String
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private let process = Process()

  /// - Parameter answer: The answer to `/answer`, or nil for a page about the connection.
  init(name: String, answer: String? = nil) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appending(path: "certificate.pem").path
    let key = folder.appending(path: "key.pem").path
    try await run(
      "/usr/bin/openssl",
      ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        + ["-subj", "/CN=test", "-addext", "subjectAltName=\(name)", "-keyout", key, "-out", certificate])
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    if let answer { try Data(answer.utf8).write(to: folder.appending(path: "answer")) }
    process.currentDirectoryURL = folder
    process.arguments =
      ["s_server", "-accept", "127.0.0.1:0", answer == nil ? "-www" : "-HTTP", "-cert", certificate, "-key", key]
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // It prints "ACCEPT 127.0.0.1:port" when it listens.
    var said = ""
    while !said.contains("ACCEPT ") || !said.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw POSIXError(.EPIPE) }
      said += String(decoding: data, as: UTF8.self)
    }
    let port = said.split(separator: "ACCEPT ").last?.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
    address = "https://127.0.0.1:\(port)/"
  }

  deinit {
    // A process inherits the signals that its thread blocks, so that SIGTERM may not end it.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }
}
