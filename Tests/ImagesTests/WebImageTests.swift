import Foundation
import Gallery
import HTTP
import ImageWire
import Resources
import Store
import TestLimit
import Testing
import WebServer

@testable import Images

@Suite(.serialized, .limited) struct WebImageTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path

  private func cache(
    budget: Int = 1 << 20, freshness: TimeInterval = 3600, versions: ImageVersions? = nil
  ) -> WebImageCache {
    // On a busy machine, the tests' server can take longer than the program's patience.
    var limits = HTTPLimits()
    limits.stallSeconds = 60
    let client = HTTPClient(userAgent: "Tests/1", limits: limits, environment: [:], clock: RecordingClock())
    return WebImageCache(
      folder: folder, client: client, servers: [NamedServer("http://127.0.0.1", versions: versions)], budget: budget,
      freshness: freshness)
  }

  private func contents(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

  @Test func filesAreNamedByTheHashOfTheStandard() {
    // These are the examples of FIPS 180-4, and lengths around that of a block.
    #expect(SHA256.name("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(SHA256.name("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      SHA256.name("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      SHA256.name(String(repeating: "a", count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func anImageIsFetchedOnce() async throws {
    try await WebServer.run { _ in
      .init(body: Data("image".utf8))
    } body: { server in
      let path = try await cache().file(for: server.address + "/a.jpg")
      #expect(try contents(path) == "image")
      #expect(path == folder + "/" + SHA256.name("image"))
      // Another copy of the program finds the image.
      #expect(try await cache().file(for: server.address + "/a.jpg") == path)
      #expect(server.questions.count == 1)
      // The same image elsewhere is the same file.
      #expect(try await cache().file(for: server.address + "/b.jpg") == path)
      #expect(names.count == 3)
    }
  }

  @Test func whatIsUnderWayIsNotFetchedTwice() async throws {
    try await WebServer.run { _ in
      .init(body: Data(repeating: 65, count: 5000))
    } body: { server in
      let cache = cache()
      let address = server.address + "/a.jpg"
      async let first = cache.file(for: address, prefix: 5000)
      var request = NamedServer("http://127.0.0.1").request(address)
      request.prefix = 5000
      async let second = cache.head(request)
      let paths = (try await first, try await second)
      #expect(paths.0 == paths.1)
      #expect(server.questions.count == 1)
    }
  }

  @Test func theFirstPartOfAFileRemovesNoOther() async throws {
    try await WebServer.run { question in
      .init(body: Data(repeating: UInt8(question.target.utf8.count), count: 6000))
    } body: { server in
      let cache = cache(budget: 10_000)
      func head(_ name: String, _ count: Int) async throws -> String? {
        var request = NamedServer("http://127.0.0.1").request(server.address + name)
        request.prefix = count
        return try await cache.head(request)
      }
      let path = try await cache.file(for: server.address + "/a.jpg")
      #expect(try await head("/bb.jpg", 6000) == nil)
      #expect(server.questions.count == 1 && FileManager.default.fileExists(atPath: path))
      // Of two at once, only one has room.
      async let one = head("/bb.jpg", 3000)
      async let two = head("/bbb.jpg", 3000)
      let heads = [try await one, try await two]
      #expect(heads.count { $0 != nil } == 1 && FileManager.default.fileExists(atPath: path))
      // What is there already is found without room.
      let isFirst = heads[0] != nil
      #expect(try await head(isFirst ? "/bb.jpg" : "/bbb.jpg", 3000) == heads[isFirst ? 0 : 1])
      #expect(server.questions.count == 2)
      // An image that is wanted does.
      _ = try await cache.file(for: server.address + "/ccc.jpg")
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  /// What ends early or can't be decompressed is no image, and is not kept.
  @Test(arguments: BadAnswer.allCases) func whatIsNoAnswerIsNotKept(answer: BadAnswer) async throws {
    let server = try RawServer { peer in _ = peer.send(answer.bytes) }
    let error = await #expect(throws: APIError.self) { try await cache().file(for: server.address + "/a.jpg") }
    #expect(error?.message.hasSuffix(".") == true)
    #expect(names == [])
  }

  @Test func theServerIsAskedWhetherAnOldImageHasChanged() async throws {
    try await WebServer.run { question in
      question.headers["if-none-match"] == "\"1\""
        ? .init(304) : .init(headers: ["ETag": "\"1\""], body: Data("image".utf8))
    } body: { server in
      let cache = cache(freshness: 0)
      let first = try await cache.file(for: server.address)
      #expect(try await cache.file(for: server.address) == first)
      #expect(server.questions.map { $0.headers["if-none-match"] } == [nil, "\"1\""])
    }
  }

  @Test func anOldImageIsShownIfTheServerIsUnavailable() async throws {
    try await WebServer.run { question in
      question.number == 0 ? .init(body: Data("image".utf8)) : .init(question.target == "/" ? 503 : 404)
    } body: { server in
      let cache = cache(freshness: 0)
      let first = try await cache.file(for: server.address + "/")
      #expect(try await cache.file(for: server.address + "/") == first)
      #expect(server.questions.count == 2)
      await #expect(throws: APIError.serverFault(server: "127.0.0.1", .status(404, reason: nil))) {
        try await cache.file(for: server.address + "/other")
      }
    }
  }

  /// An image that was fetched while the clock was a year ahead is not valid for that year.
  @Test func theServerIsAskedAfterTheClockWasSetBack() async throws {
    try await WebServer.run { question in
      question.headers["if-none-match"] == nil
        ? .init(headers: ["ETag": "\"1\""], body: Data("image".utf8)) : .init(304)
    } body: { server in
      _ = try await cache().file(for: server.address + "/")
      for name in names {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: 31_536_000)], ofItemAtPath: "\(folder)/\(name)")
      }
      for _ in 0..<2 { #expect(try contents(await cache().file(for: server.address + "/")) == "image") }
      // The server is asked once. From then on the image is fresh.
      #expect(server.questions.map { $0.headers["if-none-match"] } == [nil, "\"1\""])
    }
  }

  @Test func headersAreSentOnlyToTheNamedServer() async throws {
    try await WebServer.run { _ in
      .init(body: Data("other".utf8))
    } body: { other in
      try await WebServer.run { question in
        question.target == "/moved"
          ? .init(302, headers: ["Location": other.address + "/moved"])
          : question.headers["x-key"] == "k" ? .init(body: Data("image".utf8)) : .init(401)
      } body: { server in
        let client = HTTPClient(userAgent: "Tests/1", environment: [:], clock: RecordingClock())
        let named = NamedServer(server.address + "/photos", headers: ["X-Key": "k"])
        let cache = WebImageCache(folder: folder, client: client, servers: [named])
        var images: [String] = []
        for address in [server.address + "/a.jpg", server.address + "/moved", other.address + "/b.jpg"] {
          images.append(try contents(await cache.file(for: address)))
        }
        #expect(images == ["image", "other", "other"])
        #expect(server.questions.map { $0.headers["x-key"] } == ["k", "k"])
        #expect(other.questions.map { $0.headers["x-key"] } == [nil, nil])
        // An image that needs a header is not available without it.
        await #expect(throws: APIError.permissionDenied(subject: "127.0.0.1")) {
          try await self.cache().file(for: server.address + "/a.jpg")
        }
      }
    }
  }

  @Test func onlyANamedServerMayBePrivate() async throws {
    try await WebServer.run { _ in
      .init(body: Data("image".utf8))
    } body: { server in
      let client = HTTPClient(userAgent: "Tests/1", environment: [:], clock: RecordingClock())
      for servers in [[], [NamedServer("http://localhost:\(server.port)/")]] {
        let cache = WebImageCache(folder: folder, client: client, servers: servers)
        await #expect(throws: APIError(HTTPError.privateAddress(host: "127.0.0.1"))) {
          try await cache.file(for: server.address + "/a.jpg")
        }
      }
      #expect(server.questions.isEmpty)
    }
  }

  @Test func aDamagedImageIsFetchedAgain() async throws {
    try await WebServer.run { _ in
      .init(body: Data("image".utf8))
    } body: { server in
      let path = try await cache().file(for: server.address)
      for damage in ["pic", "PICTURE", ""] {
        try Data(damage.utf8).write(to: URL(filePath: path))
        #expect(try contents(await cache().file(for: server.address)) == "image")
      }
      unlink(path)
      #expect(try contents(await cache().file(for: server.address)) == "image")
      for name in names where name.hasSuffix(".note") {
        try Data("{".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
      }
      #expect(try contents(await cache().file(for: server.address)) == "image")
      #expect(server.questions.count == 6)
    }
  }

  @Test func theLeastRecentlyUsedImageIsRemovedFirst() async throws {
    try await WebServer.run { question in
      .init(body: Data(repeating: UInt8(question.target.utf8.count), count: 400))
    } body: { server in
      let cache = cache(budget: 1400)
      let first = try await cache.file(for: server.address + "/1")
      let second = try await cache.file(for: server.address + "/12")
      #expect(try await cache.file(for: server.address + "/1") == first)
      let third = try await cache.file(for: server.address + "/123")
      let areThere = [first, second, third].map { FileManager.default.fileExists(atPath: $0) }
      #expect(areThere == [true, false, true])
    }
  }

  @Test func severalCachesShareAFolder() async throws {
    try await WebServer.run { question in
      .init(body: Data(question.target.utf8))
    } body: { server in
      let caches = (0..<3).map { _ in cache(freshness: 0) }
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for cache in caches {
          for number in 0..<10 {
            group.addTask {
              let path = try await cache.file(for: "\(server.address)/\(number)")
              return try String(contentsOfFile: path, encoding: .utf8) == "/\(number)"
            }
          }
        }
        for try await isRight in group { #expect(isRight) }
      }
      #expect(names.filter { $0.hasPrefix(".") }.isEmpty)
      #expect(names.count == 20)
    }
  }

  /// A network that requires a login answers with a page. It would be shown in place of the image while it is cached.
  @Test func aPageForBrowsersIsNotKept() async throws {
    try await WebServer.run { question in
      question.number == 0
        ? .init(headers: ["Content-Type": "text/html; charset=utf-8"], body: Data("<html>".utf8))
        : .init(headers: ["Content-Type": "text/html"], body: Data("image".utf8))
    } body: { server in
      await #expect(throws: APIError.serverFault(server: "127.0.0.1", .webPage(insteadOf: .image))) {
        try await cache().file(for: server.address)
      }
      #expect(names.isEmpty)
      // The content type of an image may be wrong.
      let path = try await cache().file(for: server.address)
      #expect(try contents(path) == "image")
    }
  }

  @Test @MainActor func imagesThatCouldNotBeShownAreRetried() async throws {
    let photo = try Data(contentsOf: URL(filePath: Resources.path("photos/fig.jpg")))
    try await WebServer.run { question in
      // The server refuses the first request, then sends something else, and then an image.
      [.init(403), .init(headers: ["ETag": "\"1\""], body: Data("no image".utf8)), .init(body: photo)][
        question.number]
    } body: { server in
      let loader = ImageLoader(workerPath: ImageLoaderTests.workerPath, workerCount: 1, web: cache(budget: 1 << 28))
      let address = server.address + "/fig.jpg"
      for number in 0..<3 {
        switch await rendition(address, loader) {
        case .notFetched: #expect(number == 0)
        case .failed: #expect(number == 1)
        case .loading, .cells, .graphic: #expect(number == 2)
        }
        // The loader does not retry on its own.
        if number < 2 { _ = await rendition(address, loader) }
        #expect(server.questions.count == number + 1)
        loader.retry()
      }
      // The image is cached now.
      if case .cells = await rendition(address, loader) {} else { Issue.record("no image") }
      #expect(server.questions.map { $0.headers["if-none-match"] } == [nil, nil, nil])
    }
  }

  /// They share the line, so with more of them none would come soon.
  @Test @MainActor func fewImagesAreFetchedAtOnceInAllFrames() {
    let images = WebImages(cache: cache())
    let files = (0..<9).map { WebImageFile("http://127.0.0.1:9/\($0).jpg") }
    for _ in 0..<3 { images.want(files) }
    #expect(files.map { images[$0] != nil } == (0..<9).map { $0 < 4 })
    images.want([])
  }

  /// A file that could not be decoded is asked for again, even if the first attempt is stopped because the user moves on.
  @Test @MainActor func aStoppedFetchLeavesTheSuspicion() async throws {
    let photo = try Data(contentsOf: URL(filePath: Resources.path("photos/fig.jpg")))
    try await WebServer.run { _ in
      .init(body: photo)
    } body: { server in
      let images = WebImages(cache: cache(budget: 1 << 28))
      let file = WebImageFile(server.address + "/fig.jpg")
      @MainActor func fetch() async {
        await withCheckedContinuation { continuation in
          images.onChange = { _ in continuation.resume() }
          images.want([file])
        }
        // The end of a stopped fetch is not the end of the next one.
        if case .ready = images[file] {} else { Issue.record("no image") }
      }
      await fetch()
      #expect(server.questions.count == 1)
      images.retry(undecodable: [file])
      images.onChange = { _ in }
      images.want([file])
      images.want([])
      await fetch()
      #expect(server.questions.count == 2)
    }
  }

  @Test @MainActor func imagesFromTheWebAreShownOrFailWithAReason() async throws {
    let photo = try Data(contentsOf: URL(filePath: Resources.path("photos/fig.jpg")))
    try await WebServer.run { question in
      question.target == "/fig.jpg" ? .init(body: photo) : .init(403)
    } body: { server in
      let loader = ImageLoader(workerPath: ImageLoaderTests.workerPath, workerCount: 1, web: cache(budget: 1 << 28))
      let shown = await rendition(server.address + "/fig.jpg", loader)
      let isImage = if case .cells = shown { true } else { false }
      #expect(isImage)
      let missing = await rendition(server.address + "/secret.jpg", loader)
      let error: APIError? = if case .notFetched(let error) = missing { error } else { nil }
      #expect(error == .permissionDenied(subject: "127.0.0.1"), "\(missing)")
      #expect(server.questions.map(\.target) == ["/fig.jpg", "/secret.jpg"])
    }
  }

  /// The preview in the first part of a file is enough for a small place. A large one shows it until the file has come.
  @Test(arguments: [(true, false), (true, true), (false, false)]) @MainActor
  func theFirstPartOfAFileHasAPreview(hasPreview: Bool, isLarge: Bool) async throws {
    let white = SquareJPEG(columns: 20, rows: 15, shades: Array(repeating: 255, count: 300)).baseline()
    // An image of more than 64 kB.
    let image = SquareJPEG(columns: 800, rows: 600, shades: Array(repeating: 0, count: 480_000))
    let photo = image.baseline(segments: hasPreview ? [SquareJPEG.exif(thumbnail: white)] : [])
    #expect(photo.count > 100_000)
    try await WebServer.run { question in
      question.headers["range"] == nil ? .init(body: Data(photo)) : .init(206, body: Data(photo.prefix(64_000)))
    } body: { server in
      var versions = ImageVersions()
      versions.firstParts = ["jpg": 64_000]
      let loader = ImageLoader(
        workerPath: ImageLoaderTests.workerPath, workerCount: 1, web: cache(budget: 1 << 28, versions: versions))
      let (columns, rows) = isLarge ? (80, 40) : (8, 3)
      let shown = await rendition(server.address + "/a.jpg#1", loader, columns: columns, rows: rows)
      guard case .cells(let cells) = shown else {
        Issue.record("\(shown)")
        return
      }
      let isPreview = hasPreview && !isLarge
      #expect(cells.cells[0].background == (isPreview ? 0xFFFFFF : 0))
      #expect(
        server.questions.map { $0.headers["range"] } == (isPreview ? ["bytes=0-63999"] : ["bytes=0-63999", nil]))
      #expect(server.questions.allSatisfy { $0.target == "/a.jpg" })
    }
  }

  @MainActor
  private func rendition(
    _ address: String, _ loader: ImageLoader, columns: Int = 8, rows: Int = 3
  ) async -> ImageLoader.Rendition {
    let screen = RenditionScreen(
      format: .symbols(.truecolor, .blocks), cellWidth: 10, cellHeight: 20, background: 0x101214)
    return await ImageLoaderTests.rendition(
      of: RenditionSpecification(.web(address), columns: columns, rows: rows, on: screen), with: loader)
  }
}
