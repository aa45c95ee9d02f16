import Bundled
import Foundation
import Gallery
import Resources
import Services
import Store
import TestLimit
import Testing

@Suite(.limited) struct BundledServicesTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private let store = StateStore(folder: nil) { _ in }

  /// Runs `body` with the path of a file that contains a text.
  private func withFile<Value>(_ text: String, _ body: (String) async throws -> Value) async throws -> Value {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a.json")
    try Data(text.utf8).write(to: path)
    return try await body(path.path)
  }

  private func wall(_ path: String = Resources.path("wall.json")) -> WallFile {
    WallFile(path: path, clock: ContinuousClock(), store: store)
  }

  private func isThere(_ image: ImageLocation) -> Bool {
    if case .file(let path) = image { FileManager.default.isReadableFile(atPath: path.printable) } else { false }
  }

  @Test func theBundledWallIsComplete() async throws {
    let feed = try await wall().fetchWall()
    let photos = feed.items.compactMap { item in
      if case .photo(let photo, let member) = item.content { (photo: photo, member: member) } else { nil }
    }
    let suggested = feed.items.compactMap { item in
      if case .member(let member) = item.content { member } else { nil }
    }
    #expect(photos.count == 24)
    #expect(Set(photos.map(\.photo.id)).count == 24)
    #expect(Set(photos.map(\.member)).count == 8)
    #expect(Set(suggested).count == 8)
    #expect(Set(feed.items.map(\.id)).count == feed.items.count)
    #expect(photos.allSatisfy { isThere($0.photo.image) && isThere($0.member.avatar) })
    #expect(photos.allSatisfy { $0.photo.author != nil && $0.photo.license != nil })
  }

  @Test func bundledPhotosNameTheirTrueAuthors() async throws {
    let credits = try String(contentsOfFile: Resources.path("CREDITS.tsv"), encoding: .utf8)
    let authors = Dictionary(
      uniqueKeysWithValues: credits.split(separator: "\n").map { line in
        let fields = line.split(separator: "\t")
        return (String(fields[0]), String(fields[2]))
      })
    for item in try await wall().fetchWall().items {
      guard case .photo(let photo, _) = item.content else { continue }
      #expect(photo.author == authors[String(photo.imageURL.split(separator: "/").last ?? "")])
    }
  }

  @Test func followedMembersAreSaved() async throws {
    try await wall().setFollowing(true, member: 3)
    try await wall().setFollowing(true, member: 4)
    try await wall().setFollowing(false, member: 3)
    #expect(try await wall().fetchWall().followed == [4])
  }

  @Test func followingWaitsForTheDelay() async throws {
    let clock = HeldClock()
    let wall = WallFile(path: Resources.path("wall.json"), delay: .seconds(1), clock: clock, store: store)
    let answer = Task { try await wall.setFollowing(true, member: 3) }
    #expect(await clock.nextSleep() == .seconds(1))
    #expect(try await store.followed() == [])
    clock.wake()
    try await answer.value
    #expect(try await store.followed() == [3])
  }

  @Test(arguments: [
    (
      #"{"members": [], "items": [{"id": 1, "created_at": "2024-01-01T00:00:00Z", "member": 1}]}"#,
      "items[0].member is not a member's id"
    ),
    (#"{"members": [], "items": [{"id": 1, "member": 1}]}"#, "items[0].created_at is missing"),
    (#"{"members": []}"#, "items is missing"), ("[", "line 1, column 2: expected a value, but the text ends"),
  ])
  func theErrorNamesTheFaultOfAWall(json: String, fault: String) async throws {
    _ = try await withFile(json) { path in
      let error = await #expect(throws: APIError.self) { try await wall(path).fetchWall() }
      #expect(error?.message == "a.json cannot be read: \(fault).")
    }
  }

  @Test func bundledPrintsAreReturnedPageByPage() async throws {
    let service = PrintsFile(path: Resources.path("prints.json"), clock: ContinuousClock())
    var prints: [Print] = []
    for number in 1...4 {
      let page = try await service.fetchPrints(page: number)
      #expect((page.number, page.totalPages, page.totalItems) == (number, 4, 40))
      #expect(page.items.count == (number < 4 ? 12 : 4))
      prints += page.items
    }
    #expect(try await service.fetchPrints(page: 5).items == [])
    #expect(Set(prints.map(\.id)).count == 40)
    #expect(prints.contains { $0.isSoldOut })
    #expect(prints.contains { !$0.isSoldOut })
    // Prices in a basket can be added only in one currency.
    #expect(Set(prints.map(\.price.currency)) == ["EUR"])
    #expect(prints.allSatisfy { isThere($0.image) })
  }

  @Test(arguments: [
    ("-1", "0", "prints[0].price.minor_units is not from 0 to 1000000000"),
    ("0", "9999999999", "prints[0].left is not from 0 to 1000000000"),
    ("0.5", "0", "prints[0].price.minor_units is not an integer, or too large"),
  ])
  func printsWithNumbersOutOfRangeAreRefused(minorUnits: String, left: String, fault: String) async throws {
    let json = """
      {"prints": [{"id": 1, "title": "A", "image_url": "a.jpg", "size": "", "paper": "", "left": \(left),
       "price": {"minor_units": \(minorUnits), "currency": "EUR"}}]}
      """
    _ = try await withFile(json) { path in
      let error = await #expect(throws: APIError.self) {
        try await PrintsFile(path: path, clock: ContinuousClock()).fetchPrints(page: 1)
      }
      #expect(error?.message == "a.json cannot be read: \(fault).")
    }
  }

  @Test func theBundledMusicIsComplete() async throws {
    let tracks = try await MusicFile(path: Resources.path("music.json"), clock: ContinuousClock()).search("")
    #expect(tracks.count == 40)
    #expect(Set(tracks.map(\.id)).count == 40)
    #expect(tracks.allSatisfy { isThere($0.artwork) })
  }

  @Test(arguments: [
    ("largo", ["Vivaldi: Winter, RV 297 – Largo", "Dvořák: Symphony No. 9 – Largo"]),
    ("  DVORAK   adagio ", ["Dvořák: Symphony No. 9 – Adagio"]),
    ("gates notturno", ["Borodin: String Quartet No. 2 – Notturno"]), ("no such music", []),
  ])
  func musicIsFoundByWordsOfItsNames(term: String, tracks: [String]) async throws {
    let music = MusicFile(path: Resources.path("music.json"), clock: ContinuousClock())
    #expect(try await music.search(term).map(\.trackName) == tracks)
  }

  @Test func musicIsReadInTheFormOfTheSearchAPI() async throws {
    let json = """
      {"resultCount": 3, "results": [
       {"wrapperType": "track", "kind": "song", "trackId": 7, "trackName": "A\\u001b", "collectionName": "B",
        "artistName": "C", "artworkUrl100": "https://h/100x100bb.jpg", "trackPrice": 1.29},
       {"wrapperType": "audiobook", "collectionName": "no track", "artworkUrl100": "x"},
       {"trackName": "alone", "artworkUrl100": "p/x.jpg"}]}
      """
    let (folder, tracks) = try await withFile(json) { path in
      (
        URL(filePath: path).deletingLastPathComponent().path,
        try await MusicFile(path: path, clock: ContinuousClock()).search("")
      )
    }
    #expect(
      tracks == [
        Track(id: 7, trackName: "A�", collectionName: "B", artistName: "C", artwork: .web("https://h/100x100bb.jpg")),
        Track(
          id: -3, trackName: "alone", collectionName: "", artistName: "", artwork: .file("\(folder)/p/x.jpg")),
      ])
  }

  @Test func signingSavesTheEntryAndTheVisitor() async throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    let guestbook = KeptGuestbook(book: GuestbookStore(folder: nil) { _ in }, state: store, now: { date })
    #expect(try await guestbook.visitor() == nil)
    let ada = try await guestbook.sign("Ada")
    let bea = try await guestbook.sign("Bea")
    #expect(ada == GuestbookEntry(id: 1, name: "Ada", date: date))
    #expect(try await guestbook.entries() == [bea, ada])
    #expect(try await guestbook.visitor() == "Bea")
  }
}
