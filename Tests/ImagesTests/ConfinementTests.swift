import Foundation
import TestLimit
import TestPhotos
import Testing

/// What a worker can do that a hostile file has taken over: a decoder nothing, a reader of metadata nothing but read files.
/// The worker itself tries it, after it has decoded an image of every format.
@MainActor @Suite(.limited) struct ConfinementTests {
  /// The attempts that kernels may also refuse to processes that are not confined.
  private static let refusedAnyway = [
    "open a process's memory", "copy a process's memory", entering, "use a ring of requests", "handle page faults",
    "load a program into the kernel", "keep a key in the kernel", "measure a process", "make a socket of packets",
  ]
  private static let entering = "enter a namespace"
  private static let memory = ["read a process's environment", "open a process's memory", "copy a process's memory"]
  private static let reading = ["read a key", "read a photo by its path", "read the list of users", "list a folder"]
  private static let refusals = ["Operation not permitted", "Permission denied", "Inappropriate ioctl for device"]
  private static let attemptCount = 68

  /// Whether the system's own tool can make a user namespace.
  nonisolated private static let hasNamespaces = (try? output(of: "/usr/bin/unshare", ["-U", "echo"])) == "\n"

  nonisolated private static func output(of path: String, _ arguments: [String]) throws -> String {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = nil
    try process.run()
    defer { process.waitUntilExit() }
    return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  @Test func aDecoderReachesNoFileNetworkOrProcess() throws {
    let results = try Attempts().run("decoder")
    #expect(results.count == Self.attemptCount)
    for (attempt, result) in results { #expect(Self.refusals.contains(result), "\(attempt), by a decoder: \(result)") }
  }

  @Test func anExporterReachesNothingButItsFile() throws {
    let results = try Attempts().run("exporter")
    #expect(results.count == Self.attemptCount)
    for (attempt, result) in results {
      #expect(Self.refusals.contains(result), "\(attempt), by an exporter: \(result)")
    }
  }

  @Test func aReaderOfMetadataCanOnlyReadFiles() throws {
    let results = try Attempts().run("reader")
    #expect(results.count == Self.attemptCount)
    for (attempt, result) in results {
      let isExpected = Self.reading.contains(attempt) ? result == "done" : Self.refusals.contains(result)
      #expect(isExpected, "\(attempt), by a reader of metadata: \(result)")
    }
  }

  @Test(.enabled(if: hasNamespaces, "SKIPPED: the system allows no user namespace, so decoders do without"))
  func aUserNamespaceAloneKeepsOtherProcessesMemoryClosed() throws {
    let results = try Attempts().run("namespace")
    #expect(results.count == Self.attemptCount)
    for (attempt, result) in results where Self.memory.contains(attempt) || attempt == Self.entering {
      #expect(Self.refusals.contains(result), "\(attempt), in a namespace: \(result)")
    }
    #expect(try Self.output(of: ImageLoaderTests.workerPath, ["--doctor"]).contains("user namespace"))
  }

  /// Without this, an attempt that can't succeed would prove nothing. To root, the kernel refuses none of them.
  @Test func theSameAttemptsSucceedInAProcessThatIsNotConfined() throws {
    let results = try Attempts().run("all")
    #expect(results.count == Self.attemptCount)
    let exceptions = Self.isPrivileged ? Self.hasNamespaces ? [] : [Self.entering] : Self.refusedAnyway
    for (attempt, result) in results where !exceptions.contains(attempt) {
      #expect(result == "done", "\(attempt), without confinement: \(result)")
    }
  }

  /// Whether this process has the privileges for all attempts, and no filter that refuses calls, such as that of a container:
  /// CAP_NET_RAW, CAP_SYS_PTRACE, CAP_SYS_ADMIN, CAP_PERFMON and CAP_BPF (capabilities(7)).
  private static let isPrivileged: Bool = {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    func value(_ name: String) -> Substring? {
      status.split(separator: "\n").first { $0.hasPrefix("\(name):") }?.split(separator: "\t").last
    }
    let needed = [13, 19, 21, 38, 39].reduce(0) { $0 | UInt64(1) << $1 }
    let privileges = value("CapEff").flatMap { UInt64($0, radix: 16) } ?? 0
    return value("Seccomp") == "0" && privileges & needed == needed
  }()
}

extension ConfinementTests {
  /// A process that a file has taken over need not notice that the gallery has ended.
  @Test(
    .timeLimit(.minutes(1)), arguments: ["ask for requests", "leave its opener", "begin a thumbnail", "read metadata"])
  func aProcessThatGoesOnWithoutAGalleryIsKilled(action: String) async throws {
    let (endings, ending) = AsyncStream.makeStream(of: Bool.self)
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: ImageLoaderTests.workerPath)
    process.arguments = ["--attempts", "stay", action]
    process.standardOutput = pipe
    process.standardInput = FileHandle(fileDescriptor: ends[1])
    process.terminationHandler = { ending.yield($0.terminationReason == .uncaughtSignal) }
    try process.run()
    let isReady = try pipe.fileHandleForReading.read(upToCount: 1) != nil
    for end in ends { close(end) }
    #expect(isReady)
    for await isKilled in endings.prefix(1) { #expect(isKilled) }
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

  /// The inputs of the fuzzer. Those without a hyphen in their names are intact images, one of each format.
  private static let images = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Corpus/image")

  /// The images that a process with some rights decodes or exports: one of each format, a frame of a film, and a photo in an archive.
  private func images(for rights: String) throws -> [String] {
    let photo = folder.path + "/photo.jpg"
    switch rights {
    case "all", "decoder": break
    case "exporter": return [photo]
    default: return []
    }
    let archive = folder.appending(path: "photos.zip")
    try Data(ZipFile([("photo.jpg", [UInt8](Data(contentsOf: URL(filePath: photo))))]).bytes).write(to: archive)
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.images.path).filter { !$0.contains("-") }
    return names.map { Self.images.appending(path: $0).path }
      + [TestPhotos.path("film.mp4"), archive.path + "/photo.jpg"]
  }

  /// Has a worker with some rights decode images, and returns its attempts and what
  /// has become of each, in their order.
  func run(_ rights: String) throws -> [(attempt: String, result: String)] {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: ImageLoaderTests.workerPath)
    let images = try images(for: rights)
    process.arguments = ["--attempts", rights, folder.path, socketPath] + images
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let results = text.split(separator: "\n").map { line in
      let words = line.split(separator: ": ", maxSplits: 1).map(String.init)
      return (attempt: words[0], result: words.last ?? "")
    }
    for (image, result) in results.prefix(images.count) { try #require(result == "done", "\(image): \(result)") }
    return Array(results.dropFirst(images.count))
  }
}
