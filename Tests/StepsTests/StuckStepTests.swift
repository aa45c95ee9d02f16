import Foundation
import GRDB
import Gallery
import Services
import Store
import Synchronization
import TestLimit
import Testing

@testable import Steps

/// Steps of which a part can't be made, or not yet, and what the user does meanwhile.
@Suite(.limited) final class StuckStepTests: FileFixture {
  private var near: FilePath { photos.appending("near".utf8) }
  private var aside: FilePath { folder.appending("aside".utf8) }

  /// Puts a link to another folder in the place of one.
  private func takeAway(_ place: FilePath) throws {
    try FileManager.default.createDirectory(
      atPath: folder.appending("other".utf8).printable, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: place.printable, toPath: aside.printable)
    try FileManager.default.createSymbolicLink(
      atPath: place.printable, withDestinationPath: folder.appending("other".utf8).printable)
  }

  private func putBack(_ place: FilePath) throws {
    try FileManager.default.removeItem(atPath: place.printable)
    try FileManager.default.moveItem(atPath: aside.printable, toPath: place.printable)
  }

  /// The last part of a circle of names would find a file at the name that it leads to, though not the one that it is about.
  @Test func photosKeepTheirNamesIfTheFirstOfACircleCantBeRenamedAgain() async throws {
    let shots = try ["a", "b", "c"].map { [try add("\($0).jpg")] }
    try add("a.jpg.xmp", Self.sidecar)
    let before = try contents(of: photos)
    let forecast = await makeService().forecast(zip(shots, ["b", "c", "a"]).map { FileRename($0, to: $1) })
    let service = makeService()
    #expect(await service.write(await service.keep([StepRequest(forecast.renames)])[0]).failures == [])
    let after = try contents(of: photos)
    #expect(await makeService().undo()?.failures == [])
    // Another program takes a name of the sidecar of the photo that makes room.
    try add(".tintype-0-0.jpg.xmp", "another")
    let redone = try #require(await makeService().redo())
    #expect(redone.parts.map(\.outcome.isGivenUp) == [true, true, true, true])
    #expect(try contents(of: photos).filter { $0.key.first != "." } == before)
    // There is nothing to take back.
    #expect(await makeService().undo() == nil)
    try FileManager.default.removeItem(atPath: "\(photos.printable)/.tintype-0-0.jpg.xmp")
    #expect(await makeService().redo()?.failures == [])
    #expect(try contents(of: photos) == after)
    #expect(await makeService().undo()?.failures == [])
    #expect(try contents(of: photos) == before)
  }

  /// It would be taken away from its rating, which could not be undone then.
  @Test func aPhotoThatIsRatedStaysThoughItWaitsToBeBroughtBack() async throws {
    let other = try add("deep/c.jpg")
    let deep = photos.appending("deep".utf8)
    let photo = try add("deep/a.jpg")
    let before = try contents(of: photos)
    #expect(await makeService().make(.rating(1), for: [other]).failures == [])
    #expect(await place([[photo]], .move(to: near)).succeeded.count == 1)
    try takeAway(deep)
    for _ in 0..<2 { #expect(await makeService().undo()?.isWaiting == true) }
    let moved = Photo(
      id: 1, name: "a.jpg", createdAt: .now, imageURL: "a.jpg", image: .file(near.appending("a.jpg".utf8)),
      metadata: PhotoMetadata())
    #expect(await makeService().make(.rating(5), for: [moved]).failures == [])
    try putBack(deep)
    _ = await makeService().resume()
    #expect(try names(in: near) == ["a.jpg", "a.jpg.xmp"])
    // What has nothing to do with it is undone.
    #expect(try names(in: deep) == ["c.jpg"])
    #expect(await makeService().undo()?.title == "5 stars on a.jpg")
    #expect(await makeService().undo()?.title == "Move a.jpg to near")
    #expect(try contents(of: photos) == before)
    #expect(await makeService().undo() == nil)
  }

  /// The disk with a copy may never return.
  @Test func aPhotoIsRatedThoughItsCopyWaitsToBeRemoved() async throws {
    let photo = try add("a.jpg")
    let stick = folder.appending("stick".utf8)
    #expect(await place([[photo]], .copy(to: stick)).succeeded.count == 1)
    try takeAway(stick)
    #expect(await makeService().undo()?.isWaiting == true)
    let service = makeService()
    let step = await service.make(.rating(5), for: [photo])
    #expect(step.parts.map(\.outcome) == [.done])
    #expect(try names(in: photos) == ["a.jpg", "a.jpg.xmp"])
    #expect(await service.undo()?.parts.map(\.outcome) == [.done])
    #expect(try names(in: photos) == ["a.jpg"])
    try putBack(stick)
    _ = await service.make(.rating(4), for: [photo])
    #expect(!stick.isThere)
    #expect(try names(in: photos) == ["a.jpg", "a.jpg.xmp"])
  }

  /// It is hidden until it is known to be the copy that the user made.
  @Test(arguments: [false, true]) func aCopyThatIsRemovedWhenTheProgramIsKilledLeavesNothing(isOthers: Bool)
    async throws
  {
    let photo = try add("a.jpg")
    #expect(await place([[photo]], .copy(to: near)).succeeded.count == 1)
    let journal = StepJournal(folder: folder.appending("state".utf8).printable) { _ in }
    _ = try await journal.setUndone(true, try #require(await journal.lastStep(in: photos)).id)
    let copy = near.appending("a.jpg".utf8)
    try FileManager.default.moveItem(atPath: copy.printable, toPath: copy.hidden.printable)
    // Another program may have written the file in that instant.
    if isOthers { try Data("theirs".utf8).write(to: URL(filePath: copy.hidden.printable)) }
    _ = await makeService().resume()
    #expect(try names(in: photos) == (isOthers ? ["a.jpg", "near", "near/a.jpg"] : ["a.jpg"]))
  }

  /// Two photos of one name have different names in the trash, but the sidecar of the second one has the name of the first.
  @Test func aPhotoComesBackFromTheTrashWithoutTheSidecarOfAnother() async throws {
    let first = try add("deep/a.jpg")
    try add("deep/c.jpg")
    let second = try add("a.jpg", "another")
    try add("a.xmp", Self.sidecar)
    let before = try contents(of: photos)
    #expect(await throwAway([[first]]).succeeded.count == 1)
    try takeAway(photos.appending("deep".utf8))
    #expect(await makeService().undo()?.isWaiting == true)
    #expect(await throwAway([[second]]).succeeded.count == 1)
    try putBack(photos.appending("deep".utf8))
    _ = await makeService().resume()
    #expect(try names(in: photos) == ["deep", "deep/a.jpg", "deep/c.jpg"])
    #expect(await makeService().undo()?.failures == [])
    #expect(try contents(of: photos) == before)
  }

  /// After a crash, nobody would know under which name the photo is in the trash.
  @Test func aSecondPlanIsKeptBeforeItIsWritten() async throws {
    let photo = try add("a.jpg")
    try add("a.jpg.xmp", Self.sidecar)
    let before = try contents(of: photos)
    // Another program takes the photo's name in the trash when it has been planned, and the sidecar is next.
    let count = Atomic(0)
    let theirs = trash.appending("files/a.jpg".utf8)
    let service = makeService(now: {
      guard count.add(1, ordering: .relaxed).newValue == 2 else { return }
      try? FileManager.default.createDirectory(atPath: theirs.folder.printable, withIntermediateDirectories: true)
      try? Data("theirs".utf8).write(to: URL(filePath: theirs.printable))
    })
    let step = await service.keep([StepRequest(.files(.trash), forShots: [[photo]])])[0]
    let journal = try DatabaseQueue(path: folder.appending("state/journal.sqlite".utf8).printable)
    try await journal.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER full BEFORE UPDATE OF redo ON part WHEN instr(NEW.redo, CAST('/a.2.jpg' AS BLOB))
          BEGIN SELECT RAISE(ABORT, 'full'); END
          """)
    }
    #expect(await service.write(step).parts.map(\.outcome) == [.waiting(nil)])
    #expect(try contents(of: photos) == before)
    try await journal.write { try $0.execute(sql: "DROP TRIGGER full") }
    let next = makeService()
    #expect(await next.resume()?.succeeded.count == 1)
    #expect(try names(in: theirs.folder) == ["a.2.jpg", "a.jpg", "a.jpg.xmp"])
    #expect(await next.undo()?.failures == [])
    #expect(try contents(of: photos) == before)
  }
}
