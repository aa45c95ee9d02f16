import Foundation
import Synchronization

/// A proxy for HTTP with a password, which runs as long as this object. Each name and each address leads to this machine.
public final class ForwardingProxy: Sendable {
  private static let (user, password) = ("ana", "secret")

  private let server: RawServer
  private let heads = Heads()

  private final class Heads: Sendable {
    let list = Mutex<[String]>([])
  }

  /// The first line and the header of each request, in their order.
  public var requests: [String] { heads.list.withLock(\.self) }

  /// The address with the password.
  public var address: String { bareAddress.replacing("//", with: "//\(Self.user):\(Self.password)@") }

  /// The address without the password.
  public var bareAddress: String { server.address }

  /// Starts a proxy.
  public init() throws {
    let words = Data("\(Self.user):\(Self.password)".utf8).base64EncodedString()
    server = try RawServer { [heads] peer in
      heads.list.withLock { $0.append(peer.request) }
      guard peer.request.contains("Proxy-Authorization: Basic \(words)\r\n") else {
        let end = "Content-Length: 0\r\nConnection: close\r\n\r\n"
        _ = peer.send("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"proxy\"\r\n\(end)")
        return
      }
      Self.forward(peer)
    }
  }

  private static func forward(_ peer: RawServer.Peer) {
    let lines = peer.request.components(separatedBy: "\r\n")
    let words = lines[0].components(separatedBy: " ")
    let isTunnel = words[0] == "CONNECT"
    guard let address = URLComponents(string: isTunnel ? "http://\(words[1])" : words[1]),
      let other = try? peer.connect(to: UInt16(address.port ?? 80))
    else { return }
    defer { close(other.socket) }
    if isTunnel {
      guard peer.send("HTTP/1.1 200 Yes\r\n\r\n") else { return }
    } else {
      let rest = words[1].dropFirst("http://".count).drop { $0 != "/" }
      let own = ["proxy-", "connection:"]
      let header = lines.dropFirst().filter { line in !line.isEmpty && !own.contains { line.lowercased().hasPrefix($0) }
      }
      let head = ["\(words[0]) \(rest.isEmpty ? "/" : rest) HTTP/1.1"] + header + ["Connection: close", "", ""]
      guard other.send(Array(head.joined(separator: "\r\n").utf8) + peer.body) else { return }
    }
    peer.exchangeBytes(with: other)
  }
}
