import Foundation
import Gallery
import HTTP
import Photos
import Services
import Synchronization
import Testing
import WebServer

extension WebTests {
  @Suite struct WebFailureTests {
    private let catalog = TestCatalog()
    private static let sources = TestCatalog.Source.allCases
    private static let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n"

    @Test(
      arguments: sources,
      [
        (401, APIError.permissionDenied(subject: "127.0.0.1", reason: "No\u{FFFD} key"), 1),
        (403, .permissionDenied(subject: "127.0.0.1", reason: "No\u{FFFD} key"), 1),
        (404, .serverFault(server: "127.0.0.1", .status(404, reason: "No\u{FFFD} key")), 1),
        (429, .serverOverload, 4), (503, .serverOverload, 4),
        (500, .serverFault(server: "127.0.0.1", .status(500, reason: "No\u{FFFD} key")), 4),
      ])
    func errorStatusesAreReported(of source: TestCatalog.Source, _ answer: (Int, APIError, Int)) async throws {
      let (status, error, tries) = answer
      let count = Mutex(0)
      let body = #"{"message": "No\u0007 key"}"#
      let head = "HTTP/1.1 \(status) No\r\nContent-Type: application/json\r\nRetry-After: 7\r\nConnection: close\r\n"
      let server = try RawServer { peer in
        count.withLock { $0 += 1 }
        _ = peer.send("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      }
      await #expect(throws: error) { try await catalog.service(source, server.address).last() }
      #expect(count.withLock(\.self) == tries)
      #expect(catalog.clock.sleeps == Array(repeating: .seconds(7), count: tries - 1))
    }

    /// Each source says so after one request.
    @Test(arguments: sources) func aProxyThatAsksForAPasswordIsExplained(source: TestCatalog.Source) async throws {
      let proxy = try ForwardingProxy()
      for scheme in ["http", "https"] {
        let address = proxy.bareAddress.replacing("//", with: "//ana:wrong@")
        let service = catalog.service(
          source, "\(scheme)://photos.example", environment: ["\(scheme)_proxy": address])
        let asked = proxy.requests.count
        await #expect(throws: APIError.unreachable(server: "photos.example", .proxy(.status(407)))) {
          try await service.last()
        }
        #expect(proxy.requests.count == asked + 1)
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

    @Test(arguments: sources) func anUnreachableServerIsNamed(of source: TestCatalog.Source) async throws {
      let address = try await WebServer.run { _ in
        .init()
      } body: {
        $0.address
      }
      await #expect(throws: APIError.unreachable(server: "127.0.0.1", .refused)) {
        try await catalog.service(source, address).last()
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
        #expect(catalog.names.allSatisfy { $0 == "index" })
      }
    }

    @Test(arguments: sources) func aStalledPageTimesOut(of source: TestCatalog.Source) async throws {
      let server = try RawServer { peer in
        _ = peer.send(Self.ok + "Content-Length: 100000\r\n\r\n[")
        peer.waitForClose()
      }
      var limits = HTTPLimits()
      limits.stallSeconds = 1
      await #expect(throws: APIError.serverFault(server: "127.0.0.1", .tooSlow)) {
        try await catalog.service(source, server.address, limits: limits).last()
      }
    }

    /// A body that ends early is no answer, and neither is one that is not what was asked for.
    @Test(arguments: sources, BadAnswer.allCases)
    func whatIsNoAnswerIsReported(of source: TestCatalog.Source, answer: BadAnswer) async throws {
      let count = Mutex(0)
      let server = try RawServer { peer in
        count.withLock { $0 += 1 }
        _ = peer.send(answer.bytes)
      }
      let error = await #expect(throws: APIError.self) { try await catalog.service(source, server.address).last() }
      #expect(error?.message.hasSuffix(".") == true)
      switch error {
      case .serverFault(_, .notHTTP), .serverFault(_, .unwantedCoding): #expect(count.withLock(\.self) == 1)
      case .serverFault(_, .interrupted): #expect(count.withLock(\.self) == 4)
      default: Issue.record("\(error?.message ?? "")")
      }
      // The file of an answer that has just ended may still be there. What is kept has the name of a hash.
      #expect(!catalog.names.contains { $0.count == 64 })
    }

    /// A server that lets no encrypted connection through, such as one of another protocol at the port.
    @Test(arguments: sources) func aServerWithoutEncryptionIsReported(of source: TestCatalog.Source) async throws {
      let count = Mutex(0)
      let server = try RawServer(readsRequests: false) { peer in
        count.withLock { $0 += 1 }
        _ = peer.send("220 mail.example ESMTP\r\n")
        peer.drain()
      }
      let address = server.address.replacing("http:", with: "https:")
      let error = await #expect(throws: APIError.self) { try await catalog.service(source, address).last() }
      #expect(error?.message.contains("no encrypted connection") == true, "\(error?.message ?? "")")
      #expect(count.withLock(\.self) == 1)
    }

    /// The tries of one request are not told apart by what the server has set.
    @Test(arguments: sources) func noCookieIsSent(of source: TestCatalog.Source) async throws {
      let requests = Mutex<[String]>([])
      let server = try RawServer { peer in
        requests.withLock { $0.append(peer.request.lowercased()) }
        _ = peer.send(
          "HTTP/1.1 503 No\r\nSet-Cookie: id=1; Path=/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      }
      await #expect(throws: APIError.serverOverload) { try await catalog.service(source, server.address).last() }
      #expect(requests.withLock(\.self).count == 4)
      #expect(requests.withLock(\.self).allSatisfy { !$0.contains("cookie") })
    }

    /// Neither the key nor the question goes to another server, and none in a private network is asked that the user has not named.
    @Test(arguments: sources) func noRedirectLeadsElsewhere(of source: TestCatalog.Source) async throws {
      let count = Mutex(0)
      let other = try RawServer { _ in count.withLock { $0 += 1 } }
      // The other name of the address is another server.
      let elsewhere = other.address.replacing("127.0.0.1", with: "localhost")
      let server = try RawServer { peer in
        _ = peer.send(
          "HTTP/1.1 302 Found\r\nLocation: \(elsewhere)/a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      }
      await #expect {
        try await catalog.service(source, server.address).last()
      } throws: { error in
        guard case APIError.unsafeAddress = error else { return false }
        return true
      }
      #expect(count.withLock(\.self) == 0)
    }

    @Test(arguments: sources) func anEndlessPageIsCutOff(of source: TestCatalog.Source) async throws {
      let server = try RawServer { peer in
        let chunk = [UInt8](repeating: 0x20, count: 1 << 20)
        _ = peer.send(Self.ok + "\r\n")
        while peer.send(chunk) {}
      }
      await #expect(throws: APIError.serverFault(server: "127.0.0.1", .bodyTooLarge(limit: 64 << 20))) {
        try await catalog.service(source, server.address).last()
      }
      #expect(catalog.names.allSatisfy { $0 == "index" })
    }

    @Test(arguments: sources) func aCompressionBombIsCutOff(of source: TestCatalog.Source) async throws {
      // The data is 70 MB, compressed to about 70 KB.
      let bomb = [UInt8](try await gzip("head -c 70000000 /dev/zero"))
      try #require(bomb.count > 50_000)
      let server = try RawServer { peer in
        _ = peer.send(Self.ok + "Content-Encoding: gzip\r\n\r\n") && peer.send(bomb)
        peer.waitForClose()
      }
      await #expect(throws: APIError.serverFault(server: "127.0.0.1", .bodyTooLarge(limit: 64 << 20))) {
        try await catalog.service(source, server.address).last()
      }
    }

    @Test(arguments: sources) func cancelingTheFetchEndsTheRequest(of source: TestCatalog.Source) async throws {
      let (asked, hasAsked) = AsyncStream.makeStream(of: Void.self)
      let (closed, hasClosed) = AsyncStream.makeStream(of: Bool.self)
      let server = try RawServer { peer in
        hasAsked.yield()
        hasClosed.yield(peer.waitForClose(milliseconds: 30_000))
      }
      let service = catalog.service(source, server.address)
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
