import Foundation
import HTTP
import Testing
import WebServer

extension WebTests {
  /// A bad server causes a message soon, and takes little memory. Each case runs in a separate process, so that no
  /// other test uses its memory.
  @Suite struct BadServerTests {
    enum Misdeed: String, CaseIterable, Codable, Sendable {
      case oneByteASecond, oneByteOfHeadersASecond, bodyWithoutEnd, headersWithoutEnd, headerWithoutEnd,
        answersWithoutEnd, chunkHeadWithoutEnd, trailersWithoutEnd, emptyChunk, redirectsInACircle,
        redirectToAPrivateAddress, redirectToAFile, storm, breakingOff, noHTTP
    }

    /// The time limit in addition to that of a stall. A request without a limit of its own would never end, so there is
    /// room for a busy machine.
    private static let patience = Duration.seconds(60)

    @Test(arguments: Misdeed.allCases) func aBadServerCausesOneErrorMessage(misdeed: Misdeed) async {
      await #expect(processExitsWith: .success) { [misdeed = misdeed as Misdeed] in
        let counter = Counter()
        let server = try RawServer { peer in
          _ = counter.next()
          misdeed.commit(to: peer)
        }
        let client = client(limits: .quick)
        // This loads libcurl and its libraries.
        _ = try? await client.send(local("http://127.0.0.1:1/"))
        let file = TemporaryFile()
        let (before, start) = (peakMemory(), ContinuousClock.now)
        await #expect {
          try await client.send(local(server.address) { $0.destination = .file(descriptor: file.descriptor) })
        } throws: { error in
          guard let error = error as? HTTPError, misdeed.isTold(by: error) else {
            Issue.record("\(misdeed): \(error)")
            return false
          }
          return true
        }
        let (time, growth) = (ContinuousClock.now - start, peakMemory() - before)
        #expect(time < .seconds(HTTPLimits.quick.stallSeconds) + Self.patience, "\(misdeed) took \(time)")
        #expect(growth < 20 << 10, "\(misdeed): \(growth) KB")
        #expect(counter.next() == misdeed.requests, "\(misdeed)")
      }
    }
  }
}

extension WebTests.BadServerTests.Misdeed {
  /// The number of requests that the server receives.
  fileprivate var requests: Int {
    switch self {
    case .storm, .breakingOff, .emptyChunk: 4
    case .redirectsInACircle: 6
    default: 1
    }
  }

  fileprivate func isTold(by error: HTTPError) -> Bool {
    let host = "127.0.0.1"
    switch (self, error) {
    case (.breakingOff, .interrupted), (.noHTTP, .notHTTP), (.emptyChunk, .interrupted): return true
    case (.oneByteASecond, let error), (.oneByteOfHeadersASecond, let error), (.chunkHeadWithoutEnd, let error):
      return error == .tooSlow(host: host)
    case (.bodyWithoutEnd, let error): return error == .bodyTooLarge(host: host, limit: 200 << 20)
    case (.headersWithoutEnd, let error), (.answersWithoutEnd, let error), (.trailersWithoutEnd, let error):
      return error == .headersTooLarge(host: host, limit: 256 << 10)
    case (.headerWithoutEnd, let error): return error == .headersTooLarge(host: host, limit: 100 << 10)
    case (.redirectsInACircle, let error): return error == .tooManyRedirects(host: host, limit: 5)
    case (.redirectToAPrivateAddress, let error): return error == .privateAddress(host: "localhost")
    case (.redirectToAFile, let error): return error == .forbiddenRedirect(to: "file:///etc/passwd")
    case (.storm, let error): return error == .refused(host: host, status: 503, reason: nil)
    default: return false
    }
  }

  fileprivate func commit(to peer: RawServer.Peer) {
    let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n"
    let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
    switch self {
    case .oneByteASecond: drip(ok + "Content-Length: 100000\r\n\r\n", "x", to: peer)
    case .oneByteOfHeadersASecond: drip("HTTP/1.1 200 OK\r\nX: ", "y", to: peer)
    case .bodyWithoutEnd: flood(ok + "\r\n", "x", to: peer)
    case .headersWithoutEnd: flood("HTTP/1.1 200 OK\r\n", "X: y\r\n", to: peer)
    case .headerWithoutEnd: flood("HTTP/1.1 200 OK\r\nX: ", "y", to: peer)
    case .answersWithoutEnd: flood("", "HTTP/1.1 100 Continue\r\n\r\n", to: peer)
    case .chunkHeadWithoutEnd: flood(chunked + "5;", "x", to: peer)
    case .trailersWithoutEnd: flood(chunked + "0\r\n", "X: y\r\n", to: peer)
    case .emptyChunk: flood(chunked, "\r\n", to: peer)
    case .redirectsInACircle: redirect("/again", peer)
    case .redirectToAPrivateAddress: redirect("http://localhost:\(peer.port)/", peer)
    case .redirectToAFile: redirect("file:///etc/passwd", peer)
    case .storm: _ = peer.send("HTTP/1.1 503 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    case .breakingOff: _ = peer.send(ok + "Content-Length: 10\r\n\r\nhalf")
    case .noHTTP: _ = peer.send("\u{0}\u{1}SSH-2.0\r\n")
    }
  }

  private func redirect(_ target: String, _ peer: RawServer.Peer) {
    _ = peer.send("HTTP/1.1 302 No\r\nLocation: \(target)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
  }

  private func drip(_ start: String, _ byte: String, to peer: RawServer.Peer) {
    guard peer.send(start) else { return }
    while !peer.waitForClose(milliseconds: 1000), peer.send(byte) {}
  }

  private func flood(_ start: String, _ rest: String, to peer: RawServer.Peer) {
    let chunk = Array(String(repeating: rest, count: (1 << 16) / rest.utf8.count).utf8)
    guard peer.send(start) else { return }
    while peer.send(chunk) {}
  }
}
