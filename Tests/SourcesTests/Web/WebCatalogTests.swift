import Foundation
import Gallery
import HTTP
import Photos
import Store
import Testing
import WebServer

@testable import Web

extension WebTests {
  @Suite struct WebCatalogTests {
    private let catalog = TestCatalog()

    @Test func pagesAreRequestedByNumber() async throws {
      try await WebServer.run { question in
        let number = question.parameter("page").flatMap { Int($0) } ?? 1
        return .init(
          body: TestCatalog.page(
            number * 10..<number * 10 + 3, #""current_page": \#(number), "total_pages": 3, "total_items": 9, "#))
      } body: { server in
        let service = catalog.service(server.address + "/v1?feature=popular&page=1&rpp=3")
        let pages = try await service.allPages()
        #expect(server.questions.map(\.target) == (1...3).map { "/v1?feature=popular&page=\($0)&rpp=3" })
        #expect(pages.map(\.pageNumber) == [1, 2, 3])
        #expect(pages.map(\.totalPages) == [3, 3, 3])
        #expect(pages.map(\.totalItems) == [9, 9, 9])
        let ids = [10, 11, 12, 20, 21, 22, 30, 31, 32]
        #expect(pages.map { $0.photos.map(\.id) } == [Array(ids[..<3]), Array(ids[..<6]), ids])
        #expect(pages.allSatisfy { $0.isComplete && $0.keptSince == nil })
        // After the last page, the photos stay the same and no request is sent.
        #expect(try await service.last(after: pages[2]).photos.count == 9)
        #expect(server.questions.count == 3)
        // A new fetch requests only the first page.
        let page = try await service.fetchComplete()
        #expect(page.photos.map(\.id) == [10, 11, 12])
        #expect((page.pageNumber, page.totalPages, page.totalItems) == (1, 3, 9))
      }
    }

    @Test func aMissingPageParameterIsAdded() async throws {
      try await WebServer.run { question in
        .init(
          body: TestCatalog.page([question.number], #""current_page": \#(question.number + 1), "total_pages": 2, "#))
      } body: { server in
        _ = try await catalog.service(server.address + "/photos").allPages()
        _ = try await catalog.service(server.address + "/photos?mypage=7").last()
        #expect(server.questions.map(\.target) == ["/photos", "/photos?page=2", "/photos?mypage=7"])
      }
    }

    @Test func pagesAreRequestedByLinks() async throws {
      try await WebServer.run { question in
        let links = ["/a/b": #"</a/b>; rel="prev first", <c?cursor=x,y;z>; title="a, \"<b>\""; REL="last Next""#]
        return .init(
          headers: links[question.path].map { ["Link": $0] } ?? [:], body: TestCatalog.page([question.number]))
      } body: { server in
        let pages = try await catalog.service(server.address + "/a/b").allPages()
        #expect(server.questions.map(\.target) == ["/a/b", "/a/c?cursor=x,y;z"])
        #expect(pages.last?.photos.map(\.id) == [0, 1])
        #expect(pages.map(\.pageNumber) == [1, 2])
      }
    }

    enum Lie: CaseIterable {
      case samePage, sameNumber, emptyPage, overlap

      /// Returns the ids on the page that is requested by this number, and the number and total that the page claims.
      func page(_ number: Int) -> (ids: [Int], number: Int, total: Int) {
        switch self {
        case .samePage: ([1, 2], 1, 9)
        case .sameNumber: ([number * 10, number * 10 + 1], 1, 9)
        case .emptyPage: (number < 3 ? [number * 10, number * 10 + 1] : [], number, 9)
        case .overlap: ([number, number + 1], number, 3)
        }
      }

      /// The number of requests, and the number of photos in the end.
      var expected: (questions: Int, photos: Int) {
        switch self {
        case .samePage: (2, 2)
        case .sameNumber: (2, 4)
        case .emptyPage, .overlap: (3, 4)
        }
      }
    }

    @Test(arguments: Lie.allCases) func falsePageNumbersComeToAnEnd(lie: Lie) async throws {
      try await WebServer.run { question in
        let page = lie.page(question.parameter("page").flatMap { Int($0) } ?? 1)
        let more = #""current_page": \#(page.number), "total_pages": \#(page.total), "total_items": 1000000, "#
        return .init(body: TestCatalog.page(page.ids, more))
      } body: { server in
        let last = try #require(try await catalog.service(server.address).allPages().last)
        #expect(server.questions.count == lie.expected.questions)
        #expect(last.photos.count == lie.expected.photos)
        #expect(Set(last.photos.map(\.id)).count == lie.expected.photos)
        #expect(last.nextPage == nil)
        // Photos that were announced but did not arrive are not counted. If all pages arrived, the server's total
        // counts.
        #expect(last.totalItems == (lie == .overlap ? 1_000_000 : lie.expected.photos))
      }
    }

    @Test func circularLinksComeToAnEnd() async throws {
      try await WebServer.run { question in
        .init(
          headers: ["Link": "<\(question.path == "/a" ? "/b" : "/a")>; rel=next"],
          body: TestCatalog.page([question.path == "/a" ? 1 : 2]))
      } body: { server in
        let last = try await catalog.service(server.address + "/a").allPages().last
        #expect(server.questions.map(\.target) == ["/a", "/b", "/a"])
        #expect(last?.photos.map(\.id) == [1, 2])
        #expect(last?.totalItems == 2)
      }
    }

    @Test(arguments: ["-5", "9223372036854775807", "1e99", "\"2\"", "null"]) func invalidNumbersAreIgnored(
      number: String
    ) async throws {
      try await WebServer.run { _ in
        let more = ["current_page", "total_pages", "total_items"].map { #""\#($0)": \#(number), "# }.joined()
        return .init(headers: ["Link": "</b>; rel=next"], body: TestCatalog.page([1], more))
      } body: { server in
        let pages = try await catalog.service(server.address).allPages()
        #expect(pages.last?.photos.map(\.id) == [1])
        #expect(pages.last?.pageNumber == 1)
      }
    }

    @Test func theProblemsOfAPhotoNameItsPage() async throws {
      try await WebServer.run { question in
        let bad = question.number == 0 ? "" : #",{"id": 7}"#
        let more = #""current_page": \#(question.number + 1), "total_pages": 2, "#
        return .init(body: Data(#"{\#(more)"photos": [\#(TestCatalog.row(question.number))\#(bad)]}"#.utf8))
      } body: { server in
        let last = try await catalog.service(server.address).allPages().last
        #expect(last?.photos.map(\.id) == [0, 1])
        #expect(last?.problems.first.map(\.place) == [.page(2)])
        #expect(last?.problems.first.first?.message.hasSuffix("(photo 2): name is missing") == true)
      }
    }

    @Test func imageAddressesAreRelativeToThePage() async throws {
      let images = [
        "a b.jpg", "../up.jpg", "?x=1", "/etc/passwd", "//images.example/c.jpg", "https://images.example/d.jpg",
      ]
      let refused = [
        "file:///etc/passwd", "FILE:/etc/passwd", "javascript:alert(1)", "data:image/png;base64,AA", "c:\\\\a.jpg",
        "gopher://a.example/", "http:///",
      ]
      try await WebServer.run { question in
        if question.path == "/old" { return .init(302, headers: ["Location": "/v1/new/photos?x=/y/"]) }
        let rows = (images + refused).enumerated().map { TestCatalog.row($0.offset, image: $0.element) }
        return .init(body: Data("[\(rows.joined(separator: ","))]".utf8))
      } body: { server in
        let snapshot = try await catalog.service(server.address + "/old").last()
        #expect(
          snapshot.photos.map(\.image) == [
            .web(server.address + "/v1/new/a%20b.jpg"), .web(server.address + "/v1/up.jpg"),
            .web(server.address + "/v1/new/photos?x=1"),
            .web(server.address + "/etc/passwd"), .web("http://images.example:80/c.jpg"),
            .web("https://images.example:443/d.jpg"),
          ])
        #expect(snapshot.photos.map(\.imageURL) == images)
        #expect(snapshot.problems.count == refused.count)
        #expect(snapshot.problems.first.allSatisfy { $0.reason.hasSuffix("image_url is not an http or https address") })
      }
    }

    @Test func aCompressedPageIsDecompressed() async throws {
      let packed = try await gzip("printf '%s' '\(String(decoding: TestCatalog.page([1, 2]), as: UTF8.self))'")
      let bomb = try await gzip("head -c 70000000 /dev/zero")
      try await WebServer.run { question in
        .init(
          headers: ["Content-Type": "application/gzip"],
          body: question.path == "/bomb" ? bomb : question.path == "/cut" ? packed.dropLast(9) : packed)
      } body: { server in
        let whole = try await catalog.service(server.address).last()
        #expect(whole.photos.map(\.id) == [1, 2])
        #expect(whole.problems.count == 0)
        let cut = try await catalog.service(server.address + "/cut").last()
        #expect(cut.problems.first.first?.reason.contains("the compressed data is incomplete") == true)
        await #expect(throws: APIError.serverFault(server: "127.0.0.1", .bodyTooLarge(limit: 64 << 20))) {
          try await catalog.service(server.address + "/bomb").last()
        }
      }
    }

    @Test func theNextPageIsNeverAFile() async throws {
      try await WebServer.run { question in
        .init(headers: ["Link": "<file:///etc/passwd>; rel=next"], body: TestCatalog.page([1]))
      } body: { server in
        let snapshot = try await catalog.service(server.address).last()
        #expect(snapshot.nextPage == nil)
        #expect(snapshot.photos.count == 1)
        #expect(snapshot.problems.first.map(\.place) == [.page(1)])
      }
    }

    @Test(
      arguments: [
        ("http://a.example/2", nil), ("https://b.example/2", "https://b.example:443/2"),
        ("//b.example/2", "https://b.example:443/2"),
      ] as [(String, String?)])
    func anEncryptedPageDoesNotLeadToAnUnencryptedOne(target: String, next: String?) throws {
      let file = try PageCache(folder: nil).makeFile()
      try FileHandle(fileDescriptor: file.descriptor).write(contentsOf: TestCatalog.page([1]))
      let page = WebPage(
        address: "https://a.example/1", link: "<\(target)>; rel=next", validators: HTTPValidators(),
        body: PageBody(descriptor: file.descriptor), keptSince: nil)
      #expect(try page.snapshot(after: nil).nextPage == next)
    }

    @Test func aPrivateAddressOfAnotherHostIsNotOpened() async throws {
      try await WebServer.run { question in
        let port = question.headers["host"]?.split(separator: ":").last ?? ""
        return .init(headers: ["Link": "<http://127.0.0.1:\(port)/2>; rel=next"], body: TestCatalog.page([1]))
      } body: { server in
        let service = catalog.service("http://localhost:\(server.port)/1")
        let first = try await service.last()
        await #expect(throws: APIError(HTTPError.privateAddress(host: "127.0.0.1"))) {
          try await service.last(after: first)
        }
        #expect(server.questions.map(\.target) == ["/1"])
      }
    }

    @Test func headersAreSentOnlyToTheNamedServer() async throws {
      try await WebServer.run { _ in
        .init(body: TestCatalog.page([2]))
      } body: { other in
        try await WebServer.run { question in
          question.path == "/moved"
            ? .init(302, headers: ["Location": other.address])
            : .init(headers: ["Link": "<\(other.address)/2>; rel=next"], body: TestCatalog.page([1]))
        } body: { server in
          let headers = ["Authorization": "Bearer secret", "X-Key": "k"]
          #expect(try await catalog.service(server.address, headers: headers).allPages().count == 2)
          _ = try await catalog.service(server.address + "/moved", headers: headers).last()
          #expect(server.questions.map { $0.headers["authorization"] } == ["Bearer secret", "Bearer secret"])
          #expect(server.questions.map { $0.headers["x-key"] } == ["k", "k"])
          #expect(other.questions.map(\.path) == ["/2", "/"])
          #expect(other.questions.allSatisfy { $0.headers["authorization"] == nil && $0.headers["x-key"] == nil })
        }
      }
    }
  }
}
