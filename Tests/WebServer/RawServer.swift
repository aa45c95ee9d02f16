import Foundation

/// A server on the loopback interface that sends the bytes that a test gives, with a thread for each connection.
///
/// The class is unchecked because the compiler cannot see that nothing changes once it listens.
public final class RawServer: @unchecked Sendable {
  /// A connection whose request has been read.
  public struct Peer: Sendable {
    /// The port of the server.
    public let port: UInt16
    /// The first line and the header of the request.
    public let request: String
    /// The body of the request.
    public let body: [UInt8]
    let socket: Int32

    /// Sends bytes, and returns whether the other end still accepts them.
    public func send(_ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Reads until the other end closes the connection.
    public func drain() {
      var bytes = [UInt8](repeating: 0, count: 4096)
      while read(socket, &bytes, bytes.count) > 0 {}
    }

    /// Connects to another server of this machine.
    func connect(to port: UInt16) throws -> Peer {
      let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      name.sin_port = port.bigEndian
      let status = withUnsafePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Foundation.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard status == 0 else {
        close(socket)
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
      return Peer(port: port, request: "", body: [], socket: socket)
    }

    /// Sends to each of two peers what comes from the other one, until one of them closes its connection.
    func exchangeBytes(with other: Peer) {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      var both = [self, other].map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
      while poll(&both, 2, -1) > 0 {
        for (source, target) in [(0, other), (1, self)] where both[source].revents != 0 {
          let count = read(both[source].fd, &bytes, bytes.count)
          guard count > 0, target.send(Array(bytes[..<count])) else { return }
        }
      }
    }

    /// Returns whether the other end closes the connection within so many milliseconds. -1 waits forever.
    @discardableResult
    public func waitForClose(milliseconds: Int32 = -1) -> Bool {
      var waited = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      return poll(&waited, 1, milliseconds) > 0
    }
  }

  /// The address of the server, `http://127.0.0.1:port`.
  public let address: String
  private let listener: Int32

  /// - Parameter readsRequests: Whether a request is read before it is answered.
  public init(readsRequests: Bool = true, answer: @escaping @Sendable (Peer) -> Void) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let port = UInt16(bigEndian: name.sin_port)
    address = "http://127.0.0.1:\(port)"
    Thread {
      while case let socket = accept(listener, nil, nil), socket >= 0 {
        Thread {
          if let (request, body) = readsRequests ? Self.readRequest(socket) : ("", []) {
            answer(Peer(port: port, request: request, body: body, socket: socket))
          }
          close(socket)
        }.start()
      }
      close(listener)
    }.start()
  }

  // This ends `accept` on the thread, which closes the socket.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func readRequest(_ socket: Int32) -> (head: String, body: [UInt8])? {
    var request: [UInt8] = []
    var byte: UInt8 = 0
    while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard read(socket, &byte, 1) == 1 else { return nil }
      request.append(byte)
    }
    let text = String(decoding: request, as: UTF8.self)
    // A socket that is closed with bytes to read resets the connection, and the answer may be lost.
    let length = text.lowercased().firstMatch(of: /content-length: (\d+)/).flatMap { Int($0.1) } ?? 0
    var body: [UInt8] = []
    for _ in 0..<length {
      guard read(socket, &byte, 1) == 1 else { return nil }
      body.append(byte)
    }
    return (text, body)
  }
}
