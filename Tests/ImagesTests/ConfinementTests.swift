import Foundation
import TestPhotos
import Testing

/// What a decoder can do that a hostile file has taken over: nothing. The worker itself tries it, with the libraries of all
/// formats loaded.
@MainActor @Suite struct ConfinementTests {
  /// The attempts that kernels may also refuse to processes that are not confined.
  private static let refusedAnyway = ["read a process's memory"]

  @Test func aConfinedDecoderReachesNoFileNetworkOrProcess() throws {
    let results = try Attempts().run("confined")
    #expect(results.count == 22)
    for (attempt, result) in results {
      #expect(["Operation not permitted", "Permission denied"].contains(result), "\(attempt): \(result)")
    }
  }

  /// Without this, an attempt that can't succeed would prove nothing.
  @Test func theSameAttemptsSucceedInAProcessThatIsNotConfined() throws {
    let results = try Attempts().run("free")
    #expect(results.count == 22)
    for (attempt, result) in results where !Self.refusedAnyway.contains(attempt) {
      #expect(result == "done", "\(attempt): \(result)")
    }
  }
}

/// A folder and a server that a worker tries to reach.
@MainActor private final class Attempts {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private let server: Int32

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("a key".utf8).write(to: folder.appending(path: "secret"))
    try FileManager.default.copyItem(
      at: URL(filePath: TestPhotos.path("coffee.jpg")), to: folder.appending(path: "photo.jpg"))
    server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
    let failed = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(failed == 0 && listen(server, 1) == 0)
  }

  isolated deinit {
    close(server)
    try? FileManager.default.removeItem(at: folder)
  }

  private var socketPath: String { folder.path + "/s" }

  /// Returns the attempts of a worker and what has become of each, in their order.
  func run(_ mode: String) throws -> [(attempt: String, result: String)] {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: ImageLoaderTests.workerPath)
    process.arguments = ["--attempts", mode, folder.path, socketPath]
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").map { line in
      let words = line.split(separator: ": ", maxSplits: 1).map(String.init)
      return (words[0], words.last ?? "")
    }
  }
}
