import Foundation
import Gallery
import HTTP
import Photos
import Services
import Store
import Testing
import WebServer

@testable import Web

extension WebTests.ImmichTests {
  @Test func favoritesAreKeptByTheServer() async throws {
    let server = try FakeImmich(photos: photos)
    let service = try decisions(server)
    let photos = try await self.service(server.address).last().photos
    #expect(photos.map { PhotoDecisions($0.metadata).isFavorite } == [true, false, false])
    let (make, unmake) = (Self.edits(.favorite, 1), Self.edits(.favorite, nil))
    try await service.change(photos[1].image, by: make, from: PhotoDecisions(photos[1].metadata))
    try await service.change(photos[0].image, by: unmake, from: PhotoDecisions(photos[0].metadata))
    let after = try await self.service(server.address + "/favorites").last().photos
    #expect(after.map(\.name) == ["b.nef"])
    let bodies = try server.requests.filter { $0.method == "PUT" }.map(\.body)
    #expect(bodies == [#"{"isFavorite":true}"#, #"{"isFavorite":false}"#])
  }

  func decisions(_ server: FakeImmich, key: String = FakeImmich.key) throws -> ImmichPhotoServer {
    let address = try #require(ImmichAddress(server.address))
    let client = HTTPClient(userAgent: "Tests/1", environment: [:], clock: RecordingClock())
    return ImmichPhotoServer(
      address, server: address.server(headers: [ImmichAddress.keyHeader: key]), client: client)
  }

  static func edits(_ decision: Decision, _ value: DecisionValue?) -> DecisionEdits {
    var edits = DecisionEdits()
    edits[decision] = DecisionEdit(value)
    return edits
  }

  @Test func decisionsAreKeptByTheServer() async throws {
    let server = try FakeImmich(photos: photos)
    let service = try decisions(server)
    let photo = try await self.service(server.address).last().photos[2]
    #expect(service.has(photo.image))
    let shown = PhotoDecisions(photo.metadata)
    #expect(shown.rating == 2 && photo.description == "Photo 2")
    let four = Self.edits(.rating, .number(4))
    // The second time, nothing is left to do, as after a crash.
    for _ in 0..<2 { try await service.change(photo.image, by: four, from: shown) }
    let rated = try await self.service(server.address).last().photos[2]
    #expect(rated.metadata?.rating == 4)
    let rejection = Self.edits(.rating, .number(PhotoDecisions.rejected))
    try await service.change(photo.image, by: rejection, from: PhotoDecisions(rating: 4))
    let rejected = try await self.service(server.address).last().photos[2]
    #expect(rejected.metadata?.rating == PhotoDecisions.rejected)
    let bodies = try server.requests.filter { $0.method == "PUT" }.map(\.body)
    #expect(bodies == [#"{"rating":4}"#, #"{"rating":-1}"#])
  }

  /// Keywords are tags. Those that another program has added stay.
  @Test func keywordsAreTags() async throws {
    let server = try FakeImmich(photos: photos)
    let service = try decisions(server)
    let photo = try await self.service(server.address).last().photos[2]
    func change(_ keywords: [String], from former: [String]?) async throws -> [String]? {
      let edits = Self.edits(.keywords, keywords.isEmpty ? nil : .list(keywords))
      try await service.change(photo.image, by: edits, from: PhotoDecisions(keywords: former))
      return try await self.service(server.address).last().photos[2].metadata?.keywords.sorted()
    }
    #expect(try await change(["sea", "animals/dogs"], from: nil) == ["animals/dogs", "sea"])
    // The second time, nothing is left to do.
    let count = try server.requests.count { $0.method != "GET" && $0.method != "POST" }
    #expect(count == 3)
    #expect(try await change(["sea", "animals/dogs"], from: nil) == ["animals/dogs", "sea"])
    #expect(try server.requests.count { $0.method != "GET" && $0.method != "POST" } == count)
    #expect(try await change(["sun"], from: nil) == ["animals/dogs", "sea", "sun"])
    #expect(try await change(["sea"], from: ["sea", "animals/dogs"]) == ["sea", "sun"])
    #expect(try await change([], from: ["sea"]) == ["sun"])
  }

  /// What a proxy or the login page of a network answers says nothing about the photo.
  @Test(arguments: [
    (200, "text/html", "<html>"), (404, "text/html", "<html>"), (404, "text/plain", ""), (302, "", ""),
  ])
  func anotherAnswerIsAnOutage(status: Int, type: String, body: String) async throws {
    try await WebServer.run { _ in
      .init(status, headers: ["Content-Type": type, "Location": "http://login.invalid/"], body: Data(body.utf8))
    } body: { server in
      let address = try #require(ImmichAddress("immich+" + server.address))
      var limits = HTTPLimits()
      limits.redirects = 0
      let client = HTTPClient(
        userAgent: "Tests/1", limits: limits, environment: [:], clock: RecordingClock())
      let service = ImmichPhotoServer(address, server: address.server(headers: [:]), client: client)
      let photo = ImageLocation.web("\(address.assets)/00000001-0000-4000-8000-000000000000/original")
      let fault = await #expect(throws: PhotoServerFault.self) {
        try await service.change(photo, by: Self.edits(.rating, .number(5)), from: PhotoDecisions())
      }
      guard case .outage? = fault else {
        Issue.record("\(String(describing: fault))")
        return
      }
    }
  }

  @Test func theOriginalIsDownloaded() async throws {
    let server = try FakeImmich(photos: photos)
    let photo = try await service(server.address).last().photos[1]
    let path = "\(folder)/copy"
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    defer { close(descriptor) }
    try await decisions(server).download(photo.image, to: descriptor)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "b.nef")
  }

  @Test func noStarsAndNoCaptionAreSent() async throws {
    let server = try FakeImmich(photos: photos)
    let service = try decisions(server)
    let photo = try await self.service(server.address).last().photos[1]
    var edits = Self.edits(.rating, .number(0))
    edits[.caption] = .remove
    let shown = PhotoDecisions(rating: 1, caption: "Photo 1")
    try await service.change(photo.image, by: edits, from: shown)
    let body = try #require(try server.requests.last { $0.method == "PUT" }?.body)
    #expect(Set(body.split { "{},".contains($0) }) == [#""rating":null"#, #""description":"""#])
    try await service.change(photo.image, by: edits.inverse(restoring: shown), from: PhotoDecisions())
    let again = try await self.service(server.address).last().photos[1]
    #expect(again.metadata?.rating == 1 && again.description == "Photo 1")
  }

  @Test func aConflictAndFailuresAreTold() async throws {
    let server = try FakeImmich(photos: photos)
    let photo = try await service(server.address).last().photos[2]
    let edits = Self.edits(.rating, .number(5))
    let wrong = PhotoDecisions(rating: 1)
    var current = PhotoDecisions(rating: 2, caption: "Photo 2")
    current.latitude = photo.metadata?.latitude
    current.longitude = photo.metadata?.longitude
    await #expect(throws: PhotoServerFault.conflict(current)) {
      try await self.decisions(server).change(photo.image, by: edits, from: wrong)
    }
    await #expect(throws: PhotoServerFault.missing) {
      try await self.decisions(server).change(.web("https://example.org/a.jpg"), by: edits, from: wrong)
    }
    // A key can be mended, and then the decision is sent.
    let denied = PhotoServerFault.outage(.permissionDenied(subject: "127.0.0.1", reason: "Invalid API key"))
    await #expect(throws: denied) {
      try await self.decisions(server, key: "wrong").change(photo.image, by: edits, from: wrong)
    }
    try server.fail(503)
    await #expect(throws: PhotoServerFault.outage(.serverOverload)) {
      try await self.decisions(server).change(photo.image, by: edits, from: wrong)
    }
    try server.fail(404)
    await #expect(throws: PhotoServerFault.missing) {
      try await self.decisions(server).change(photo.image, by: edits, from: wrong)
    }
    #expect(try server.requests.allSatisfy { $0.method != "PUT" })
  }
}
