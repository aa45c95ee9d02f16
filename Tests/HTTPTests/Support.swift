import Foundation
import HTTP
import Synchronization
import TestLimit
import Testing
import WebServer

/// The tests with a web server, one after another: each server occupies one of the few threads of Dispatch.
@Suite(.serialized, .limited) enum WebTests {}

/// Creates a client whose delays take no time, and whose random numbers are 0.5.
func client(
  limits: HTTPLimits = HTTPLimits(), environment: [String: String] = [:], clock: any Clock<Duration> = RecordingClock()
) -> HTTPClient {
  HTTPClient(userAgent: "Tests/1", limits: limits, environment: environment, clock: clock, random: { 0.5 })
}

extension HTTPLimits {
  /// The shortest timeouts that libcurl can measure.
  static let quick: HTTPLimits = {
    var limits = HTTPLimits()
    limits.stallSeconds = 1
    return limits
  }()
}

/// Creates a request to a server of the tests, which are on this machine.
func local(_ address: String, _ change: (inout HTTPRequest) -> Void = { _ in }) -> HTTPRequest {
  var request = HTTPRequest(address, namedHost: "127.0.0.1")
  change(&request)
  return request
}

/// An empty file that is open for reading and writing, and is removed with this object.
final class TemporaryFile {
  let path = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
  let descriptor: Int32

  init() { descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }

  deinit {
    close(descriptor)
    unlink(path)
  }

  var size: Int { Int(lseek(descriptor, 0, SEEK_END)) }
  var contents: Data { (try? Data(contentsOf: URL(filePath: path))) ?? Data() }
}

/// The peak memory of this process, in KB.
func peakMemory() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}

final class Counter: Sendable {
  private let count = Mutex(0)

  /// Returns the number of earlier calls.
  func next() -> Int {
    count.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}

/// A port of this machine for IPv4 and IPv6 that never answers, but notices connections.
final class Listener {
  let port: UInt16
  private let socket: Int32

  init() throws {
    socket = Foundation.socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    // IPv4 addresses arrive as mapped ones.
    var isIPv6Only: Int32 = 0
    setsockopt(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isIPv6Only, socklen_t(MemoryLayout<Int32>.size))
    var name = sockaddr_in6()
    name.sin6_family = sa_family_t(AF_INET6)
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let isListening = withUnsafeMutablePointer(to: &name) { [socket] in
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && listen(socket, 8) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    port = UInt16(bigEndian: name.sin6_port)
    guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit { close(socket) }

  /// Whether any program has connected. The kernel completes a connection within the call of the client.
  var hasConnection: Bool {
    var waited = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&waited, 1, 0) > 0
  }
}

/// A barrier that opens when the given number of tasks wait.
actor Gate {
  private var missing: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(count: Int) { missing = count }

  func wait() async {
    missing -= 1
    if missing > 0 {
      await withCheckedContinuation { waiting.append($0) }
    } else {
      for waiter in waiting { waiter.resume() }
    }
  }
}

/// Runs a program, and waits for its end without blocking a thread.
func run(_ program: String, _ arguments: [String]) async throws {
  let process = Process()
  process.executableURL = URL(filePath: program)
  process.arguments = arguments
  process.standardInput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  let status = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
    process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
    do { try process.run() } catch { continuation.resume(throwing: error) }
  }
  try #require(status == 0)
}
