import Catalog
import Foundation
import Gallery
import Photos
import Resources
import TestLimit
import Testing

@Suite(.limited) struct CatalogFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  private func fetch(_ json: String) async throws -> PhotoSnapshot {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "c.json")
    try Data(json.utf8).write(to: path)
    return try await CatalogFile(path: FilePath(path.path)).fetchComplete()
  }

  @Test func bundledGalleryIsComplete() async throws {
    let snapshot = try await CatalogFile(path: FilePath(Resources.path("content.json")))
      .fetchComplete()
    #expect(snapshot.photos.count == 36)
    #expect(snapshot.totalItems == 36)
    #expect(Set(snapshot.photos.map(\.id)).count == 36)
    #expect(snapshot.photos.contains { $0.isForSale == true })
    #expect(snapshot.photos.contains { $0.isForSale == false })
    for photo in snapshot.photos {
      guard case .file(let path) = photo.image else { return #expect(Bool(false), "\(photo.name) is no file") }
      #expect(FileManager.default.isReadableFile(atPath: path.printable))
      #expect(photo.description?.isEmpty == false)
      #expect(photo.author?.isEmpty == false)
      #expect(photo.license?.isEmpty == false)
    }
  }

  @Test func everyFieldIsRead() async throws {
    let snapshot = try await fetch(
      """
      {"current_page": 2, "total_pages": 5, "total_items": 90, "feature": "popular", "photos": [
        {"id": 7, "name": "A\\u001bB", "description": "one\\ntwo", "created_at": "2017-11-06T14:48:50-05:00",
         "image_url": "p/a.jpg", "for_sale": true, "camera": "X100", "user": {"fullname": "N"}, "license": "CC0-1.0",
         "unknown": [1, {}]}]}
      """)
    let expected = Photo(
      id: 7, name: "A�B", description: "one\ntwo", createdAt: Date(timeIntervalSince1970: 1_509_997_730),
      createdOffset: -18_000, imageURL: "p/a.jpg", image: .file("\(folder.path)/p/a.jpg"), isForSale: true,
      camera: "X100", author: "N",
      license: "CC0-1.0")
    #expect(Array(snapshot.photos) == [expected])
    #expect((snapshot.pageNumber, snapshot.totalPages, snapshot.totalItems) == (2, 5, 90))
  }

  @Test func missingOptionalMembersAreNil() async throws {
    let snapshot = try await fetch(
      #"{"photos": [{"id": 1, "name": "", "created_at": "2017-11-06T14:48:50Z", "image_url": "/a.jpg"}]}"#)
    let photo = try #require(snapshot.photos.first)
    #expect(photo.isForSale == nil)
    #expect(photo.camera == nil)
    #expect(photo.description == nil)
    #expect(photo.image == .file("/a.jpg"))
  }

  @Test(arguments: [
    ("2017-11-06T14:48:50Z", 0), ("2017-11-06T20:18:50+05:30", 19_800), ("2017-11-06T09:48:50-0500", -18_000),
    ("2017-11-06T14:48:50.000+00:00", 0),
  ])
  func timestampsCanHaveAnyOffset(text: String, offset: Int) async throws {
    let snapshot = try await fetch(#"{"photos": [{"id": 1, "name": "", "created_at": "\#(text)", "image_url": ""}]}"#)
    #expect(snapshot.photos.first?.createdAt == Date(timeIntervalSince1970: 1_509_979_730))
    #expect(snapshot.photos.first?.createdOffset == offset)
    #expect(snapshot.photos.first?.clock == 1_509_979_730 + Double(offset))
  }

  @Test(arguments: [
    ("{\"photos\": [\n  {\"id\": 1,, }]}", "line 2, column 12 (photo 1): expected a key in quotes, got “,”"),
    ("", "line 1, column 1: expected a value, but the text ends"),
    ("{\"photos\": [", "line 1, column 13: expected a value, but the text ends"),
    ("{}", "line 1, column 1: photos is missing"), ("{\"photos\": 1}", "line 1, column 12: photos is not a list"),
    ("\"photos\"", "line 1, column 1: the catalog is neither an object nor a list"),
    ("{\"photos\": [{}]}", "line 1, column 13 (photo 1): id is missing"),
    ("{\"photos\": [\n1]}", "line 2, column 1 (photo 1): the photo is not an object"),
    ("{\"photos\": [{\"id\": \"1\"}]}", "line 1, column 20 (photo 1): id is not an integer"),
    ("{\"photos\": [{\"id\": 1, \"name\": null}]}", "line 1, column 31 (photo 1): name is null"),
    (
      "{\"photos\": [{\"id\": 1, \"name\": \"\",\n \"created_at\": \"now\"}]}",
      "line 2, column 16 (photo 1): created_at must be an ISO 8601 date with a time zone, got “now”"
    ),
    (
      #"{"photos": [{"id": 1, "name": "", "created_at": "2017-11-06T14:48:50Z", "image_url": "", "for_sale": 1}]}"#,
      "line 1, column 102 (photo 1): for_sale is not true or false"
    ),
    ("{\"photos\": [{\"id\": 1.5}]}", "line 1, column 20 (photo 1): id is not an integer, or too large"),
    ("{\"photos\": [{\"id\": 1e30}]}", "line 1, column 20 (photo 1): id is not an integer, or too large"),
    (
      "{\"photos\": [{\"id\": 99999999999999999999}]}",
      "line 1, column 20 (photo 1): id is not an integer, or too large"
    ),
    (#"{"photos": [{"id": 1, "name": "\uD800"}]}"#, "line 1, column 32 (photo 1): half of a surrogate pair"),
    ("\u{FEFF}{\"photos\": 1}", "line 1, column 15: photos is not a list"),
  ])
  func aFaultIncludesItsPlace(json: String, fault: String) async throws {
    let error = await #expect(throws: APIError.self) { try await fetch(json) }
    #expect(error?.message == "c.json cannot be read: \(fault).")
  }

  @Test func pipesAndFoldersAreNotOpened() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = folder.appending(path: "pipe.json").path
    mkfifo(pipe, 0o600)
    for (path, fault) in [
      (pipe, .notAFile), (folder.path, .folder),
    ] as [(String, ContentFault)] {
      let name = String(path.split(separator: "/").last ?? "")
      await #expect(throws: APIError.unreadableContent(source: name, fault)) {
        try await CatalogFile(path: FilePath(path)).fetchComplete()
      }
    }
  }

  @Test func theErrorNamesAMissingFile() async throws {
    let path = folder.path + "/none.json"
    await #expect(throws: APIError.notFound(path: path)) {
      try await CatalogFile(path: FilePath(path)).fetchComplete()
    }
  }

  @Test func utf16IsReported() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "c.json")
    try #require("{}".data(using: .utf16)).write(to: path)
    let error = await #expect(throws: APIError.self) {
      try await CatalogFile(path: FilePath(path.path)).fetchComplete()
    }
    #expect(
      error?.message
        == "c.json cannot be read: line 1, column 1: the catalog is written in UTF-16; save it as UTF-8.")
  }

  @Test func emptyTextsAreNil() async throws {
    let snapshot = try await fetch(
      """
      {"photos": [{"id": 1, "name": "", "description": "", "created_at": "2017-11-06T14:48:50Z", "image_url": "",
       "camera": "", "license": "", "user": {"fullname": ""}}]}
      """)
    let photo = try #require(snapshot.photos.first)
    #expect([photo.description, photo.camera, photo.license, photo.author] == [nil, nil, nil, nil])
  }

  @Test func theAnswerWaitsForTheDelay() async throws {
    let clock = HeldClock()
    let service = DelayedSource(
      CatalogFile(path: FilePath(Resources.path("content.json"))), delay: .seconds(1), clock: clock)
    let answer = Task { try await service.fetchComplete().photos.count }
    #expect(await clock.nextSleep() == .seconds(1))
    clock.wake()
    #expect(try await answer.value == 36)
  }
}

/// A clock on which tasks sleep until the test wakes them.
final class HeldClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private let slept = AsyncStream<Duration>.makeStream()
  private let woken = AsyncStream<Void>.makeStream()
  let now = ContinuousClock.now
  let minimumResolution = Duration.zero

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    slept.continuation.yield(deadline - now)
    for await _ in woken.stream { return }
  }

  func nextSleep() async -> Duration? {
    for await duration in slept.stream { return duration }
    return nil
  }

  func wake() { woken.continuation.yield() }
}
