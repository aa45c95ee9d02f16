import Foundation
import HTTP
import Testing
import WebServer

extension WebTests {
  @Suite struct LimitTests {
    private static let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n"

    @Test func aStalledBodyTimesOut() async throws {
      let server = try RawServer { peer in
        _ = peer.send(Self.ok + "Content-Length: 100000\r\n\r\nhalf")
        peer.waitForClose()
      }
      await #expect(throws: HTTPError.tooSlow(host: "127.0.0.1")) {
        try await client(limits: .quick).send(local(server.address))
      }
    }

    @Test func anAnswerThatNeverBeginsTimesOut() async throws {
      let server = try RawServer { $0.waitForClose() }
      await #expect(throws: HTTPError.tooSlow(host: "127.0.0.1")) {
        try await client(limits: .quick).send(local(server.address))
      }
    }

    @Test func aBodyThatIsTooSlowTimesOut() async throws {
      let server = try RawServer { peer in
        _ = peer.send(Self.ok + "Content-Length: 100000\r\n\r\n")
        while !peer.waitForClose(milliseconds: 100), peer.send("x") {}
      }
      await #expect(throws: HTTPError.tooSlow(host: "127.0.0.1")) {
        try await client(limits: .quick).send(local(server.address))
      }
    }

    @Test func headersThatAreTooSlowTimeOut() async throws {
      let server = try RawServer { peer in
        _ = peer.send("HTTP/1.1 200 OK\r\n")
        while !peer.waitForClose(milliseconds: 100), peer.send("X: y\r\n") {}
      }
      await #expect(throws: HTTPError.tooSlow(host: "127.0.0.1")) {
        try await client(limits: .quick).send(local(server.address))
      }
    }

    @Test func anEndlessBodyIsCutOff() async throws {
      let server = try RawServer { peer in
        let chunk = [UInt8](repeating: 0x78, count: 1 << 16)
        _ = peer.send(Self.ok + "\r\n")
        while peer.send(chunk) {}
      }
      await #expect(throws: HTTPError.bodyTooLarge(host: "127.0.0.1", limit: 1 << 20)) {
        try await client(limits: .quick).send(local(server.address) { $0.sizeLimit = 1 << 20 })
      }
      let file = TemporaryFile()
      await #expect(throws: HTTPError.bodyTooLarge(host: "127.0.0.1", limit: 1 << 20)) {
        try await client(limits: .quick).send(
          local(server.address) {
            $0.destination = .file(descriptor: file.descriptor)
            $0.sizeLimit = 1 << 20
          })
      }
      #expect(file.size <= 1 << 20)
    }

    @Test func anEndlessRefusalIsStillARefusal() async throws {
      let server = try RawServer { peer in
        _ = peer.send("HTTP/1.1 403 No\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nmembers only\n")
        while peer.send([UInt8](repeating: 0x78, count: 1 << 16)) {}
      }
      await #expect(throws: HTTPError.refused(host: "127.0.0.1", status: 403, reason: "members only")) {
        try await client(limits: .quick).send(local(server.address))
      }
    }

    @Test func endlessHeadersAreCutOff() async throws {
      let server = try RawServer { peer in
        _ = peer.send("HTTP/1.1 200 OK\r\n")
        let line = "X: " + String(repeating: "y", count: 1000) + "\r\n"
        while peer.send(line) {}
      }
      await #expect(throws: HTTPError.headersTooLarge(host: "127.0.0.1", limit: 256 << 10)) {
        try await client(limits: .quick).send(local(server.address))
      }
    }

    @Test func aConnectionThatIsNotAcceptedTimesOut() async throws {
      var limits = HTTPLimits()
      limits.connectTime = .milliseconds(200)
      // A listener with a full queue does not answer further connections.
      let listener = try FullListener()
      let clock = RecordingClock()
      await #expect(throws: HTTPError.connectingTakesTooLong(host: "127.0.0.1")) {
        try await client(limits: limits, clock: clock).send(local("http://127.0.0.1:\(listener.port)/"))
      }
      #expect(clock.sleeps.isEmpty)
    }
  }
}

/// A listening socket with a full queue.
private final class FullListener {
  let port: UInt16
  private var sockets: [Int32] = []

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let opened = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { name -> [Int32] in
        guard bind(listener, name, size) == 0, listen(listener, 0) == 0, getsockname(listener, name, &size) == 0 else {
          return []
        }
        return (0..<4).map { _ in
          let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
          _ = connect(client, name, size)
          return client
        }
      }
    }
    guard !opened.isEmpty else { throw POSIXError(.EADDRINUSE) }
    port = UInt16(bigEndian: name.sin_port)
    sockets = opened + [listener]
  }

  deinit { for socket in sockets { close(socket) } }
}
