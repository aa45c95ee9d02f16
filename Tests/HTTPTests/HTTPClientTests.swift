import Foundation
import Gallery
import HTTP
import Testing
import WebServer

extension WebTests {
  @Suite struct HTTPClientTests {
    @Test func anAnswerHasItsHeadersAndBody() async throws {
      let question = try await WebServer.run { _ in
        .init(headers: ["X-Color": "red", "ETag": "\"1\""], body: Data("hello".utf8))
      } body: { server in
        let request = local(server.address + "/a?b=c d") { $0.headers = ["X-Key": "value", "X-Empty": ""] }
        let response = try await client().send(request)
        #expect(response.status == 200)
        #expect(response.headers["x-color"] == "red")
        #expect(response.validators == HTTPValidators(entityTag: "\"1\""))
        #expect(String(decoding: response.body, as: UTF8.self) == "hello")
        #expect(response.address == server.address + "/a?b=c+d")
        return try #require(server.questions.first)
      }
      #expect(question.target == "/a?b=c+d")
      #expect(question.headers["x-key"] == "value")
      #expect(question.headers["x-empty"] == "")
      #expect(question.headers["user-agent"] == "Tests/1")
      #expect(question.headers["accept-encoding"]?.contains("gzip") == true)
    }

    @Test(arguments: [HTTPRequest.Method.post, .put], ["{\"a\": \"ü\"}", "", String(repeating: "x", count: 100_000)])
    func aBodyIsSent(method: HTTPRequest.Method, body: String) async throws {
      try await WebServer.run { question in
        .init(headers: ["X-Method": question.method], body: question.body)
      } body: { server in
        let response = try await client().send(
          local(server.address) {
            $0.method = method
            $0.body = Array(body.utf8)
            $0.headers = ["Content-Type": "application/json"]
          })
        #expect(response.headers["x-method"] == method.rawValue)
        #expect(response.body == Array(body.utf8))
        let question = try #require(server.questions.first)
        #expect(question.headers["content-type"] == "application/json")
      }
    }

    @Test func aCacheTellsBodiesApart() {
      var request = HTTPRequest("http://a.org/")
      #expect(request.cacheKey == "http://a.org/")
      request.method = .post
      let keys = ["", "{}", "{\"page\":2}"].map { body in
        request.body = Array(body.utf8)
        return request.cacheKey
      }
      #expect(Set(keys).count == 3)
    }

    @Test func aValidCachedBodyIsNotSentAgain() async throws {
      try await WebServer.run { question in
        question.headers["if-none-match"] == "\"1\"" && question.headers["if-modified-since"] != nil
          ? .init(304, headers: ["ETag": "\"1\""]) : .init(500)
      } body: { server in
        let date = "Wed, 21 Oct 2026 07:28:00 GMT"
        let response = try await client().send(
          local(server.address) { $0.validators = HTTPValidators(entityTag: "\"1\"", lastModified: date) })
        #expect(response.isNotModified)
      }
    }

    @Test func aBodyIsWrittenToAFile() async throws {
      let body = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
      try await WebServer.run { question in
        // The first try fails, and its body is not part of the file.
        question.number == 0 ? .init(500, body: Data("sorry".utf8)) : .init(body: body)
      } body: { server in
        let file = TemporaryFile()
        let response = try await client().send(
          local(server.address) { $0.destination = .file(descriptor: file.descriptor) })
        #expect(response.body.isEmpty)
        #expect(file.contents == body)
      }
    }

    @Test func aRetryOverwritesAnIncompleteBody() async throws {
      let counter = Counter()
      let server = try RawServer { peer in
        let body = counter.next() == 0 ? "half" : "the whole"
        _ = peer.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\n" + body)
      }
      let file = TemporaryFile()
      _ = try await client().send(local(server.address) { $0.destination = .file(descriptor: file.descriptor) })
      #expect(String(decoding: file.contents, as: UTF8.self) == "the whole")
    }

    /// RFC 9110, section 5.3.
    @Test func headersOfTheSameNameAreOneList() async throws {
      let server = try RawServer { peer in
        let links = "Link: </2>; rel=next\r\nLink: </9>; rel=last\r\n"
        _ = peer.send("HTTP/1.1 200 OK\r\n\(links)Content-Length: 0\r\nConnection: close\r\n\r\n")
      }
      let response = try await client().send(local(server.address))
      #expect(response.headers["link"] == "</2>; rel=next, </9>; rel=last")
    }

    @Test func aFullDiskIsReported() async throws {
      try await WebServer.run { _ in
        .init(body: Data("hello".utf8))
      } body: { server in
        let full = open("/dev/full", O_RDWR)
        defer { close(full) }
        await #expect(throws: HTTPError.unwritable(.system(reason: "Invalid argument"))) {
          try await client().send(local(server.address) { $0.destination = .file(descriptor: full) })
        }
      }
    }

    @Test func onlyWebAddressesAreFetched() async {
      for address in ["file:///etc/passwd", "ftp://example.org/", "gopher://example.org/", "nonsense", "", "http://"] {
        await #expect(throws: HTTPError.invalidAddress(address)) { try await client().send(HTTPRequest(address)) }
      }
    }

    @Test func aHeaderCannotContainSeveral() async {
      for (name, value) in [("X", "a\r\nEvil: b"), ("X\r\nEvil", "b"), ("X", "a\u{0}b"), ("", "a")] {
        await #expect(throws: HTTPError.invalidHeader(name: name)) {
          try await client().send(HTTPRequest("http://127.0.0.1:1/", headers: [name: value]))
        }
      }
    }

    @Test func aCanceledRequestEndsAtOnce() async throws {
      let (closed, hasClosed) = AsyncStream.makeStream(of: Void.self)
      let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
      let server = try RawServer { peer in
        _ = peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        hasBegun.yield()
        peer.waitForClose()
        hasClosed.yield()
      }
      // Without its cancellation, the request would end after this time.
      var limits = HTTPLimits()
      limits.stallSeconds = 60
      let client = client(limits: limits)
      let task = Task { try await client.send(local(server.address)) }
      for await _ in begun { break }
      let start = ContinuousClock.now
      task.cancel()
      await #expect(throws: HTTPError.cancelled) { try await task.value }
      // The server notices the end, too.
      for await _ in closed { break }
      #expect(ContinuousClock.now - start < .seconds(limits.stallSeconds))
    }

    /// libcurl looks at a stalled transfer every second. If requests waited for that, these would need two minutes.
    @Test(.timeLimit(.minutes(1))) func requestsDoNotWaitForAStalledOne() async throws {
      let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
      let stalled = try RawServer { peer in
        _ = peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        hasBegun.yield()
        peer.waitForClose()
      }
      var limits = HTTPLimits()
      limits.stallSeconds = 300
      let client = client(limits: limits)
      let task = Task { try await client.send(local(stalled.address)) }
      for await _ in begun { break }
      try await WebServer.run { _ in
        .init(body: Data("hello".utf8))
      } body: { server in
        for _ in 0..<120 {
          let response = try await client.send(local(server.address))
          #expect(response.status == 200)
        }
      }
      task.cancel()
      await #expect(throws: HTTPError.cancelled) { try await task.value }
    }

    @Test func aTaskCanceledBeforeItsRequestSendsNothing() async throws {
      let counter = Counter()
      let server = try RawServer { _ in _ = counter.next() }
      let client = client()
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await client.send(local(server.address))
      }
      await #expect(throws: HTTPError.cancelled) { try await task.value }
      #expect(counter.next() == 0)
    }

    @Test func manyRequestsRunAtOnce() async throws {
      let gate = Gate(count: 8)
      try await WebServer.run { _ in
        await gate.wait()
        return .init(body: Data("hello".utf8))
      } body: { server in
        let client = client(limits: HTTPLimits())
        try await withThrowingTaskGroup(of: Int.self) { group in
          // The server answers only when all requests have arrived.
          for _ in 0..<8 { group.addTask { try await client.send(local(server.address)).status } }
          for try await status in group { #expect(status == 200) }
        }
      }
    }
  }
}
