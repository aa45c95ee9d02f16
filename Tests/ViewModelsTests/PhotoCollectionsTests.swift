import Finding
import Foundation
import Gallery
import Services
import Synchronization
import TestLimit
import Testing

@testable import Photos
@testable import ViewModels

/// Photos that are added to collections, moved in them and taken out.
@MainActor @Suite(.limited) struct PhotoCollectionsTests {
  private let fixture = PhotoListFixture()
  private let service = HeldLists()

  private func photos(_ names: String...) -> [Photo] {
    names.enumerated().map { id, name in
      Photo(
        id: id, name: name, createdAt: Date(timeIntervalSince1970: 0), imageURL: name,
        image: .file(FilePath("/\(name)")), metadata: PhotoMetadata())
    }
  }

  private func load(_ photos: [Photo], _ groups: [[TableIndex]] = []) async throws {
    try await fixture.load(
      .all(photos).with {
        $0.capabilities = .folder
        $0.groups = PhotoGroups(groups, photoCount: photos.count)
      })
  }

  private func collections() async -> PhotoCollections {
    let collections = PhotoCollections(service: service)
    collections.load()
    await collections.settle()
    return collections
  }

  /// The change of the last step that was requested.
  private func edit(_ number: Int = 0) async throws -> CollectionChange {
    try await fixture.decisions.steps.waitUntilAsked(number + 1)
    guard case .collection(let change) = fixture.decisions.changes.withLock(\.self)[number] else {
      throw CancellationError()
    }
    return change
  }

  @Test func photosAreAddedWithAllTheirFiles() async throws {
    service.lists = ["Best": ["/x", "/b"]]
    let photos = photos("a.raw", "a.jpg", "b")
    try await load(photos, [[1, 0]])
    fixture.choosing.collect([photos[1], photos[2]], in: "best", of: await collections())
    let change = try await edit()
    #expect(change.edit.collection == "Best")
    #expect(change.edit.applied(to: ["/x", "/b"]) == ["/x", "/b", "/a.jpg", "/a.raw"])
    #expect(change.inverse.applied(to: ["/x", "/b", "/a.jpg", "/a.raw"]) == ["/x", "/b"])
  }

  /// The step of the open folder brings the collection back, with its files in their order.
  @Test func aDeletedCollectionCanBeBroughtBack() async throws {
    service.lists = ["Best": ["/x", "/b", "/y"]]
    try await load(photos("a"))
    #expect(fixture.choosing.canUndoDeletion)
    fixture.choosing.delete("Best", of: await collections())
    let change = try await edit()
    #expect(change.edit.applied(to: ["/x", "/b", "/y"]) == [] && change.edit.isDeletedIfEmpty)
    #expect(change.inverse.applied(to: []) == ["/x", "/b", "/y"] && !change.inverse.isDeletedIfEmpty)
    #expect(fixture.history.entries.last == "note Delete the collection Best")
  }

  @Test func withoutAFolderACollectionIsDeletedForGood() async throws {
    service.lists = ["Best": ["/x"]]
    let collections = await collections()
    #expect(!fixture.choosing.canUndoDeletion)
    fixture.choosing.delete("Best", of: collections)
    await collections.settle()
    #expect(collections.all.isEmpty && fixture.history.entries.last == "note Deleted: Best")
  }

  @Test func photosThatAreInTheCollectionAreNotAddedAgain() async throws {
    service.lists = ["Best": ["/a"]]
    let photos = photos("a")
    try await load(photos)
    fixture.choosing.collect(photos, in: "Best", of: await collections())
    await fixture.choosing.collecting?.value
    #expect(fixture.history.entries.last == "note In Best already: 1 photo")
  }

  @Test(arguments: [
    ([1], -1, "bacd"), ([0, 2], -1, "acbd"), ([0, 1], -1, "abcd"), ([1, 2], -1, "bcad"), ([2], 1, "abdc"),
    ([1, 3], 1, "acbd"), ([0, 1], 1, "cabd"), ([3], 1, "abcd"),
  ])
  func photosMoveByAPlace(chosen: [Int], step: Int, expected: String) async throws {
    let photos = photos("a", "b", "c", "d")
    try await load(photos)
    fixture.choosing.move(chosen.map { photos[$0] }, by: step, in: "Best")
    let files: [FilePath] = ["/a", "/b", "/c", "/d"]
    if expected == "abcd" {
      #expect(fixture.history.entries.last?.hasPrefix("note This is the") == true)
      return
    }
    let change = try await edit()
    let new = change.edit.applied(to: files)
    #expect(new.map { $0.printable.dropFirst() }.joined() == expected)
    #expect(change.inverse.applied(to: new) == files)
  }

  /// A shot moves with all its files, over all files of the next one.
  @Test func aShotMovesWithItsFiles() async throws {
    let photos = photos("a.raw", "a.jpg", "b.raw", "b.jpg")
    try await load(photos, [[1, 0], [3, 2]])
    fixture.choosing.move([photos[3]], by: -1, in: "Best")
    let new = try await edit().edit.applied(to: ["/a.raw", "/a.jpg", "/b.raw", "/b.jpg"])
    #expect(new == ["/b.jpg", "/b.raw", "/a.raw", "/a.jpg"])
  }

  @Test func photosAreTakenOutAndLoseTheirMarks() async throws {
    let photos = photos("a", "b")
    try await load(photos)
    fixture.choosing.marks.toggle(0)
    fixture.choosing.takeOut(fixture.choosing.markedPhotos, of: "Best")
    let change = try await edit()
    #expect(change.edit.applied(to: ["/a", "/b"]) == ["/b"] && fixture.choosing.marks.count == 0)
    #expect(change.inverse.applied(to: ["/b"]) == ["/a", "/b"])
  }

  @Test func collectionsAreRenamedAndDeleted() async throws {
    service.lists = ["b": [], "A": ["/x"]]
    let collections = await collections()
    #expect(collections.all == [PhotoCollection(name: "A", count: 1), PhotoCollection(name: "b", count: 0)])
    var answers: [Bool] = []
    collections.rename("A", to: "b") { answers.append($0) }
    collections.rename("A", to: "C") { answers.append($0) }
    collections.delete("b") {}
    await collections.settle()
    #expect(answers == [false, true] && collections.all.map(\.name) == ["C"])
    service.fault = .cancelled
    var alerts: [String] = []
    collections.onAlert = { alerts.append($0.title) }
    collections.delete("C") {}
    await collections.settle()
    #expect(alerts == ["Can't change the collection"] && collections.all.map(\.name) == ["C"])
  }

  @Test func aSearchFindsThePhotosOfACollection() async throws {
    service.lists = ["Best of": ["/b", "/z"], "Other": []]
    let collections = await collections()
    fixture.choosing.follow(collections)
    try await load(photos("a", "b", "c"))
    let search = fixture.viewModel.search
    #expect(try await fixture.rows { search.find("in:\"best of\"") } == ["b"])
    #expect(try await fixture.rows { search.find("-is:in:\"Best of\"") } == ["a", "c"])
    // The list that has changed since is found when the search is run again, and new photos at once.
    service.lists["Best of"] = ["/a", "/d"]
    #expect(try await fixture.rows { search.findAgain() } == ["b", "c"])
    #expect(try await fixture.rows { fixture.service.give(.all(photos("a", "b", "c", "d"))) } == ["b", "c"])
    #expect(try await fixture.rows { search.find("in:gone") } == [])
    search.find("in:be")
    await search.collecting?.value
    await search.running?.value
    // Nothing is found, so the advice has the names.
    await search.advising?.value
    #expect(search.completions.map(\.query) == ["in:\"Best of\""])
  }
}

/// Collections in memory, which answer at once.
private final class HeldLists: CollectionServiceProtocol {
  private let state = Mutex((lists: [String: [FilePath]](), fault: APIError?.none))

  var lists: [String: [FilePath]] {
    get { state.withLock(\.lists) }
    set { state.withLock { $0.lists = newValue } }
  }

  var fault: APIError? {
    get { state.withLock(\.fault) }
    set { state.withLock { $0.fault = newValue } }
  }

  func collections() async throws(APIError) -> [PhotoCollection] {
    lists.map { PhotoCollection(name: $0, count: $1.count) }
  }

  func files(of collection: String) async throws(APIError) -> [FilePath]? {
    lists.first { $0.key.lowercased() == collection.lowercased() }?.value
  }

  func make(_: CollectionEdit) async throws(APIError) {}

  func rename(_ collection: String, to name: String) async throws(APIError) -> Bool {
    if lists[name] != nil { return false }
    lists[name] = lists.removeValue(forKey: collection)
    return true
  }

  func delete(_ collection: String) async throws(APIError) {
    if let fault { throw fault }
    lists[collection] = nil
  }

  func follow(_: [MovedFile]) async throws(APIError) {}
  func changes() -> AsyncStream<Void> { AsyncStream(unfolding: { nil }) }
}
