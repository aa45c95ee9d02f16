import Bundled
import Foundation
import Gallery
import Services
import Store
import Synchronization
import TestLimit
import Testing
import Torture

@testable import Steps

/// Collections that are changed by steps, and that follow files which steps move.
@Suite(.limited) final class CollectionStepTests: FileFixture {
  private let collections = HeldCollections()

  private func service() -> StepService { makeService(collections: collections) }

  private func carryOut(_ request: StepRequest) async throws -> Step {
    let service = service()
    return await service.write(try #require(await service.keep([request]).first))
  }

  private func change(_ photos: [Photo], _ body: (inout CollectionEdit) -> Void) -> StepRequest {
    var edit = CollectionEdit("Best")
    body(&edit)
    return StepRequest(CollectionChange(edit, on: collections.lists["Best"]), ofShots: photos.map { [$0] })
  }

  @Test func additionsAreUndoneAndRedone() async throws {
    let photos = try ["a.jpg", "b.jpg"].map { try add($0) }
    let files = photos.compactMap(\.file)
    let step = try await carryOut(change(photos) { $0.insert(files, at: .last) })
    #expect(step.title == "Add 2 photos to Best" && step.faults == [] && collections.lists == ["Best": files])
    #expect(await service().undo()?.faults == [])
    #expect(collections.lists == [:])
    #expect(await service().redo()?.faults == [])
    #expect(collections.lists == ["Best": files])
    _ = try await carryOut(change([photos[0]]) { $0.remove([files[0]]) })
    #expect(collections.lists == ["Best": [files[1]]])
    _ = await service().undo()
    #expect(collections.lists == ["Best": files])
  }

  /// The photos of an unmounted disk can be taken out.
  @Test func aMissingPhotoIsTakenOut() async throws {
    let photo = try add("gone/a.jpg")
    let file = try #require(photo.file)
    _ = try await carryOut(change([photo]) { $0.insert([file], at: .last) })
    try FileManager.default.removeItem(atPath: file.folder.printable)
    let step = try await carryOut(change([photo]) { $0.remove([file]) })
    #expect(step.parts.map(\.outcome) == [.done] && collections.lists == ["Best": []])
  }

  /// Without collections, as on another machine, the change waits.
  @Test func aChangeThatWasInterruptedIsMadeAtTheNextStart() async throws {
    let photo = try add("a.jpg")
    let file = try #require(photo.file)
    let other = makeService()
    let step = await other.write(await other.keep([change([photo]) { $0.insert([file], at: .last) }])[0])
    #expect(step.isWaiting && collections.lists == [:])
    _ = await service().resume()
    #expect(collections.lists == ["Best": [file]])
  }

  @Test func filesThatAreMovedAndRenamedStayInTheCollection() async throws {
    let photo = try add("a.jpg")
    try add("a.jpg.xmp", Self.sidecar)
    let target = folder.appending("x/y".utf8)
    _ = try await carryOut(change([photo]) { $0.insert([photo.file ?? "/"], at: .last) })
    _ = try await carryOut(StepRequest(.files(.move(to: target)), for: [photo]))
    #expect(collections.lists == ["Best": [target.appending("a.jpg".utf8)]])
    _ = await service().undo()
    #expect(collections.lists == ["Best": [photo.file ?? "/"]])
    _ = try await carryOut(StepRequest(.files(.rename(to: "b")), for: [photo]))
    #expect(collections.lists == ["Best": [photos.appending("b.jpg".utf8)]])
    _ = await service().undo()
    _ = await service().redo()
    #expect(collections.lists == ["Best": [photos.appending("b.jpg".utf8)]])
  }

  /// The disk of the collections is full, but not that of the journal.
  @Test(.enabled(if: TestFileSystem.canBeMade, "NOT RUN: only root can make a full disk"))
  func whatAFullDiskPreventsIsMadeWhenThereIsRoom() async throws {
    let disk = try #require(TestFileSystem(size: 256))
    let kept = KeptCollections(store: StateStore(folder: disk.folder) { Issue.record("\($0)") })
    let (photo, other) = (try add("a.jpg"), try add("b.jpg"))
    let files = [photo, other].compactMap(\.file)
    var edit = CollectionEdit("Best")
    edit.insert([files[0]], at: .last)
    try await kept.make(edit)
    disk.fill()
    let service = makeService(collections: kept)
    func write(_ request: StepRequest) async -> Step { await service.write(await service.keep([request])[0]) }
    edit = CollectionEdit("Best")
    edit.insert([files[1]], at: .last)
    let step = await write(StepRequest(CollectionChange(edit, on: [files[0]]), ofShots: [[other]]))
    #expect(step.isWaiting && step.failures.first?.hasSuffix("the disk is full; free some space.") == true)
    #expect(try await kept.files(of: "Best") == [files[0]])
    // A photo is moved, although its collection can't be told.
    let target = photos.appending("x".utf8)
    let move = await write(StepRequest(.files(.move(to: target)), for: [photo]))
    #expect(move.parts.map(\.outcome) == [.done])
    disk.makeRoom()
    _ = await service.resume()
    #expect(try await kept.files(of: "Best") == [target.appending("a.jpg".utf8), files[1]])
    while let step = await service.undo() { #expect(step.faults == []) }
    #expect(try await kept.files(of: "Best") == [files[0]])
  }

  /// What is in the trash may come back, and a copy is another file.
  @Test func filesInTheTrashAndCopiesChangeNothing() async throws {
    let photo = try add("a.jpg")
    _ = try await carryOut(change([photo]) { $0.insert([photo.file ?? "/"], at: .last) })
    let before = collections.lists
    _ = try await carryOut(StepRequest(.files(.copy(to: folder.appending("x".utf8))), for: [photo]))
    _ = try await carryOut(StepRequest(.files(.trash), for: [photo]))
    #expect(collections.lists == before)
    _ = await service().undo()
    #expect(collections.lists == before && photo.file?.isThere == true)
  }

  /// After a crash between a move and its note in the journal, the move is followed by the next start.
  @Test func aMoveThatWasInterruptedIsFollowedLater() async throws {
    let photo = try add("a.jpg")
    _ = try await carryOut(change([photo]) { $0.insert([photo.file ?? "/"], at: .last) })
    let target = folder.appending("x".utf8)
    _ = await service().keep([StepRequest(.files(.move(to: target)), for: [photo])])
    _ = await service().resume()
    #expect(collections.lists == ["Best": [target.appending("a.jpg".utf8)]])
  }
}

/// Collections in memory.
private final class HeldCollections: CollectionServiceProtocol {
  private let kept = Mutex<[String: [FilePath]]>([:])

  var lists: [String: [FilePath]] { kept.withLock(\.self) }

  func collections() async throws(APIError) -> [PhotoCollection] { [] }
  func files(of collection: String) async throws(APIError) -> [FilePath]? { lists[collection] }

  func make(_ edit: CollectionEdit) async throws(APIError) {
    kept.withLock { kept in
      let new = edit.applied(to: kept[edit.collection] ?? [])
      kept[edit.collection] = edit.isDeletedIfEmpty && new.isEmpty ? nil : new
    }
  }

  func rename(_: String, to _: String) async throws(APIError) -> Bool { false }
  func delete(_: String) async throws(APIError) {}

  func follow(_ moves: [MovedFile]) async throws(APIError) {
    kept.withLock { kept in
      for move in moves { kept = kept.mapValues { $0.map { $0 == move.source ? move.target : $0 } } }
    }
  }

  func changes() -> AsyncStream<Void> { AsyncStream(unfolding: { nil }) }
}
