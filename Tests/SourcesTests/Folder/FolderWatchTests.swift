import Foundation
import Gallery
import TestLimit
import Testing

@testable import Folder

@Suite(.limited) final class FolderWatchTests {
  private let root = FilePath(
    FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path)

  init() {
    _ = root.withCString { mkdir($0, 0o700) }
    _ = root.appending("sub".utf8).withCString { mkdir($0, 0o700) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: root.printable)
  }

  private func path(_ name: String) -> FilePath { root.appending(name.utf8) }

  private func write(_ name: String) throws {
    try Data("x".utf8).write(to: URL(filePath: path(name).printable))
  }

  /// Returns all changes up to the batch with the expected one.
  private func changes(of watch: FolderWatch, until last: FolderChange) async -> [FolderChange] {
    var all: [FolderChange] = []
    for await more in watch.changes {
      all += more
      if all.contains(last) { break }
    }
    return all
  }

  @Test(.timeLimit(.minutes(10))) func changesOfFilesAreReported() async throws {
    let watch = try #require(FolderWatch())
    #expect(watch.add(root) && watch.add(path("sub")))
    try write("a.jpg")
    _ = rename(path("a.jpg").printable, path("sub/b.jpg").printable)
    unlink(path("sub/b.jpg").printable)
    let all = await changes(of: watch, until: .removed(path("sub/b.jpg")))
    #expect(all.first == .written(path("a.jpg")))
    #expect(all.contains(.moved(path("a.jpg"), to: path("sub/b.jpg"))))
    #expect(!all.contains(.unclear))
  }

  @Test(.timeLimit(.minutes(10))) func whatIsWrittenIsReportedOnceTheFilesAreWatched() async throws {
    let watch = try #require(FolderWatch())
    try write("a.jpg")
    try write("b.jpg")
    #expect(watch.add(root))
    func append(to name: String) throws {
      let file = try FileHandle(forWritingTo: URL(filePath: path(name).printable))
      try file.write(contentsOf: Data("y".utf8))
      try file.close()
    }
    try append(to: "a.jpg")
    watch.addFiles(of: root)
    try append(to: "b.jpg")
    unlink(path("a.jpg").printable)
    let all = await changes(of: watch, until: .removed(path("a.jpg")))
    #expect(all.first == .written(path("b.jpg")))
    // The same folder is added again when it is read again.
    #expect(watch.add(root))
    try append(to: "b.jpg")
    #expect(await changes(of: watch, until: .written(path("b.jpg"))) == [.written(path("b.jpg"))])
  }

  @Test(.timeLimit(.minutes(10))) func aMoveIntoOrOutOfTheFolderIsNotAMove() async throws {
    let watch = try #require(FolderWatch())
    try write("sub/out.jpg")
    #expect(watch.add(path("sub")))
    _ = rename(path("sub/out.jpg").printable, path("in.jpg").printable)
    _ = rename(path("in.jpg").printable, path("sub/in.jpg").printable)
    let all = await changes(of: watch, until: .written(path("sub/in.jpg")))
    #expect(all == [.removed(path("sub/out.jpg")), .written(path("sub/in.jpg"))])
  }

  @Test(.timeLimit(.minutes(10))) func aNewFolderMakesTheChangesUnclear() async throws {
    let watch = try #require(FolderWatch())
    #expect(watch.add(root))
    _ = path("new").withCString { mkdir($0, 0o700) }
    #expect(await changes(of: watch, until: .unclear) == [.unclear])
  }

  /// The event is the one that the kernel sends when a disk is removed.
  @Test func anUnmountedDiskMakesTheChangesUnclear() {
    var events = WatchEvents(folders: [7: WatchedFolder(path: "/media/card")])
    #expect(events.changes(event(0x2000)) == [.unclear])
  }

  /// Whoever reads the folder may take longer for a change than another program for the next one.
  @Test func changesThatWaitAreKeptOnce() {
    var pending = PendingChanges()
    let written = (0..<100).map { FolderChange.written(path("\($0).jpg")) }
    for _ in 0..<100 { pending.add(written) }
    #expect(pending.take() == written)
    #expect(pending.take().isEmpty)
    let moved = FolderChange.moved(path("0.jpg"), to: path("new.jpg"))
    pending.add([written[0], moved, written[0], written[0]])
    #expect(pending.take() == [written[0], moved, written[0]])
    pending.add([written[0], .unclear, moved, written[1]])
    #expect(pending.take() == [.unclear])
    pending.add((0..<20_000).map { .removed(path("\($0).jpg")) })
    #expect(pending.take() == [.unclear])
  }

  /// The kernel may be read between both events of a move.
  @Test func aMoveWhoseEventsAreReadOneByOneIsAMove() {
    var events = WatchEvents(folders: [7: WatchedFolder(path: "/photos")])
    let departure = event(0x40, cookie: 3, "a.jpg")
    #expect(events.changes(departure).isEmpty)
    #expect(events.isWaiting)
    #expect(events.changes(event(0x80, cookie: 3, "b.jpg")) == [.moved("/photos/a.jpg", to: "/photos/b.jpg")])
    // A file that has gone elsewhere has no arrival.
    #expect(events.changes(event(0x8, "c.jpg") + departure) == [.written("/photos/c.jpg")])
    #expect(events.changes([], waits: false) == [.removed("/photos/a.jpg")])
    #expect(!events.isWaiting)
    #expect(events.changes(departure + event(0x8, "c.jpg")) == [.removed("/photos/a.jpg"), .written("/photos/c.jpg")])
  }

  /// Returns an event as the kernel sends it.
  private func event(_ events: Int32, cookie: Int32 = 0, _ name: String = "") -> ArraySlice<UInt8> {
    let name = Array(name.utf8) + (name.isEmpty ? [] : [0])
    var event: [UInt8] = []
    for number in [7, events, cookie, Int32(name.count)] { withUnsafeBytes(of: number) { event += $0 } }
    return (event + name)[...]
  }

  /// Other changes next to the path or above it are not reported.
  @Test(.timeLimit(.minutes(10))) func foldersAboveReportOnlyChangesOfThePath() async throws {
    let watch = try #require(FolderWatch())
    watch.addFoldersAbove(path("later"))
    try write("other.jpg")
    _ = path("another").withCString { mkdir($0, 0o700) }
    _ = path("later").withCString { mkdir($0, 0o700) }
    // The changes may arrive in one batch or in several, but all are of one kind.
    #expect(await changes(of: watch, until: .unclear) == [.unclear])
    let present = try #require(FolderWatch())
    present.addFoldersAbove(path("sub"))
    try write("third.jpg")
    _ = rename(root.printable, root.printable + ".moved")
    #expect(await changes(of: present, until: .unclear) == [.unclear])
    _ = rename(root.printable + ".moved", root.printable)
  }

  @Test func onlyFoldersAreWatched() throws {
    let watch = try #require(FolderWatch())
    try write("a.jpg")
    #expect(!watch.add(path("a.jpg")))
    #expect(!watch.add(path("gone")))
  }
}
