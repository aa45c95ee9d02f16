import Foundation
import Harness
import Synchronization
import Testing
import WebServer

extension WebSourceTests {
  /// Faults of web servers, and how the gallery reports them.
  enum Misdeed: String, CaseIterable {
    case storm, flood, drip, circle, file

    fileprivate var text: String {
      switch self {
      case .storm: "The server is busy"
      case .flood: "the answer is larger than 64 MB"
      case .drip: "the answer is too slow"
      case .circle: "the server redirects more than 5 times"
      case .file: "a redirect must not lead there"
      }
    }

    fileprivate var requests: Int { self == .storm ? 4 : self == .circle ? 6 : 1 }

    fileprivate func commit(to peer: RawServer.Peer) {
      let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n["
      let end = "Content-Length: 0\r\nConnection: close\r\n\r\n"
      switch self {
      case .storm: _ = peer.send("HTTP/1.1 503 No\r\nRetry-After: 1\r\n\(end)")
      case .flood:
        let chunk = [UInt8](repeating: 0x20, count: 1 << 16)
        if peer.send(ok) { while peer.send(chunk) {} }
      case .drip: if peer.send(ok) { while !peer.waitForClose(milliseconds: 1000), peer.send(" ") {} }
      case .circle: _ = peer.send("HTTP/1.1 302 No\r\nLocation: /again\r\n\(end)")
      case .file: _ = peer.send("HTTP/1.1 302 No\r\nLocation: file:///etc/passwd\r\n\(end)")
      }
    }
  }

  @Test(arguments: Misdeed.allCases) func aFaultyServerLeadsToAnAlert(misdeed: Misdeed) async throws {
    let asked = Asked()
    let server = try RawServer { peer in
      // The first refusal shows how much memory an alert takes.
      if asked.count() == 1 {
        _ = peer.send("HTTP/1.1 403 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      } else {
        misdeed.commit(to: peer)
      }
    }
    let session = try Program.start(server.address)
    defer { session.close() }
    try await session.waitForTexts(" Can't load photos ", "You don't have permission", "Press r to try again.")
    let before = try peakMemory(of: session)
    // The alert takes the key that it names.
    session.type("r")
    try await session.wait(for: misdeed.text) { $0.alert.contains(misdeed.text) }
    let growth = try peakMemory(of: session) - before
    #expect(growth < 20 << 10, "\(growth) KB")
    #expect(asked.count() == misdeed.requests + 2)
    session.type("\rq")
    #expect(try await session.waitForExit() == .exited(0))
  }

  /// The covers room sends nothing before a search. After a failure it shows the reason and retries, and then shows an alert.
  @Test func aFailingMusicServerIsRetriedAndThenReported() async throws {
    let asked = Asked()
    let server = try RawServer { peer in
      _ = asked.count()
      _ = peer.send("HTTP/1.1 500 No\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }
    let home = try Home()
    let session = try home.enter("covers", columns: 120, options: ["--music-url", server.address])
    defer { session.close() }
    try await session.waitForText("Press / and type to search.")
    session.type("/clair")
    try await session.waitForTexts("Trying again…", "the server reports an error (500)")
    try await session.wait(for: "the alert") {
      $0.contains("─ Search error ─") && $0.alert.contains("the server reports an error (500)")
    }
    #expect(asked.count() == 5)
    session.type("\r")
    try await session.wait(for: "the reason in the room") {
      $0.alert.isEmpty && $0.contains("Can't search for “clair”") && $0.contains("Press r to try again.")
    }
  }

  @Test func aVariableNamesTheMusicServer() async throws {
    let (asked, hasBeenAsked) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { peer in
      hasBeenAsked.yield()
      _ = peer.send("HTTP/1.1 200 OK\r\nContent-Length: 14\r\nConnection: close\r\n\r\n{\"results\": []}")
    }
    let home = try Home()
    let session = try home.enter("covers", columns: 120, changes: ["TINTYPE_MUSIC_URL": server.address])
    defer { session.close() }
    try await session.waitForText("Press / and type to search.")
    session.type("/clair\r")
    for await _ in asked { break }
  }

  /// Returns the program's peak memory in KB.
  private func peakMemory(of session: TerminalSession) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(session.processID)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return try #require(line.flatMap { Int($0.filter(\.isNumber)) })
  }
}

/// A counter of requests.
private final class Asked: Sendable {
  private let number = Mutex(0)

  /// Counts a request, and returns the number of requests including it.
  func count() -> Int {
    number.withLock {
      $0 += 1
      return $0
    }
  }
}
