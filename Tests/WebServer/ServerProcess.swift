import Foundation

/// A server that runs as another program, as long as this object.
final class ServerProcess: Sendable {
  struct NotStarted: Error {}

  /// The address that the server has printed.
  let address: String
  private let process: Process

  /// Starts a server, and waits until it prints its address.
  /// - Parameter printsErrors: Whether the address is in its messages, and not in its output.
  init(_ program: String, _ arguments: [String], printsErrors: Bool = false) throws {
    let output = Pipe()
    // It complains about connections that end early.
    process = try Self.start(
      program, arguments, output: printsErrors ? FileHandle.nullDevice : output,
      errors: printsErrors ? output : FileHandle.nullDevice)
    let lines = output.fileHandleForReading
    var line: [UInt8] = []
    while let byte = try lines.read(upToCount: 1)?.first {
      line.append(byte)
      let text = String(decoding: line, as: UTF8.self)
      if byte == UInt8(ascii: "\n"), let match = text.firstMatch(of: #/http://127\.0\.0\.1:\d+/#) {
        address = String(match.0)
        // What it says later must not fill the pipe.
        Thread { while let more = try? lines.read(upToCount: 1 << 16), !more.isEmpty {} }.start()
        return
      }
    }
    throw NotStarted()
  }

  /// Starts a server, and waits until it listens at a port.
  init(_ program: String, _ arguments: [String], listeningAt port: UInt16) throws {
    address = "http://127.0.0.1:\(port)"
    process = try Self.start(program, arguments, output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
    let end = ContinuousClock.now + .seconds(60)
    while !LoopbackPort.listens(port) {
      guard process.isRunning, ContinuousClock.now < end else { throw NotStarted() }
      poll(nil, 0, 20)
    }
  }

  private static func start(_ program: String, _ arguments: [String], output: Any, errors: Any) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    return process
  }

  /// Ends the server, and returns when it no longer listens.
  ///
  /// `Process.waitUntilExit` waits until a socket is closed that a server of another test may have inherited.
  func stop() {
    kill()
    let port = address.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
    while LoopbackPort.listens(port) { poll(nil, 0, 20) }
  }

  /// Kills the server and its processes, which may have inherited that SIGTERM is blocked.
  private func kill() {
    let id = process.processIdentifier
    if getpgid(id) == id { Foundation.kill(-id, SIGKILL) }
    Foundation.kill(id, SIGKILL)
  }

  deinit { kill() }
}

/// The folder through which a test talks with a server of `tools`.
final class ServerTalk: Sendable {
  let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var requests: [ServerRequest] {
    get throws {
      guard let log = try? Data(contentsOf: folder.appending(path: "log")) else { return [] }
      return try log.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(ServerRequest.self, from: $0) }
    }
  }

  func fail(_ status: Int) throws { try Data("\(status)".utf8).write(to: folder.appending(path: "failure")) }

  static func tool(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../tools/\(name)").path
  }
}

/// A request that a server of `tools` has received.
public struct ServerRequest: Decodable, Sendable {
  public let method: String
  public let path: String
  public let body: String
  /// The part of the file that is asked for, such as `bytes=0-65535`; nil for all of it.
  public let range: String?
}

/// The ports of the loopback interface.
enum LoopbackPort {
  /// A port at which nobody listened a moment ago.
  static func free() throws -> UInt16 {
    try withSocket { descriptor in
      var (name, size) = (address(0), socklen_t(MemoryLayout<sockaddr_in>.size))
      let isBound = withUnsafeMutablePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
        }
      }
      guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      return UInt16(bigEndian: name.sin_port)
    }
  }

  static func listens(_ port: UInt16) -> Bool {
    withSocket { descriptor in
      var name = address(port)
      return withUnsafePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
    }
  }

  private static func withSocket<Value>(_ body: (Int32) throws -> Value) rethrows -> Value {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    return try body(descriptor)
  }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    name.sin_port = port.bigEndian
    return name
  }
}
