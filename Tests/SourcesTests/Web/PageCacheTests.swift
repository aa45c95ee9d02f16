import Foundation
import Gallery
import HTTP
import Photos
import Services
import Synchronization
import Testing
import WebServer

@testable import Web

extension WebTests {
  @Suite struct PageCacheTests {
    private let catalog = TestCatalog()

    /// A server of two pages that can be made to fail.
    private final class Pages: Sendable {
      private let status = Mutex(200)

      func fail(_ status: Int) { self.status.withLock { $0 = status } }

      func answer(_ question: WebServer.Question) -> WebServer.Answer {
        let status = status.withLock { $0 }
        if status != 200 { return .init(status) }
        let number = question.parameter("page") == "2" ? 2 : 1
        let tag = "\"\(number)\""
        if question.headers["if-none-match"] == tag { return .init(304) }
        return .init(
          headers: ["ETag": tag, "Last-Modified": "Mon, 06 Nov 2017 14:48:50 GMT"],
          body: TestCatalog.page([number], #""current_page": \#(number), "total_pages": 2, "total_items": 2, "#))
      }
    }

    private func age(_ seconds: Double, except names: [String] = []) throws {
      for name in catalog.names where !names.contains(name) {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: "\(catalog.folder)/\(name)")
      }
    }

    @Test func cachedPagesAreValidated() async throws {
      let pages = Pages()
      try await WebServer.run(answer: pages.answer) { server in
        let first = try await catalog.service(server.address).allPages()
        try age(1000)
        let second = try await catalog.service(server.address).allPages()
        #expect(server.questions.map { $0.headers["if-none-match"] } == [nil, nil, "\"1\"", "\"2\""])
        #expect(server.questions.last?.headers["if-modified-since"] == "Mon, 06 Nov 2017 14:48:50 GMT")
        #expect(second.map { Array($0.photos) } == first.map { Array($0.photos) })
        #expect(second.allSatisfy { $0.keptSince == nil && $0.isComplete && $0.totalItems == 2 })
        // The server has confirmed the page, which renews its date.
        pages.fail(500)
        let third = try #require(try await catalog.service(server.address).last().keptSince)
        #expect(third.timeIntervalSince1970 > 1000)
      }
    }

    @Test(arguments: [429, 500, 503]) func cachedPagesAreShownWhileTheServerFails(status: Int) async throws {
      let pages = Pages()
      try await WebServer.run(answer: pages.answer) { server in
        let seen = try await catalog.service(server.address).allPages()
        try age(1000)
        pages.fail(status)
        let kept = try await catalog.service(server.address).allPages()
        #expect(kept.map { Array($0.photos) } == seen.map { Array($0.photos) })
        #expect(kept.map(\.keptSince) == Array(repeating: Date(timeIntervalSince1970: 1000), count: 2))
        #expect(kept.map(\.totalItems) == [2, 2])
        #expect(try await catalog.service(server.address).fetchComplete().photos.map(\.id) == [1])
      }
    }

    @Test func theDateIsThatOfTheOldestPage() async throws {
      let pages = Pages()
      try await WebServer.run(answer: pages.answer) { server in
        let first = try await catalog.service(server.address).last()
        try age(2000)
        let names = catalog.names
        _ = try await catalog.service(server.address).last(after: first)
        try age(1000, except: names)
        pages.fail(503)
        let kept = try await catalog.service(server.address).allPages()
        #expect(kept.map { $0.keptSince?.timeIntervalSince1970 } == [2000, 1000])
      }
    }

    /// Only the second page is what the server has now.
    @Test func aConfirmedPageHasTheDateOfTheCachedOneBefore() async throws {
      let pages = Pages()
      try await WebServer.run(answer: pages.answer) { server in
        _ = try await catalog.service(server.address).allPages()
        try age(1000)
        pages.fail(503)
        let first = try await catalog.service(server.address).last()
        pages.fail(200)
        let second = try await catalog.service(server.address).last(after: first)
        #expect(server.questions.last?.headers["if-none-match"] == "\"2\"")
        #expect([first, second].map { $0.keptSince?.timeIntervalSince1970 } == [1000, 1000])
      }
    }

    @Test func cachedPagesAreShownWithoutANetwork() async throws {
      let address = try await WebServer.run(answer: Pages().answer) { server in
        _ = try await catalog.service(server.address).last()
        return server.address
      }
      let service = catalog.service(address)
      let kept = try await service.last()
      #expect(kept.photos.map(\.id) == [1])
      #expect(kept.keptSince != nil)
      // The second page is not in the cache.
      await #expect(throws: APIError.unreachable(server: "127.0.0.1", .refused)) {
        try await service.last(after: kept)
      }
    }

    @Test func theCachedPageIsShownDuringRetries() async throws {
      let pages = Pages()
      try await WebServer.run(answer: pages.answer) { server in
        _ = try await catalog.service(server.address).last()
        pages.fail(503)
        let clock = HeldClock()
        let client = HTTPClient(userAgent: "Tests/1", environment: [:], clock: clock)
        let service = WebCatalog(
          server: NamedServer(server.address), client: client, cache: PageCache(folder: catalog.folder))
        var answers = service.fetchPhotos().makeAsyncIterator()
        let first = try #require(await answers.next()).get()
        #expect(first.photos.map(\.id) == [1])
        #expect(!first.isComplete && first.keptSince != nil)
        pages.fail(200)
        _ = await clock.nextSleep()
        clock.wake()
        let last = try #require(await answers.next()).get()
        #expect(last.isComplete && last.keptSince == nil)
        #expect(await answers.next() == nil)
      }
    }

    @Test(arguments: [401, 403, 404, 410]) func aRefusalDoesNotFallBackToTheCache(status: Int) async throws {
      let pages = Pages()
      try await WebServer.run(answer: pages.answer) { server in
        _ = try await catalog.service(server.address).last()
        pages.fail(status)
        await #expect(throws: APIError.self) { try await catalog.service(server.address).last() }
      }
    }

    @Test func aCaptivePortalDoesNotReplaceTheCatalog() async throws {
      try await WebServer.run { question in
        .init(body: question.number == 1 ? Data("<html>Log in</html>".utf8) : TestCatalog.page([question.number]))
      } body: { server in
        let service = catalog.service(server.address)
        _ = try await service.last()
        let kept = try await service.last()
        #expect(kept.photos.map(\.id) == [0])
        #expect(kept.keptSince != nil)
        #expect(try await service.last().photos.map(\.id) == [2])
      }
    }

    @Test func cachedPagesAreNotSharedBetweenCredentials() async throws {
      let pages = Pages()
      try await WebServer.run(answer: pages.answer) { server in
        _ = try await catalog.service(server.address, headers: ["Authorization": "Bearer a"]).last()
        pages.fail(503)
        for headers in [[:], ["Authorization": "Bearer b"], ["X": "Bearer a"]] {
          await #expect(throws: APIError.serverOverload) {
            try await catalog.service(server.address, headers: headers).last()
          }
        }
        let kept = try await catalog.service(server.address, headers: ["Authorization": "Bearer a"]).last()
        #expect(kept.keptSince != nil)
      }
      let contents = try catalog.names.map {
        try String(contentsOfFile: "\(catalog.folder)/\($0)", encoding: .utf8)
      }
      #expect(contents.count == 1)
      #expect((contents + catalog.names).allSatisfy { !$0.contains("Bearer") })
    }

    @Test func onlyTheUserCanReadTheCache() async throws {
      try await WebServer.run(answer: Pages().answer) { server in
        _ = try await catalog.service(server.address).last()
      }
      for path in [catalog.folder, catalog.folder + "/" + (catalog.names.first ?? "none")] {
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o077 == 0, "\(path)")
      }
    }

    @Test func damagedPagesAreFetchedAgain() async throws {
      try await WebServer.run(answer: Pages().answer) { server in
        _ = try await catalog.service(server.address).last()
        let path = "\(catalog.folder)/\(try #require(catalog.names.first))"
        let whole = try Data(contentsOf: URL(filePath: path))
        for damaged in [Data(), Data("{}\n".utf8), whole.dropLast(), whole + Data("x".utf8)] {
          try damaged.write(to: URL(filePath: path))
          let snapshot = try await catalog.service(server.address).last()
          #expect(snapshot.photos.map(\.id) == [1])
        }
        #expect(server.questions.allSatisfy { $0.headers["if-none-match"] == nil })
        _ = try await catalog.service(server.address).last()
        #expect(server.questions.last?.headers["if-none-match"] == "\"1\"")
      }
    }

    @Test func aPageWithNoStoreIsNotCached() async throws {
      try await WebServer.run { _ in
        .init(headers: ["Cache-Control": "private, No-Store"], body: TestCatalog.page([1]))
      } body: { server in
        let snapshot = try await catalog.service(server.address).last()
        #expect(snapshot.photos.count == 1)
        #expect(catalog.names.isEmpty)
      }
    }

    @Test func theOldestPagesAreDeletedFirst() async throws {
      try await WebServer.run { _ in
        .init(body: TestCatalog.page(1...10))
      } body: { server in
        var kept: [String] = []
        for name in ["a", "b", "c", "d"] {
          let address = "\(server.address)/\(name)"
          _ = try await catalog.service(address, budget: 2500).last()
          kept.append(NamedServer(address).request(address).cacheName)
          try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(kept.count))],
            ofItemAtPath: "\(catalog.folder)/\(kept[kept.count - 1])")
        }
        #expect(catalog.names == kept.suffix(2).sorted())
      }
    }

    @Test func photosAreShownWithoutACache() async throws {
      try await WebServer.run(answer: Pages().answer) { server in
        for folder in [nil, "/proc/none"] {
          let client = HTTPClient(userAgent: "Tests/1", environment: [:], clock: RecordingClock())
          let service = WebCatalog(
            server: NamedServer(server.address), client: client, cache: PageCache(folder: folder))
          let snapshot = try await service.last()
          #expect(snapshot.photos.map(\.id) == [1])
        }
      }
    }
  }
}
