import Foundation
import Gallery
import ImageWire
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// What each process of a worker has: its open files and the limits that the kernel keeps. The list is whole, so that whatever else
/// becomes open is seen.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10)), .limited) final class WorkerRightsTests {
  private let folder: ImageFolder
  /// Files that are open in this process so that each program that it starts would inherit them.
  private var inheritable: [Int32] = []

  init() throws {
    folder = try ImageFolder()
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    var sockets: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets)
    let secret = try folder.write([1], as: "secret")
    let files = [open(secret.printable, O_RDWR), open("/", O_RDONLY), inotify_init1(0)]
    inheritable = ends + sockets + files + [dup2(files[0], 900)]
  }

  isolated deinit { for descriptor in inheritable { close(descriptor) } }

  /// A kind of worker: its arguments, and what its two processes have. The second one is not confined, and does nothing but open
  /// files, or wait for the end of the gallery.
  enum Kind: String, CaseIterable {
    case gallery = "--regions"
    case background = "--background"
    case export = "--export"
    case metadata = "--metadata-worker"

    var arguments: [String] { self == .gallery ? [rawValue, "6"] : [rawValue] }

    var descriptors: (worker: [String], helper: [String]) {
      let given = ["0 socket", "1 /dev/null", "2 /dev/null"]
      return self == .metadata
        ? (given + ["4 pipe"], given + ["3 pipe"]) : (given + ["4 socket"], given + ["3 socket"])
    }

    /// The soft and the hard limits. Processor time is limited for each photo, by timers.
    var limits: [String: [String]] {
      let memory = "\(self == .export ? ExportRequest.mostMemory : 1 << 30)"
      return [
        "Max address space": [memory, memory], "Max file size": [memory, memory], "Max core file size": ["0", "0"],
      ]
    }
  }

  /// Starts a worker as the gallery does, has it answer a request, and returns its process.
  private func start(_ kind: Kind, for photo: FilePath) async throws -> (connection: AnyObject, process: pid_t) {
    if kind == .metadata {
      let path = try folder.link(to: ImageLoaderTests.readerPath, as: "reader")
      let connection = Connection<UndecodedMetadata>(executable: path, arguments: kind.arguments)
      await ask(connection, MetadataRequest(subjects: [FoundPhoto(path: photo)]).framed)
      return (connection, try #require(ImageFolder.processes(running: path).first))
    }
    let connection = Connection<ImageAnswer>(executable: folder.workerPath, arguments: kind.arguments)
    await ask(connection, ImageRequest.show(photo, 10, 5, cell: (8, 16), .symbols(.truecolor, .blocks)).framed)
    return (connection, try #require(ImageFolder.processes(running: folder.workerPath).first))
  }

  private func ask<Answer>(_ connection: Connection<Answer>, _ request: [UInt8]) async {
    await withCheckedContinuation { continuation in
      connection.onMessage = { _ in
        continuation.resume()
        return true
      }
      connection.send(request, patience: .seconds(60))
    }
  }

  @Test(arguments: Kind.allCases) func aWorkerHasItsOwnDescriptorsOnly(kind: Kind) async throws {
    let (connection, process) = try await start(kind, for: FilePath(TestPhotos.path("coffee.jpg")))
    #expect(Self.descriptors(of: process) == kind.descriptors.worker)
    // The second process may not have closed its copies of the first one's files yet.
    func helpers() -> [[String]] { Self.children(of: process).map(Self.descriptors) }
    #expect(await eventually { helpers() == [kind.descriptors.helper] }, "\(helpers())")
    withExtendedLifetime(connection) {}
  }

  @Test(arguments: Kind.allCases) func theKernelLimitsAWorker(kind: Kind) async throws {
    let (connection, process) = try await start(kind, for: FilePath(TestPhotos.path("coffee.jpg")))
    let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8).split(separator: "\n")
    for (name, values) in kind.limits {
      let line = try #require(limits.first { $0.hasPrefix(name) }, "\(name)")
      let found = line.dropFirst(name.count).split(separator: " ").prefix(2).map(String.init)
      #expect(found == values, "\(name)")
    }
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    #expect(status.contains("NoNewPrivs:\t1\n"))
    withExtendedLifetime(connection) {}
  }

  /// Of the files that it was given, a decoder keeps those in which it may read on: a film or an animation, an archive and what was
  /// unpacked of it.
  @Test(arguments: [
    ("chelsea.jpg", []), ("film.mp4", ["film.mp4"]), ("colors.apng", ["colors.apng"]),
    ("a.zip/chelsea.jpg", ["a.zip", "a.zip", "memfd:frame (deleted)"]),
  ])
  func aDecoderKeepsOnlyFilesOpenInWhichItReadsOn(name: String, kept: [String]) async throws {
    let photo = [UInt8](try Data(contentsOf: URL(filePath: TestPhotos.path("chelsea.jpg"))))
    let archive = try folder.write(ZipFile([("chelsea.jpg", photo)]).bytes, as: "a.zip")
    let path = name.hasPrefix("a.zip") ? archive.appending("chelsea.jpg".utf8) : FilePath(TestPhotos.path(name))
    let (connection, process) = try await start(.gallery, for: path)
    let more = Self.descriptors(of: process).filter { !Kind.gallery.descriptors.worker.contains($0) }
    #expect(more.map { String($0.drop { $0 != "/" }.split(separator: "/").last ?? "") } == kept, "\(more)")
    withExtendedLifetime(connection) {}
  }

  /// The open files of a process: the number and the path, or the kind of what has none.
  private static func descriptors(of process: pid_t) -> [String] {
    let folder = "/proc/\(process)/fd"
    let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { Int($0) }
    return numbers.sorted().map { number in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")
      let name = target.map { $0.hasPrefix("/") ? $0 : String($0.prefix { $0 != ":" }) }
      return "\(number) \(name ?? "?")"
    }
  }

  private static func children(of process: pid_t) -> [pid_t] {
    let text = try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
    return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
  }
}
