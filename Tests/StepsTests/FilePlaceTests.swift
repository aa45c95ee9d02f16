import Foundation
import Gallery
import Services
import Store
import TestLimit
import Testing

@testable import Steps

/// Moves to other folders and names, copies, and the way back.
@Suite(.limited) final class FilePlaceTests: FileFixture {
  @Test(arguments: [false, true]) func photosAreMovedWithAllTheirFilesAndComeBack(isFar: Bool) async throws {
    let target = other(isFar: isFar)
    defer { try? FileManager.default.removeItem(atPath: target.folder.folder.printable) }
    let pair = [try add("a.raf"), try add("a.jpg")]
    for name in ["a.jpg.xmp", "a.xmp", "b.jpg"] { try add(name) }
    let before = try contents(of: photos)
    let step = await place([pair], .move(to: target))
    #expect(step.title == "Move a.raf to y" && step.parts.map(\.outcome) == [.done], "\(step.failures)")
    #expect(try names(in: photos) == ["b.jpg"])
    // Times and permissions are those of the files.
    #expect(try contents(of: target) == before.filter { $0.key != "b.jpg" })
    #expect(await makeService().undo()?.parts.map(\.outcome) == [.done])
    #expect(try contents(of: photos) == before)
    // The folders that were created are gone.
    #expect(!target.folder.isThere)
    #expect(await makeService().redo()?.parts.map(\.outcome) == [.done])
    #expect(try contents(of: target) == before.filter { $0.key != "b.jpg" })
    #expect(await makeService().undo()?.failures == [])
  }

  @Test(arguments: [false, true]) func photosAreCopiedAndTheCopiesRemoved(isFar: Bool) async throws {
    let target = other(isFar: isFar)
    defer { try? FileManager.default.removeItem(atPath: target.folder.folder.printable) }
    let photo = try add("a.jpg")
    try add("a.jpg.xmp")
    let before = try contents(of: photos)
    #expect(await place([[photo]], .copy(to: target)).parts.map(\.outcome) == [.done])
    #expect(try contents(of: photos) == before)
    #expect(try contents(of: target) == before)
    #expect(await makeService().undo()?.parts.map(\.outcome) == [.done])
    #expect(!target.folder.isThere)
    #expect(await makeService().redo()?.parts.map(\.outcome) == [.done])
    // A copy that was changed is somebody's work.
    try Data("changed".utf8).write(to: URL(filePath: "\(target.printable)/a.jpg"))
    #expect(
      await makeService().undo()?.failures.first?.hasSuffix("/a.jpg was changed since, or its original was. It stays.")
        == true)
    #expect(try contents(of: target)["a.jpg"]?.hasSuffix("changed") == true)
    #expect(try contents(of: photos) == before)
  }

  @Test func nothingIsReplacedInTheOtherFolder() async throws {
    let target = photos.appending("x".utf8)
    let pair = [try add("a.raf"), try add("a.jpg")]
    try add("a.jpg.xmp")
    try add("x/a.jpg", "another")
    let before = try contents(of: photos)
    #expect(await place([pair], .move(to: target, isSkipping: true)).parts.map(\.outcome) == [.needless])
    #expect(try contents(of: photos) == before)
    #expect(await place([pair], .move(to: target)).parts.map(\.outcome) == [.done])
    // The files stay together.
    #expect(try names(in: photos) == ["x", "x/a-2.jpg", "x/a-2.jpg.xmp", "x/a-2.raf", "x/a.jpg"])
    #expect(try contents(of: photos)["x/a.jpg"]?.hasSuffix("another") == true)
    _ = await makeService().undo()
    #expect(try contents(of: photos) == before)
  }

  @Test func aPhotoThatIsThereAlreadyIsLeftAlone() async throws {
    let photo = try add("a.jpg", "same")
    try add("x/a.jpg", "same")
    let before = try contents(of: photos)
    for change in [FileChange.move(to: photos.appending("x".utf8)), .copy(to: photos.appending("x".utf8))] {
      #expect(await place([[photo]], change).parts.map(\.outcome) == [.needless])
    }
    #expect(try contents(of: photos) == before)
    #expect(await makeService().undo() == nil)
  }

  /// What was decided in the other folder comes back with the photo.
  @Test func aSidecarThatWasWrittenLaterComesBackToo() async throws {
    let target = photos.appending("x".utf8)
    let photo = try add("a.jpg", "one")
    try add("x/a.jpg", "another")
    _ = await place([[photo]], .move(to: target))
    for name in ["a-2.jpg.xmp", "a-2.xmp"] { try add("x/\(name)") }
    #expect(await makeService().undo()?.failures == [])
    #expect(try names(in: photos) == ["a.jpg", "a.jpg.xmp", "a.xmp", "x", "x/a.jpg"])
  }

  @Test func aPhotoIsRenamedWithAllItsFiles() async throws {
    let pair = [try add("a.raf"), try add("a.jpg")]
    for name in ["a.jpg.xmp", "a.xmp", "taken.jpg"] { try add(name) }
    let before = try contents(of: photos)
    let step = await place([pair], .rename(to: "Bergen 1"))
    #expect(step.title == "Rename a.raf to Bergen 1" && step.failures == [])
    #expect(
      try names(in: photos) == ["Bergen 1.jpg", "Bergen 1.jpg.xmp", "Bergen 1.raf", "Bergen 1.xmp", "taken.jpg"])
    #expect(await makeService().undo()?.parts.map(\.outcome) == [.done])
    #expect(try contents(of: photos) == before)
    #expect(await place([pair], .rename(to: "a")).parts.map(\.outcome) == [.needless])
    for (name, message) in [
      ("taken", "There is another file called taken.jpg. Choose another name."),
      ("x/y", "A name has no slash, and begins with no dot."), (".a", "A name has no slash, and begins with no dot."),
      (String(repeating: "n", count: 252), "The name is too long."),
    ] {
      #expect(await place([pair], .rename(to: name)).failures == [message])
    }
    #expect(try contents(of: photos) == before)
    #expect(await makeService().undo() == nil)
  }

  /// Photos of one step that want the same name get one after the other, though they are the same.
  @Test(arguments: [false, true]) func equalNamesInOneStepAreNumbered(isFar: Bool) async throws {
    let target = other(isFar: isFar)
    defer { try? FileManager.default.removeItem(atPath: target.folder.folder.printable) }
    let shots = try [("x", "same"), ("y", "same"), ("z", "other")].map { [try add("\($0)/a.jpg", $1)] }
    let before = try contents(of: photos)
    let step = await place(shots, .move(to: target))
    #expect(step.parts.map(\.outcome) == [.done, .needless, .done])
    #expect(try names(in: target) == ["a-2.jpg", "a.jpg"] && names(in: photos) == ["x", "y", "y/a.jpg", "z"])
    _ = await makeService().undo()
    #expect(try contents(of: photos) == before)
  }

  @Test func whatCannotBeAFolderIsReported() async throws {
    let photo = try add("a.jpg")
    try add("x")
    let step = await place([[photo]], .move(to: photos.appending("x".utf8)))
    #expect(step.failures == ["\(photos.printable)/x is a file. Choose another name."])
    #expect(await place([[photo]], .move(to: photos)).failures == ["a.jpg is in that folder already."])
    #expect(await makeService().undo() == nil)
  }

  /// A crash after a copy to another file system, before the original is taken away.
  @Test func aMoveToAnotherDiskThatWasInterruptedIsEnded() async throws {
    let target = other(isFar: true)
    try FileManager.default.createDirectory(atPath: target.printable, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: target.folder.folder.printable) }
    let path = try #require(try add("a.jpg").file)
    let move = FileMove(source: path, target: target.appending("a.jpg".utf8))
    try FileCopy.copy(path, to: move.target, StepWork())
    #expect(move.state == .toBeMade)
    try move.make()
    #expect(!path.isThere && move.state == .made)
    try move.inverse.make()
    #expect(path.isThere && !move.target.isThere)
    // What an interrupted copy has left is no file of the user's.
    try Data("half".utf8).write(to: URL(filePath: "\(target.printable)/.a.jpg.tintype-part"))
    try move.make()
    #expect(try names(in: target) == ["a.jpg"])
  }

  /// A burst's shots may have the same size and time. One of them may have got the name of a copy since, or the original is gone.
  @Test(arguments: [false, true]) func whatMayBeTheLastCopyGoesToTheTrash(isOriginalGone: Bool) async throws {
    let near = photos.appending("near".utf8)
    let photo = try add("a.jpg", "the first")
    #expect(await place([[photo]], .copy(to: near)).succeeded.count == 1)
    if isOriginalGone {
      try FileManager.default.removeItem(atPath: "\(photos.printable)/a.jpg")
    } else {
      try add("near/a.jpg", "the other")
    }
    for _ in 0..<2 {
      #expect(await makeService().undo()?.failures == [])
      let kept = try contents(of: trash)["files/a.jpg"]
      #expect(kept?.hasSuffix(isOriginalGone ? "the first" : "the other") == true && !near.isThere)
      #expect(await makeService().redo()?.failures == [])
      #expect(try contents(of: near)["a.jpg"] == kept)
    }
    // Another file takes the name that the copy had in the trash.
    try Data("taken".utf8).write(to: URL(filePath: "\(trash.printable)/files/a.jpg"))
    #expect(await makeService().undo()?.failures == [])
    #expect(try names(in: trash.appending("files".utf8)) == ["a.2.jpg", "a.jpg"])
  }

  @Test func theLastCopyWaitsOnADiskWithoutATrash() async throws {
    let photo = try add("a.jpg")
    let (far, user) = (other(isFar: true), uid_t.random(in: 100_000...1_000_000))
    // A file has the name of the trash.
    let blocked = Self.volume.appending(".Trash-\(user)".utf8)
    try Data().write(to: URL(filePath: blocked.printable))
    defer {
      for path in [far.folder.folder, blocked] { try? FileManager.default.removeItem(atPath: path.printable) }
    }
    let service = StepService(
      tools: StepTools(trash: Trash(home: trash, user: user)),
      journal: StepJournal(folder: folder.appending("state".utf8).printable) { Issue.record("\($0.message)") },
      root: photos)
    let copying = await service.keep([StepRequest(.files(.copy(to: far)), forShots: [[photo]])])
    #expect(await service.write(copying[0]).failures == [])
    try FileManager.default.removeItem(atPath: "\(photos.printable)/a.jpg")
    let copy = far.appending("a.jpg".utf8)
    let undone = await service.undo(StepWork())
    #expect(undone?.isWaiting == true)
    #expect(
      undone?.faults.map(\.message) == [
        "Undo would move \(copy.printable) to the trash, and its disk has none. Move it to another folder."
      ])
    #expect(copy.isThere)
    // What is asked for is done: nothing is left to undo.
    try FileManager.default.moveItem(atPath: copy.printable, toPath: "\(photos.printable)/kept.jpg")
    _ = await service.resume(StepWork())
    #expect(await service.undo(StepWork()) == nil)
    #expect(try names(in: photos) == ["kept.jpg"])
  }

  @Test func theForecastCountsFilesAndTakenNames() async throws {
    let photo = try add("a.jpg", "12345")
    try add("x/a.jpg", "1")
    let files = [photo].compactMap(\.file)
    let near = await makeService().forecast(.move(to: photos.appending("x".utf8)), of: files)
    #expect(near.size == 5 && near.takenCount == 1 && near.free == nil)
    let copy = await makeService().forecast(.copy(to: photos.appending("new/folder".utf8)), of: files)
    #expect(copy.takenCount == 0 && (copy.free ?? 0) > 0)
  }

  @Test func aFolderThatCannotBeCreatedIsReported() async throws {
    let photo = try add("a.jpg")
    for (change, title) in [(FileChange.move(to: "/proc/tintype/x"), "move"), (.copy(to: "/proc/tintype/x"), "copy")] {
      let step = await place([[photo]], change)
      #expect(step.faults.first?.title == "Can't \(title)")
      #expect(step.failures.first?.hasPrefix("\(photos.printable)/a.jpg was not moved or copied (") == true)
      #expect(step.failures.first?.hasSuffix("). Check the permissions of both folders.") == true)
    }
    #expect(try names(in: photos) == ["a.jpg"])
    #expect(await makeService().undo() == nil)
  }

  @Test func aLinkIsCopiedAsALink() async throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(photos.printable)/link.jpg", withDestinationPath: "gone.jpg")
    let photo = Photo(
      id: 1, name: "", createdAt: .now, imageURL: "", image: .file(photos.appending("link.jpg".utf8)),
      metadata: PhotoMetadata())
    #expect(await place([[photo]], .copy(to: photos.appending("x".utf8))).parts.map(\.outcome) == [.done])
    #expect(try contents(of: photos)["x/link.jpg"]?.hasSuffix("-> gone.jpg") == true)
    #expect(await place([[photo]], .copy(to: photos.appending("x".utf8))).parts.map(\.outcome) == [.needless])
    #expect(await makeService().undo()?.failures == [])
    #expect(try names(in: photos) == ["link.jpg"])
  }
}
