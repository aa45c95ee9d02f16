import Bundled
import Catalog
import Folder
import Foundation
import Gallery
import HTTP
import Photos
import Resources
import Services
import Store
import Synchronization
import Testing
import Web
import WebServer

/// The promises that every kind of source keeps.
extension WebTests {
  @Suite(.timeLimit(.minutes(10))) struct SourceContractTests {
    @Test(arguments: SourceKind.allCases) func allPhotosAreListed(kind: SourceKind) async throws {
      try await kind.run { source in
        let service = try source.make()
        let first = try await service.fetchComplete()
        #expect(first.photos.map(\.name) == source.pages[0])
        #expect(first.pageNumber == 1 && first.totalPages == source.pages.count)
        #expect(first.totalItems == source.pages.joined().count)
        #expect(first.problems.count == 0 && first.keptSince == nil)
      }
    }

    @Test(arguments: SourceKind.allCases) func pagesFollowUntilThereIsNone(kind: SourceKind) async throws {
      try await kind.run { source in
        let service = try source.make()
        var snapshot = try await service.fetchComplete()
        for number in source.pages.indices {
          #expect(snapshot.pageNumber == number + 1)
          #expect(snapshot.photos.map(\.name) == Array(source.pages[...number].joined()))
          #expect((snapshot.nextPage == nil) == (number + 1 == source.pages.count))
          if snapshot.nextPage == nil { break }
          snapshot = try await service.fetchComplete(after: snapshot)
        }
      }
    }

    @Test(arguments: SourceKind.allCases) func aFailureIsReportedUntilTheSourceWorks(kind: SourceKind) async throws {
      try await kind.run { source in
        _ = try source.setFailing(true)
        let service = try source.make()
        for _ in 0..<2 {
          let failure = await #expect(throws: APIError.self) { try await service.fetchComplete() }
          let error = try #require(failure)
          #expect(error.message.hasSuffix("."))
          // Before it, the source may say that it tries again.
          let isFailure = { (answer: PhotoStream.Element) in if case .failure = answer { true } else { false } }
          let answer = try #require(await service.fetchPhotos().first(where: isFailure))
          #expect(throws: error) { try answer.get() }
        }
        guard try source.setFailing(false) else { return }
        #expect(try await service.fetchComplete().photos.map(\.name) == source.pages[0])
      }
    }

    @Test(arguments: SourceKind.allCases) func aCanceledFetchEndsAndTheNextOneSucceeds(kind: SourceKind) async throws {
      try await kind.run { source in
        let service = try source.make()
        for isFirstAwaited in [false, true] {
          let (answered, hasAnswered) = AsyncStream.makeStream(of: Void.self)
          let task = Task {
            for await _ in service.fetchPhotos() { hasAnswered.yield() }
          }
          if isFirstAwaited { for await _ in answered { break } }
          task.cancel()
          await task.value
        }
        #expect(try await service.fetchComplete().photos.map(\.name) == source.pages[0])
      }
    }
  }

  /// All kinds of sources.
  enum SourceKind: CaseIterable {
    case bundled, catalogFile, standardInput, folder, collection, web

    /// Runs `body` with a source of this kind.
    func run(_ body: @escaping @Sendable (TestSource) async throws -> Void) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      switch self {
      case .bundled:
        try await body(.file(folder, contents: Data(contentsOf: URL(filePath: Resources.path("content.json")))))
      case .catalogFile: try await body(.file(folder, contents: TestCatalog.page(1...3)))
      case .standardInput: try await body(.standardInput(folder))
      case .folder: try await body(.folder(folder))
      case .collection: try await body(.collection(folder))
      case .web: try await TestSource.runWeb(body)
      }
    }
  }
}

/// A source with known contents, which can be made to fail.
struct TestSource: Sendable {
  /// The names of the photos on each page.
  let pages: [[String]]
  /// Creates the source.
  let make: @Sendable () throws -> any APIServiceProtocol
  /// Makes the source fail or work again. Returns false if the source does not support this.
  let setFailing: @Sendable (Bool) throws -> Bool

  static func file(_ folder: URL, contents: Data) throws -> TestSource {
    let path = folder.appending(path: "photos.json")
    try contents.write(to: path)
    let catalog = try JSONSerialization.jsonObject(with: contents) as? [String: Any]
    let rows = try #require(catalog?["photos"] as? [[String: Any]])
    return TestSource(
      pages: [rows.compactMap { $0["name"] as? String }],
      make: { DelayedSource(CatalogFile(path: FilePath(path.path)), delay: .seconds(1), clock: RecordingClock()) },
      setFailing: { isFailing in
        try (isFailing ? Data("[".utf8) : contents).write(to: path)
        return true
      })
  }

  /// Returns a source that reads a pipe. After a failure it cannot work again, because its input has been read.
  static func standardInput(_ folder: URL) -> TestSource {
    let pipe = Pipe()
    let contents = Mutex(TestCatalog.page(1...3))
    return TestSource(
      pages: [["N1", "N2", "N3"]],
      make: {
        try pipe.fileHandleForWriting.write(contentsOf: contents.withLock { $0 })
        try pipe.fileHandleForWriting.close()
        return StandardInput(folder: FilePath(folder.path), descriptor: pipe.fileHandleForReading.fileDescriptor)
      },
      setFailing: { isFailing in
        contents.withLock { $0 = Data("[".utf8) }
        return isFailing
      })
  }

  static func folder(_ folder: URL) throws -> TestSource {
    let (photos, elsewhere) = (folder.appending(path: "photos"), folder.appending(path: "elsewhere"))
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for name in ["a.jpg", "b.jpg"] { try Data("x".utf8).write(to: photos.appending(path: name)) }
    return TestSource(
      pages: [["a.jpg", "b.jpg"]],
      make: {
        FolderService(
          scope: FolderScope(folder: FilePath(photos.path)), index: PhotoIndex(folder: nil) { _ in }, readers: 1,
          read: { $0.map { _ in .success(MetadataRecord(PhotoMetadata())) } })
      },
      setFailing: { isFailing in
        try FileManager.default.moveItem(at: isFailing ? photos : elsewhere, to: isFailing ? elsewhere : photos)
        return true
      })
  }

  static func collection(_ folder: URL) async throws -> TestSource {
    let collections = KeptCollections(store: StateStore(folder: nil) { _ in })
    let files = ["b.jpg", "a.jpg"].map { FilePath(folder.appending(path: $0).path) }
    for file in files { try Data("x".utf8).write(to: URL(filePath: file.printable)) }
    var edit = CollectionEdit("Best")
    edit.insert(files, at: .last)
    try await collections.make(edit)
    let name = Mutex("Best")
    return TestSource(
      pages: [["b.jpg", "a.jpg"]],
      make: {
        CollectionPhotos(name.withLock(\.self), service: collections, isWatching: true) {
          FolderService.withoutMetadata($0)
        }
      },
      setFailing: { isFailing in
        name.withLock { $0 = isFailing ? "gone" : "Best" }
        return false
      })
  }

  static func runWeb(_ body: @escaping @Sendable (TestSource) async throws -> Void) async throws {
    let status = Status()
    try await WebServer.run { question in
      if status.isFailing.withLock({ $0 }) { return .init(500) }
      let number = question.parameter("page").flatMap { Int($0) } ?? 1
      let more = #""current_page": \#(number), "total_pages": 3, "total_items": 6, "#
      return .init(body: TestCatalog.page([2 * number - 1, 2 * number], more))
    } body: { server in
      let client = HTTPClient(userAgent: "Tests/1", environment: [:], clock: RecordingClock())
      let source = TestSource(
        pages: [["N1", "N2"], ["N3", "N4"], ["N5", "N6"]],
        make: { WebCatalog(server: NamedServer(server.address), client: client, cache: PageCache(folder: nil)) },
        setFailing: { isFailing in
          status.isFailing.withLock { $0 = isFailing }
          return true
        })
      try await body(source)
    }
  }

  private final class Status: Sendable {
    let isFailing = Mutex(false)
  }
}
