import Foundation
import Gallery
import HTTP
import Photos
import Services
import Store
import Testing
import WebServer

@testable import Web

extension WebTests {
  @Suite final class ImmichTests {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
    let photos: String

    init() throws {
      photos = "\(folder)/photos"
      try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: true)
      for name in ["a.jpg", "b.nef", "c.mp4"] { try Data(name.utf8).write(to: URL(filePath: "\(photos)/\(name)")) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func service(
      _ address: String, key: String = FakeImmich.key, environment: [String: String] = [:]
    ) throws -> ImmichPhotos {
      let address = try #require(ImmichAddress(address))
      // The server shares the machine with all other tests, which can keep it waiting.
      var limits = HTTPLimits()
      limits.stallSeconds = 120
      let client = HTTPClient(userAgent: "Tests/1", limits: limits, environment: environment, clock: RecordingClock())
      return ImmichPhotos(
        address, server: address.server(headers: [ImmichAddress.keyHeader: key]), client: client,
        cache: PageCache(folder: "\(folder)/cache"))
    }

    @Test func theFirstPhotosComeSoonAndAllFollow() async throws {
      let server = try FakeImmich(photos: photos, count: 2500)
      var snapshots: [PhotoSnapshot] = []
      for await answer in try service(server.address).fetchPhotos() { snapshots.append(try answer.get()) }
      // One that has not been read in time is replaced.
      let last = try #require(snapshots.last)
      // A tenth is archived, and a fiftieth is in the trash.
      #expect(last.photos.count == 2200 && last.totalItems == 2200 && last.isComplete && last.problems.count == 0)
      #expect(Set(last.photos.map(\.id)).count == 2200)
      for snapshot in snapshots.dropLast() where snapshot.photos.count > 100 {
        #expect(snapshot.progress == .init(done: snapshot.photos.count, total: 2200, unit: .photos))
      }
      let requests = try server.requests
      #expect(
        requests.map(\.path)
          == ["metadata", "statistics", "metadata", "metadata", "metadata"].map { "/api/search/\($0)" })
      #expect(requests[0].body == #"{"page":1,"size":100,"visibility":"timeline","withExif":true}"#)
      #expect(requests[1].body == #"{"visibility":"timeline"}"#)
      #expect(requests[4].body == #"{"page":3,"size":1000,"visibility":"timeline","withExif":true}"#)
    }

    @Test func noPhotoVanishesWhileTheListIsReadAgain() async throws {
      let server = try FakeImmich(photos: photos, count: 1500)
      let service = try service(server.address)
      let count = try await service.last().photos.count
      #expect(count == 1320)
      for await answer in service.fetchPhotos() { #expect(try answer.get().photos.count == count) }
    }

    @Test func theLibraryComesThroughAProxy() async throws {
      let (server, proxy) = (try FakeImmich(photos: photos), try ForwardingProxy())
      let service = try service(server.address, environment: ["http_proxy": proxy.address])
      #expect(try await service.last().photos.map(\.name) == ["a.jpg", "b.nef", "c.mp4"])
      #expect(try proxy.requests.count == server.requests.count)
    }

    @Test func aPhotoHasItsMetadata() async throws {
      let server = try FakeImmich(photos: photos)
      let table = try await service(server.address).last().photos
      #expect(table.map(\.name) == ["a.jpg", "b.nef", "c.mp4"])
      #expect(table.map(\.kind) == [.image, .raw, .video])
      let photo = table[1]
      let api = try #require(ImmichAddress(server.address)).api
      let id = "00000001-0000-4000-8000-000000000001"
      #expect(photo.image == .web("\(api)/assets/\(id)/original#3000x2000"))
      #expect(photo.createdAt == Timestamp("2026-01-01T07:00:00Z")?.date && photo.createdOffset == 7200)
      let metadata = try #require(photo.metadata)
      #expect(metadata.takenAt == CaptureTime(clock: 1_767_258_000, offset: 7200))
      #expect(photo.camera == "NIKON Z 6" && metadata.lens == "NIKKOR Z 24-70mm f/4 S")
      #expect(metadata.exposureTime == 0.004 && metadata.fNumber == 5.6 && metadata.iso == 300)
      #expect(metadata.rating == 1 && metadata.fileSize == 4_000_001 && metadata.place?.latitude == 39.7)
      #expect(metadata.width == 3000 && metadata.height == 2000 && photo.description == "Photo 1")
      #expect(table[2].metadata?.duration == 12.345)
    }

    @Test(arguments: [
      ("/favorites", 200), ("/archive", 100), ("/trash", 20), ("/albums/summer", 334 - 7), ("/people/Ana", 334 - 7),
      ("/search/a%20dog", 250), ("/places/Lisbon", 334 - 7), ("/months/2025-12", 131), ("/months/2026-01", 3),
    ])
    func aSelectionIsListed(path: String, count: Int) async throws {
      let server = try FakeImmich(photos: photos, count: 1000)
      #expect(try await service(server.address + path).last().photos.count == count)
    }

    @Test func theServerHasParts() async throws {
      let server = try FakeImmich(photos: photos)
      func parts(of address: String) async throws -> [PlacePart] {
        let address = try #require(ImmichAddress(address))
        let client = HTTPClient(userAgent: "Tests/1", environment: [:], clock: RecordingClock())
        return await ImmichParts(
          address, server: address.server(headers: [ImmichAddress.keyHeader: FakeImmich.key]), client: client,
          cache: PageCache(folder: nil)
        ).parts()
      }
      let all = try await parts(of: server.address)
      #expect(
        all.map(\.place.name) == [
          "Favorites", "Family", "Summer", "Ana", "Lisbon", "Porto", "2026-01", "Archive", "Trash",
        ])
      #expect(all.map(\.photoCount) == [nil, 1, 1, nil, nil, nil, 3, nil, nil])
      let api = try #require(ImmichAddress(server.address)).api
      #expect(all[1].cover == .web("\(api)/assets/00000001-0000-4000-8000-000000000000/thumbnail?size=thumbnail"))
      // Each leads to what it is called.
      for part in all {
        let address = String(decoding: part.place.arguments[0], as: UTF8.self)
        _ = try await service(address).last()
        let others = try await parts(of: address)
        #expect(others.count == all.count && !others.contains(part) && others.first?.place.name == "All photos")
      }
      try server.fail(500)
      #expect(try await parts(of: server.address).map(\.place.name) == ["Favorites", "Archive", "Trash"])
    }

    @Test func anUnknownAlbumIsReportedWithOthers() async throws {
      let server = try FakeImmich(photos: photos)
      let service = try service(server.address + "/albums/Winter")
      let error = await #expect(throws: APIError.self) { try await service.last() }
      #expect(error?.message == "127.0.0.1: there is no “Winter” there, but Family, Summer.")
    }

    @Test func aWrongKeyIsReported() async throws {
      let server = try FakeImmich(photos: photos)
      let service = try service(server.address, key: "wrong")
      let error = await #expect(throws: APIError.self) { try await service.last() }
      #expect(
        error?.message
          == "You don't have permission to read 127.0.0.1 (Invalid API key). Ask its owner for access.")
    }

    @Test func whatWasSeenIsShownWithoutTheServer() async throws {
      let server = try FakeImmich(photos: photos, count: 300)
      let before = try await service(server.address).last()
      #expect(before.keptSince == nil)
      try server.fail(503)
      let after = try await service(server.address).last()
      #expect(after.photos.map(\.id) == before.photos.map(\.id) && after.isComplete && after.keptSince != nil)
      // An album was not seen before.
      await #expect(throws: APIError.serverOverload) {
        try await self.service(server.address + "/albums/Summer").last()
      }
      // A refusal is not an outage.
      try server.fail(403)
      await #expect(throws: APIError.self) { try await self.service(server.address).last() }
    }

    /// A month is one of the photographer's clock, which is two hours ahead of the server's.
    @Test func aMonthIsThatOfTheClock() async throws {
      let server = try FakeImmich(photos: photos, count: 1000)
      for (month, last) in [("2025-12", 151), ("2026-01", 2)] {
        let photos = try await service("\(server.address)/months/\(month)").last().photos
        let months = photos.map { CalendarTime(clock: $0.metadata?.takenAt?.clock ?? 0).monthText }
        #expect(Set(months) == [month])
        let number = photos.last.flatMap { Int($0.name.prefix(6)) }
        #expect(number == last)
      }
      #expect(ImmichAddress("immich://a/months/2026-13") == nil && ImmichAddress("immich://a/months/202-012") == nil)
    }

    /// The movie of a live photo is a file of the photo.
    @Test func aLivePhotoHasItsMovie() async throws {
      try FileManager.default.createDirectory(atPath: "\(photos)/movies", withIntermediateDirectories: true)
      try Data("movie".utf8).write(to: URL(filePath: "\(photos)/movies/b.nef"))
      let server = try FakeImmich(photos: photos)
      let snapshot = try await service(server.address).last()
      #expect(snapshot.photos.map(\.name) == ["a.jpg", "b.nef", "b.mp4", "c.mp4"])
      #expect(snapshot.groups.all.map { Array($0) } == [[1, 2]] && snapshot.totalItems == 4)
      let movie = snapshot.photos[2]
      #expect(movie.kind == .video)
      let service = try decisions(server)
      let path = "\(folder)/copy"
      let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
      defer { close(descriptor) }
      try await service.download(movie.image, to: descriptor)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "movie")
    }

    private static func page(_ ids: [String], next: String?) -> Data {
      let items = ids.map {
        #"{"id": "\#($0)", "originalFileName": "x\u001b.jpg", "fileCreatedAt": "2026-01-01T07:00:00Z", "more": [{}]}"#
      }
      return Data(
        #"{"assets": {"items": [\#(items.joined(separator: ","))], "nextPage": \#(next.map { "\"\($0)\"" } ?? "null")}}"#
          .utf8)
    }

    @Test func invalidPhotosAreSkippedAndReported() async throws {
      try await WebServer.run { _ in
        .init(body: Self.page(["../../evil", "00000000-0000-4000-8000-000000000001", ""], next: nil))
      } body: { server in
        let snapshot = try await service("immich+" + server.address).last()
        #expect(snapshot.photos.map(\.name) == ["x\u{FFFD}.jpg"] && snapshot.problems.count == 2)
      }
    }

    @Test func aServerThatRepeatsItsPageEnds() async throws {
      try await WebServer.run { question in
        question.target.hasSuffix("statistics")
          ? .init(body: Data(#"{"total": 1000000000}"#.utf8))
          : .init(body: Self.page(["00000000-0000-4000-8000-000000000001"], next: "2"))
      } body: { server in
        let snapshot = try await service("immich+" + server.address).last()
        #expect(snapshot.photos.count == 1)
        #expect(server.questions.count == 3)
      }
    }

    @Test(arguments: [
      ("<html>", "the answer is a web page, not a catalog"), ("[]", "the answer cannot be read"),
      (#"{"assets": 5}"#, "the answer cannot be read"),
    ])
    func aWrongAnswerIsReported(body: String, message: String) async throws {
      try await WebServer.run { _ in
        .init(body: Data(body.utf8))
      } body: { server in
        let service = try service("immich+" + server.address)
        let error = await #expect(throws: APIError.self) { try await service.last() }
        #expect(error?.message.contains(message) == true)
      }
    }

    /// The key and what is searched for are for the named server alone.
    @Test func noRedirectGetsTheSearch() async throws {
      try await WebServer.run { _ in
        .init(body: Self.page([], next: nil))
      } body: { other in
        try await WebServer.run { _ in
          .init(307, headers: ["Location": other.address + "/api/search/metadata"])
        } body: { server in
          let service = try service("immich+" + server.address)
          await #expect(throws: APIError.unsafeAddress(other.address + "/api/search/metadata", .forbiddenRedirect)) {
            try await service.last()
          }
        }
        #expect(other.questions.isEmpty)
      }
    }
  }

  @Suite struct ImmichAddressTests {
    @Test(arguments: [
      ("immich://a.org", "https://a.org/api", ImmichAddress.Selection.timeline),
      ("IMMICH://a.org/", "https://a.org/api", .timeline), ("immich+http://a:2283", "http://a:2283/api", .timeline),
      ("immich://A.org:443", "https://a.org/api", .timeline), ("immich+http://a:80", "http://a/api", .timeline),
      ("immich://[::1]:80/favorites", "https://[::1]:80/api", .favorites),
      ("immich://a/archive/", "https://a/api", .archive),
      ("immich://a/trash", "https://a/api", .trash),
      ("immich://a/albums/My%20trip/", "https://a/api", .album("My trip")),
      ("immich://a/people/Ana", "https://a/api", .person("Ana")),
      ("immich://a/search/a dog", "https://a/api", .found("a dog")),
      ("immich://a/places/New%20York", "https://a/api", .city("New York")),
    ])
    func addressesAreRead(text: String, api: String, selection: ImmichAddress.Selection) throws {
      let address = try #require(ImmichAddress(text))
      #expect(address.api == api && address.selection == selection && ImmichAddress.isMeant(by: text))
    }

    @Test func aPhotoHasAPage() throws {
      let address = try #require(ImmichAddress("immich+http://a:2283/albums/b"))
      #expect(address.page(of: "http://a:2283/api/assets/1-2/original#30x20") == "http://a:2283/photos/1-2")
      #expect(address.page(of: "http://b/api/assets/1-2/original") == nil)
    }

    @Test(arguments: [
      "immich://", "immich:///albums/a", "https://a", "immich://user:key@a", "immich://a?key=1", "immich://a#b",
      "immich://a/albums",
      "immich://a/other", "immich://a/albums/", "immich:a",
    ])
    func invalidAddressesAreRefused(text: String) { #expect(ImmichAddress(text) == nil) }
  }
}
