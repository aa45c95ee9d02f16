import Dispatch
import Foundation
import Gallery
import TestLimit
import TestPhotos
import Testing

@testable import Images

/// The workers that read metadata, and the printable texts in their answers.
@MainActor
@Suite(.limited) final class MetadataWorkersTests {
  private let folder: MetadataFolder
  private var workers: MetadataWorkers { folder.workers }

  init() throws { folder = try MetadataFolder() }

  @Test func textsArePrintable() async throws {
    let packet = SamplePhoto.xmpSegment("<dc:title>a&#27;]0;b\u{202E}</dc:title><xmp:Label>\u{9B}c</xmp:Label>")
    let record = try await workers.metadata(
      of: [FoundPhoto(path: folder.write(SamplePhoto.jpeg([packet]), as: "photo"))])[0].get()
    let metadata = record.metadata
    #expect((metadata.title, metadata.label) == ("a\u{FFFD}]0;b\u{FFFD}", "\u{FFFD}c"))
  }

  @Test func aWorkerThatCannotBeStartedIsReported() async throws {
    let none = MetadataWorkers(workerPath: "/nowhere/worker", workerCount: 2)
    let photos = [FoundPhoto(path: FilePath("/a")), FoundPhoto(path: FilePath("/b"))]
    async let second = none.metadata(of: photos)
    async let third = none.metadata(of: photos)
    let results = await none.metadata(of: photos) + second + third
    #expect(results.count == 6)
    for result in results {
      guard case .failure(let fault) = result else {
        Issue.record("metadata without a worker")
        continue
      }
      #expect(fault.message.contains("reinstall Tintype"))
    }
  }

  /// The files of a request are requested one by one, and each has its answer.
  @Test func aWorkerThatCrashesIsReportedForEachFile() async throws {
    let scripts = try ImageFolder()
    let script = try scripts.writeScript(
      "HOSTILE_ATTACK=ends exec '\(ImageLoaderTests.hostileWorkerPath)' \"$@\"", as: "ends")
    let broken = MetadataWorkers(workerPath: script.printable, workerCount: 2)
    let results = await broken.metadata(of: (0..<9).map { FoundPhoto(path: FilePath("/hostile-\($0)")) })
    #expect(results == Array(repeating: .failure(.harmful), count: 9))
  }

  @Test func requestsOfAnyLengthAreAnswered() async throws {
    let path = FilePath("/" + String(repeating: "long/", count: 800))
    let results = await workers.metadata(of: Array(repeating: FoundPhoto(path: path), count: 300))
    #expect(results == Array(repeating: .failure(.missing), count: 300))
  }

  /// The system may kill it because memory is short.
  @Test func aWorkerThatEndsWithoutARequestIsReplaced() async throws {
    let photo = FoundPhoto(path: try folder.write(SamplePhoto.jpeg([]), as: "photo"))
    // The first process stops, so that the others stay until its request is answered.
    let script = try folder.write(
      """
      #!/bin/sh
      echo $$ >> "$0.ids"
      test "$(wc -l < "$0.ids")" -gt 1 || kill -STOP $$
      exec '\(ImageLoaderTests.readerPath)' "$@"
      """.utf8, as: "worker")
    #expect(chmod(script.printable, 0o755) == 0)
    func ids() -> [pid_t] {
      let text = try? String(contentsOfFile: "\(script.printable).ids", encoding: .utf8)
      return (text ?? "").split(separator: "\n").compactMap { pid_t($0) }
    }
    let workers = MetadataWorkers(workerPath: script.printable, workerCount: 2)
    async let first = workers.metadata(of: [photo])
    while ids().isEmpty { await Task.yield() }
    let record = try await workers.metadata(of: [photo])[0].get()
    let idle = try #require(ids().last)
    kill(idle, SIGKILL)
    while kill(idle, 0) == 0 { await Task.yield() }
    // The thread that has waited for the process reports its end to the main queue.
    await withCheckedContinuation { done in
      WorkerProcess.detachThread { DispatchQueue.main.async { done.resume() } }
    }
    #expect(await workers.metadata(of: [photo, photo]) == [.success(record), .success(record)])
    #expect(ids().count == 3)
    kill(ids()[0], SIGCONT)
    #expect(await first == [.success(record)])
  }
}
