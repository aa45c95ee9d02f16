import Foundation
import Gallery
import HTTP
import Testing
import WebServer

extension WebTests {
  @Suite struct RetryTests {
    @Test func aFailingServerIsTriedFourTimes() async throws {
      for status in [500, 502, 503, 504, 429] {
        try await WebServer.run { _ in
          .init(status)
        } body: { server in
          let clock = RecordingClock()
          await #expect(throws: HTTPError.refused(host: "127.0.0.1", status: status, reason: nil)) {
            try await client(clock: clock).send(local(server.address))
          }
          #expect(server.questions.count == 4)
          #expect(clock.sleeps == [.seconds(1), .seconds(2), .seconds(4)])
        }
      }
    }

    @Test func aClientErrorIsNotRetried() async throws {
      for status in [400, 401, 403, 404, 410] {
        try await WebServer.run { _ in
          .init(status)
        } body: { server in
          await #expect(throws: HTTPError.refused(host: "127.0.0.1", status: status, reason: nil)) {
            try await client().send(local(server.address))
          }
          #expect(server.questions.count == 1)
        }
      }
    }

    @Test func retryAfterGivesADelay() async throws {
      try await WebServer.run { question in
        question.number == 0 ? .init(429, headers: ["Retry-After": "7"]) : .init()
      } body: { server in
        let clock = RecordingClock()
        _ = try await client(clock: clock).send(local(server.address))
        #expect(clock.sleeps == [.seconds(7)])
      }
    }

    @Test func retryAfterGivesADate() async throws {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(identifier: "GMT")
      formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      let date = formatter.string(from: Date(timeIntervalSinceNow: 40))
      try await WebServer.run { question in
        question.number == 0 ? .init(503, headers: ["Retry-After": date]) : .init()
      } body: { server in
        let clock = RecordingClock()
        _ = try await client(clock: clock).send(local(server.address))
        let slept = try #require(clock.sleeps.first)
        #expect(clock.sleeps.count == 1)
        #expect((.seconds(20)...(.seconds(40))).contains(slept), "\(slept)")
      }
    }

    @Test func aLongRetryAfterFailsAtOnce() async throws {
      try await WebServer.run { _ in
        .init(429, headers: ["Retry-After": "3600"])
      } body: { server in
        let clock = RecordingClock()
        await #expect(throws: HTTPError.self) { try await client(clock: clock).send(local(server.address)) }
        #expect(server.questions.count == 1)
        #expect(clock.sleeps.isEmpty)
      }
    }

    @Test func anUnreachableServerIsTriedFourTimes() async throws {
      let clock = RecordingClock()
      // No other program can listen on the port of a bound socket.
      let bound = try BoundPort()
      await #expect(throws: HTTPError.noConnection(host: "127.0.0.1", cause: .refused)) {
        try await client(clock: clock).send(local("http://127.0.0.1:\(bound.port)/"))
      }
      #expect(clock.sleeps.count == 3)
      await #expect(throws: HTTPError.noConnection(host: "nowhere.invalid", cause: .unknownName)) {
        try await client().send(HTTPRequest("http://nowhere.invalid/"))
      }
      let proxied = client(environment: ["http_proxy": "127.0.0.1:\(bound.port)"])
      await #expect(throws: HTTPError.noConnection(host: "a.org", cause: .proxy(.refused))) {
        try await proxied.send(HTTPRequest("http://a.org/"))
      }
    }

    /// What a server has not answered at the end of the program is sent the next time. Waiting for each would take minutes.
    @Test func nothingIsSentAfterAnOutageAtTheEnd() async throws {
      let counter = Counter()
      let server = try RawServer { peer in
        if counter.next() == 0 {
          _ = peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        } else {
          peer.waitForClose()
        }
      }
      let client = client(limits: .quick)
      client.endWithNextOutage()
      // A server that answers is waited for.
      #expect(try await client.send(local(server.address)).status == 200)
      await #expect(throws: HTTPError.tooSlow(host: "127.0.0.1")) { try await client.send(local(server.address)) }
      for _ in 0..<3 {
        await #expect(throws: HTTPError.cancelled) { try await client.send(local(server.address)) }
      }
      #expect(counter.next() == 2)
    }

    @Test func aCanceledTaskDoesNotRetry() async throws {
      try await WebServer.run { _ in
        .init(500)
      } body: { server in
        let client = client(clock: CancellingClock())
        await #expect(throws: HTTPError.cancelled) { try await client.send(local(server.address)) }
        #expect(server.questions.count == 1)
      }
    }
  }
}

/// A clock that cancels every sleep.
private struct CancellingClock: Clock {
  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws { throw CancellationError() }
}

private final class BoundPort {
  let port: UInt16
  private let socket: Int32

  init() throws {
    let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    self.socket = socket
    port = UInt16(bigEndian: name.sin_port)
  }

  deinit { close(socket) }
}
