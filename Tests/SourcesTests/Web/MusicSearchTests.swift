import Foundation
import Gallery
import HTTP
import Services
import Synchronization
import Testing
import Web
import WebServer

extension WebTests {
  @Suite struct MusicSearchTests {
    private func service(_ address: String) -> MusicSearch {
      // The server shares this process with all other tests, which can keep it waiting.
      var limits = HTTPLimits()
      limits.stallSeconds = 120
      let client = HTTPClient(userAgent: "Tests/1", limits: limits, environment: [:], clock: RecordingClock())
      return MusicSearch(base: address, client: client, headers: ["X-Key": "k"], namedHost: "127.0.0.1")
    }

    @Test func theTermIsSentToTheServer() async throws {
      let json = """
        {"resultCount": 2, "results": [
          {"trackId": 7, "trackName": "So\\u0007 What", "collectionName": "Kind of Blue", "artistName": "Miles Davis",
           "artworkUrl100": "https://example.org/100x100bb.jpg"},
          {"trackId": 8, "trackName": "A", "collectionName": "B", "artistName": "C", "artworkUrl100": "/etc/passwd"}]}
        """
      try await WebServer.run { _ in
        .init(body: Data(json.utf8))
      } body: { server in
        let tracks = try await service(server.address + "/").search(" a&b=ü+ ")
        #expect(
          tracks == [
            Track(
              id: 7, trackName: "So\u{FFFD} What", collectionName: "Kind of Blue", artistName: "Miles Davis",
              artwork: .web("https://example.org/100x100bb.jpg"))
          ])
        #expect(server.questions.map(\.target) == ["/search?media=music&entity=song&term=a%26b%3D%C3%BC%2B"])
        #expect(server.questions.first?.headers["x-key"] == "k")
      }
    }

    @Test(arguments: ["", "/", "/search", "/search/", "//"]) func theAddressMayEndWithSearch(end: String) async throws {
      try await WebServer.run { _ in
        .init(body: Data(#"{"resultCount": 0, "results": []}"#.utf8))
      } body: { server in
        for folder in ["", "/research"] { _ = try await service(server.address + folder + end).search("a") }
        let paths = server.questions.map { $0.target.prefix { $0 != "?" } }
        #expect(paths == ["/search", "/research/search"])
      }
    }

    @Test func eachRetryIsReported() async throws {
      try await WebServer.run { question in
        question.number < 2 ? .init(500) : .init(body: Data(#"{"resultCount": 0, "results": []}"#.utf8))
      } body: { server in
        let errors = Mutex<[APIError]>([])
        _ = try await service(server.address).search("a") { error in errors.withLock { $0.append(error) } }
        let error = APIError.serverFault(server: "127.0.0.1", .status(500, reason: nil))
        #expect(errors.withLock { $0 } == [error, error])
      }
    }

    @Test func anEmptyTermSendsNoRequest() async throws {
      try await WebServer.run { _ in
        .init(500)
      } body: { server in
        let tracks = try await service(server.address).search(" ")
        #expect(tracks.isEmpty)
        #expect(server.questions.isEmpty)
      }
    }

    @Test func failuresAreReported() async throws {
      try await WebServer.run { question in
        question.target.hasSuffix("=many")
          ? .init(429) : .init(body: Data((question.target.hasSuffix("=page") ? "<html>" : "[").utf8))
      } body: { server in
        await #expect(throws: APIError.serverOverload) { try await service(server.address).search("many") }
        await #expect(throws: APIError.serverFault(server: "127.0.0.1", .webPage(insteadOf: .searchResults))) {
          try await service(server.address).search("page")
        }
        await #expect {
          try await service(server.address).search("cut")
        } throws: { error in
          (error as? APIError)?.message.hasPrefix("127.0.0.1: the answer cannot be read") == true
        }
      }
    }
  }
}
