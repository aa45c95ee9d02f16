import Foundation
import Gallery
import Photos
import Store
import TestLimit
import Testing

@testable import Folder

@Suite(.limited) final class FolderRowsTests {
  private let root = FilePath(
    FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path)

  init() throws {
    try FileManager.default.createDirectory(atPath: root.printable, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: root.printable)
  }

  private func write(_ name: String, _ text: String) {
    let path = root.appending(name.utf8).printable
    #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
  }

  @Test func theFirstRowsFollowTheirFilesWhenTheseAreLookedAtAgain() async {
    let names = ["a.jpg", "b.jpg", "c.jpg"]
    for name in names { write(name, "x") }
    var rows = FolderRows(root: root)
    var scan = rows.startScan(findsTwice: false)
    rows.add(names.map { FolderRows.Found(FoundPhoto(at: root.appending($0.utf8))) }, to: &scan)
    let before = rows.rows
    for name in names { write(name, "longer") }
    rows.lookAgain(atFirst: 2)
    #expect(rows.rows.map(\.stamp?.size) == [6, 6, 1])
    #expect(rows.rows.map(\.id) == before.map(\.id))
  }

  /// Returns the rows of files, of which the first three are found by a scan and the others appear later.
  private func rows(of names: [String]) throws -> FolderRows {
    for name in names {
      let folder = root.appending(name.utf8).folder.printable
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      write(name, "x")
    }
    var rows = FolderRows(root: root)
    var scan = rows.startScan(findsTwice: false)
    rows.add(names.prefix(3).map { FolderRows.Found(FoundPhoto(at: root.appending($0.utf8))) }, to: &scan)
    for name in names.dropFirst(3) { rows.update(root.appending(name.utf8), isShown: true) }
    rows.tidy()
    return rows
  }

  /// A folder comes before those in it, and `b-c` comes after what is in `b`.
  @Test func photosOfNewFoldersComeWhereAWalkFindsThem() throws {
    let names = ["b/1.jpg", "b/d/1.jpg", "c/1.jpg", "1.jpg", "a/1.jpg", "b/c/1.jpg", "b-c/1.jpg", "d/1.jpg"]
    let rows = try rows(of: names)
    let found = rows.rows.map { String($0.found.path.printable.dropFirst(root.printable.count + 1)) }
    #expect(
      found == ["1.jpg", "a/1.jpg", "b/1.jpg", "b/c/1.jpg", "b/d/1.jpg", "b-c/1.jpg", "c/1.jpg", "d/1.jpg"])
    let walked = FolderWalk([root]).flatMap { batch in batch.photos.map(\.path) }
    #expect(rows.rows.map(\.found.path) == walked)
  }

  /// The user has named `b` before `a`.
  @Test func photosOfNewFoldersComeIntoTheFolderThatWasNamed() throws {
    let names = ["b/1.jpg", "b/d/1.jpg", "a/1.jpg", "a/c/1.jpg", "b/c/1.jpg", "b/e/1.jpg"]
    let rows = try rows(of: names)
    let walked = FolderWalk(["b", "a"].map { root.appending($0.utf8) }).flatMap { batch in batch.photos.map(\.path) }
    #expect(rows.rows.map(\.found.path) == walked)
  }

  /// Otherwise, a rating would take the photo's details from the screen until they are read again.
  @Test func theMetadataStaysUntilAFileIsReadAgain() async {
    for name in ["a.jpg", "a.png", "b.jpg"] { write(name, "x") }
    var rows = FolderRows(root: root)
    var scan = rows.startScan(findsTwice: false)
    rows.add(
      ["a.jpg", "a.png", "b.jpg"].map { FolderRows.Found(FoundPhoto(at: root.appending($0.utf8))) }, to: &scan)
    _ = rows.add(rows.unread.map { ($0.place, .success(MetadataRecord(PhotoMetadata()))) })
    #expect(rows.unread.isEmpty)
    for (sidecar, places) in [("b.jpg.xmp", [2]), ("a.xmp", [0, 1]), ("c.xmp", [])] {
      write(sidecar, "")
      rows.update(root.appending(sidecar.utf8), isShown: true)
      #expect(rows.unread.map(\.place) == places && rows.rows.allSatisfy { $0.result != nil })
      _ = rows.add(rows.unread.map { ($0.place, .success(MetadataRecord(PhotoMetadata()))) })
    }
    #expect(rows.rows.map { $0.found.sidecar?.printableName } == ["a.xmp", "a.xmp", "b.jpg.xmp"])
  }

  /// Its metadata may come from the sidecar of its former name. Sidecars that are written together have the same time.
  @Test func aRenamedPhotoIsReadAgainIfItHasASidecar() async throws {
    for name in ["a.jpg", "b.jpg"] { write(name, "x") }
    for name in ["a.jpg.xmp", "c.jpg.xmp"] {
      write(name, "")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: root.appending(name.utf8).printable)
    }
    var rows = FolderRows(root: root)
    for name in ["a.jpg", "b.jpg"] { rows.update(root.appending(name.utf8), isShown: true) }
    _ = rows.add(rows.unread.map { ($0.place, .success(MetadataRecord(PhotoMetadata()))) })
    for (old, new) in [("a.jpg", "c.jpg"), ("b.jpg", "d.jpg")] {
      let (from, to) = (root.appending(old.utf8), root.appending(new.utf8))
      try FileManager.default.moveItem(atPath: from.printable, toPath: to.printable)
      rows.move(from, to: to, isShown: true)
    }
    #expect(rows.rows.map { $0.result == nil } == [true, false])
  }

  /// A folder that has been moved away still reports the changes in it.
  @Test func aFileThatIsGoneIsNotAdded() {
    var rows = FolderRows(root: root)
    rows.update(root.appending("a.jpg".utf8), isShown: true)
    #expect(rows.rows.isEmpty)
  }

  /// Its old folder was read before the move, and its new one after it.
  @Test func aFileThatMovesWhileFoldersAreReadStaysThePhotoThatItWas() async throws {
    for name in ["a.jpg", "b.jpg"] { write(name, "x") }
    let (a, b, new) = (root.appending("a.jpg".utf8), root.appending("b.jpg".utf8), root.appending("new/b.jpg".utf8))
    var rows = FolderRows(root: root)
    for path in [a, b] { rows.update(path, isShown: true) }
    let before = rows.rows.map(\.id)
    var scan = rows.startScan(findsTwice: false)
    rows.add([a, b].map { FolderRows.Found(FoundPhoto(at: $0)) }, to: &scan)
    try FileManager.default.createDirectory(atPath: new.folder.printable, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: b.printable, toPath: new.printable)
    rows.add([FolderRows.Found(FoundPhoto(at: new))], to: &scan)
    #expect(rows.finish(scan, index: PhotoIndex.Entries()) == [b])
    #expect(rows.rows.map(\.found.path) == [a, new] && rows.rows.map(\.id) == before)
  }

  /// Files are read while they are moved, and were not found then. One has come back when the folder is read again.
  @Test(arguments: ["event", "scan", "return"]) func aFileThatWasMovedBeforeItWasReadIsReadAgain(way: String) throws {
    write("a.jpg", "x")
    let (old, new) = (root.appending("a.jpg".utf8), root.appending("new/a.jpg".utf8))
    var rows = FolderRows(root: root)
    rows.update(old, isShown: true)
    try FileManager.default.createDirectory(atPath: new.folder.printable, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: old.printable, toPath: new.printable)
    _ = rows.add([(0, .failure(.missing))])
    if way == "event" {
      rows.move(old, to: new, isShown: true)
    } else {
      if way == "return" { try FileManager.default.moveItem(atPath: new.printable, toPath: old.printable) }
      var scan = rows.startScan(findsTwice: false)
      rows.add([FolderRows.Found(FoundPhoto(at: way == "return" ? old : new))], to: &scan)
      _ = rows.finish(scan, index: PhotoIndex.Entries())
    }
    #expect(rows.unread.map(\.photo.path) == [way == "return" ? old : new])
  }

  @Test func aRenamedFileIsAPhotoOfItsOwn() async throws {
    for name in ["a.cr2", "a.jpg"] { write(name, "x") }
    var rows = FolderRows(root: root, parts: PhotoParts())
    for name in ["a.cr2", "a.jpg"] { rows.update(root.appending(name.utf8), isShown: true) }
    let before = await rows.snapshot()
    #expect(before.groups.hiddenCount == 1)
    let (old, new) = (root.appending("a.cr2".utf8), root.appending("b.cr2".utf8))
    try FileManager.default.moveItem(atPath: old.printable, toPath: new.printable)
    rows.move(old, to: new, isShown: true)
    let after = await rows.snapshot()
    #expect(after.groups.isEmpty && after.photos.count == 2)
  }
}
