import Foundation
import Gallery
import TestLimit
import Testing

@testable import Store

/// The collections, as they are kept.
@Suite(.limited) final class CollectionStoreTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func makeStore() -> StateStore { StateStore(folder: folder) { Issue.record("\($0)") } }

  private func add(_ files: [FilePath], to name: String, _ store: StateStore) async throws {
    var edit = CollectionEdit(name)
    edit.insert(files, at: .last)
    try await store.make(edit)
  }

  @Test func collectionsKeepTheirOrderWithoutRegardToTheCaseOfTheirNames() async throws {
    let store = makeStore()
    let odd = FilePath([0x2F, 0xFF])
    try await add(["/c", "/a", odd], to: "Portfolio", store)
    try await add(["/b"], to: "portfolio", store)
    try await add(["/a"], to: "Best of 2025", store)
    let later = makeStore()
    #expect(
      try await later.collections()
        == [PhotoCollection(name: "Best of 2025", count: 1), PhotoCollection(name: "Portfolio", count: 4)])
    #expect(try await later.files(ofCollection: "PORTFOLIO") == ["/c", "/a", odd, "/b"])
    #expect(try await later.files(ofCollection: "x") == nil)
  }

  @Test func collectionsAreRenamedAndDeleted() async throws {
    let store = makeStore()
    try await add(["/a"], to: "One", store)
    try await add(["/b"], to: "Two", store)
    #expect(try await store.renameCollection("One", to: "two") == false)
    #expect(try await store.renameCollection("gone", to: "Three") == false)
    #expect(try await store.renameCollection("One", to: "ONE"))
    try await store.deleteCollection("two")
    #expect(try await store.collections() == [PhotoCollection(name: "ONE", count: 1)])
    #expect(try await store.files(ofCollection: "Two") == nil)
  }

  /// A collection that was created for photos goes with them, and another one stays.
  @Test func undoingTheFirstAdditionDeletesTheCollection() async throws {
    let store = makeStore()
    var edit = CollectionEdit("New")
    edit.insert(["/a"], at: .last)
    try await store.make(edit)
    try await store.make(edit.inverse(on: ["/b"]))
    #expect(try await store.files(ofCollection: "New") == [])
    try await store.make(edit)
    try await store.make(edit.inverse(on: nil))
    #expect(try await store.files(ofCollection: "New") == nil)
  }

  /// Names that are swapped by way of a third one.
  @Test func filesThatMoveStayInTheirPlaces() async throws {
    let store = makeStore()
    #expect(try await store.follow([MovedFile(from: "/a", to: "/x")]) == false)
    try await add(["/a", "/b", "/c"], to: "One", store)
    try await add(["/b"], to: "Two", store)
    #expect(try await store.follow([MovedFile(from: "/d", to: "/e")]) == false)
    let moves = [("/a", "/t"), ("/b", "/a"), ("/t", "/b")].map { MovedFile(from: FilePath($0.0), to: FilePath($0.1)) }
    #expect(try await store.follow(moves))
    #expect(try await store.files(ofCollection: "One") == ["/b", "/a", "/c"])
    #expect(try await store.files(ofCollection: "Two") == ["/a"])
  }
}
