import Foundation
import Gallery
import HTTP
import Photos
import Services
import Testing
import WebServer

extension WebTests {
  @Suite struct WebFailureTests {
    private let catalog = TestCatalog()
    private static let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n"

    @Test(arguments: [
      (401, APIError.permissionDenied(subject: "127.0.0.1", reason: "No\u{FFFD} key"), 1),
      (403, .permissionDenied(subject: "127.0.0.1", reason: "No\u{FFFD} key"), 1),
      (404, .serverFault(server: "127.0.0.1", .status(404, reason: "No\u{FFFD} key")), 1),
      (429, .serverOverload, 4), (503, .serverOverload, 4),
      (500, .serverFault(server: "127.0.0.1", .status(500, reason: "No\u{FFFD} key")), 4),
    ])
    func errorStatusesAreReported(status: Int, error: APIError, tries: Int) async throws {
      try await WebServer.run { _ in
        .init(
          status, headers: ["Content-Type": "application/json", "Retry-After": "7"],
          body: Data(#"{"message": "No\u0007 key"}"#.utf8))
      } body: { server in
        await #expect(throws: error) { try await catalog.service(server.address).last() }
        #expect(server.questions.count == tries)
        #expect(catalog.clock.sleeps == Array(repeating: .seconds(7), count: tries - 1))
      }
    }

    @Test func aTemporaryFailureIsRetried() async throws {
      try await WebServer.run { question in
        question.number < 2 ? .init(429, headers: ["Retry-After": "3"]) : .init(body: TestCatalog.page([1]))
      } body: { server in
        let snapshot = try await catalog.service(server.address).last()
        #expect(snapshot.photos.map(\.id) == [1])
        #expect(catalog.clock.sleeps == [.seconds(3), .seconds(3)])
      }
    }

    /// The user learns at once why there are no photos yet.
    @Test func anAttemptThatIsTriedAgainIsReported() async throws {
      try await WebServer.run { question in
        question.number < 1 ? .init(503) : .init(body: TestCatalog.page([1]))
      } body: { server in
        var errors: [APIError?] = []
        for await answer in catalog.service(server.address).fetchPhotos() {
          errors.append(try answer.get().retriedError)
        }
        #expect(errors.last == .some(nil))
        #expect(errors == [nil] || errors == [.serverOverload, nil], "The last answer may replace the one before it.")
      }
    }

    @Test func anUnreachableServerIsNamed() async throws {
      let address = try await WebServer.run { _ in
        .init()
      } body: {
        $0.address
      }
      await #expect(throws: APIError.unreachable(server: "127.0.0.1", .refused)) {
        try await catalog.service(address).last()
      }
      #expect(catalog.clock.sleeps.count == 3)
    }

    @Test func anAnswerThatIsNotACatalogIsReported() async throws {
      try await WebServer.run { question in
        .init(body: Data((question.target == "/page" ? "\n<!DOCTYPE html><title>Log in</title>" : "Hello").utf8))
      } body: { server in
        await #expect {
          try await catalog.service(server.address).last()
        } throws: { error in
          let message = (error as? APIError)?.message
          return message?.hasPrefix("127.0.0.1: the answer cannot be read: line 1, column 1") == true
        }
        // A captive portal answers with a page of its own.
        await #expect(throws: APIError.serverFault(server: "127.0.0.1", .webPage(insteadOf: .catalog))) {
          try await catalog.service(server.address + "/page").last()
        }
        #expect(catalog.names.isEmpty)
      }
    }

    @Test func aStalledPageTimesOut() async throws {
      let server = try RawServer { peer in
        _ = peer.send(Self.ok + "Content-Length: 100000\r\n\r\n[")
        peer.waitForClose()
      }
      var limits = HTTPLimits()
      limits.stallSeconds = 1
      await #expect(throws: APIError.serverFault(server: "127.0.0.1", .tooSlow)) {
        try await catalog.service(server.address, limits: limits).last()
      }
    }

    @Test func anEndlessPageIsCutOff() async throws {
      let server = try RawServer { peer in
        let chunk = [UInt8](repeating: 0x20, count: 1 << 20)
        _ = peer.send(Self.ok + "\r\n")
        while peer.send(chunk) {}
      }
      await #expect(throws: APIError.serverFault(server: "127.0.0.1", .bodyTooLarge(limit: 64 << 20))) {
        try await catalog.service(server.address).last()
      }
      #expect(catalog.names.isEmpty)
    }

    @Test func aCompressionBombIsCutOff() async throws {
      // The data is 70 MB, compressed to about 70 KB.
      let bomb = [UInt8](try await gzip("head -c 70000000 /dev/zero"))
      try #require(bomb.count > 50_000)
      let server = try RawServer { peer in
        _ = peer.send(Self.ok + "Content-Encoding: gzip\r\n\r\n") && peer.send(bomb)
        peer.waitForClose()
      }
      await #expect(throws: APIError.serverFault(server: "127.0.0.1", .bodyTooLarge(limit: 64 << 20))) {
        try await catalog.service(server.address).last()
      }
    }

    @Test func cancelingTheFetchEndsTheRequest() async throws {
      let (asked, hasAsked) = AsyncStream.makeStream(of: Void.self)
      let (closed, hasClosed) = AsyncStream.makeStream(of: Bool.self)
      let server = try RawServer { peer in
        hasAsked.yield()
        hasClosed.yield(peer.waitForClose(milliseconds: 30_000))
      }
      let service = catalog.service(server.address)
      let task = Task {
        var answers = 0
        for await _ in service.fetchPhotos() { answers += 1 }
        return answers
      }
      for await _ in asked { break }
      task.cancel()
      #expect(await task.value == 0)
      for await isClosed in closed {
        #expect(isClosed)
        break
      }
    }
  }
}
