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

  /// `false` ends without reading anything. The files of its request are requested one by one, and each has its answer.
  @Test func aWorkerThatCrashesIsReportedForEachFile() async throws {
    let broken = MetadataWorkers(workerPath: "/bin/false", workerCount: 2)
    let results = await broken.metadata(of: (0..<9).map { FoundPhoto(path: FilePath("/\($0)")) })
    #expect(results == Array(repeating: .failure(.harmful), count: 9))
  }

  @Test func requestsOfAnyLengthAreAnswered() async throws {
    let path = FilePath("/" + String(repeating: "long/", count: 800))
    let results = await workers.metadata(of: Array(repeating: FoundPhoto(path: path), count: 300))
    #expect(results == Array(repeating: .failure(.missing), count: 300))
  }
}
