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
        (.untrusted(host: "a.org", .expired), .untrustedServer(server: "a.org", .expired)),
        (.notHTTP(host: "a.org"), .serverFault(server: "a.org", .notHTTP)),
        (.unwantedCoding(host: "a.org"), .serverFault(server: "a.org", .unwantedCoding)),
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
  }
}
