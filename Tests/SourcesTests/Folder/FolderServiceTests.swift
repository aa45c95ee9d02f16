import Folder
import Foundation
import Gallery
import Photos
import Services
import Store
import TestLimit
import Testing

@Suite(.timeLimit(.minutes(10)), .limited) final class FolderServiceTests {
  private let base = FilePath(
    FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path)
  private var root: FilePath { base.appending("photos".utf8) }
  private let reader = HeldReader()

  init() throws {
    try FileManager.default.createDirectory(
      atPath: base.appending("photos/sub".utf8).printable, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: base.printable)
  }

  private func path(_ name: String) -> FilePath { root.appending(name.utf8) }

  private func write(_ name: String, _ text: String = "x") throws {
    #expect(FileManager.default.createFile(atPath: path(name).printable, contents: Data(text.utf8)))
  }

  private func makeService(_ scope: FolderScope? = nil, isWatching: Bool = true, parts: PhotoParts? = nil)
    -> FolderService
  {
    // A reading that is canceled at the end of a test may still write to the index when its folder is gone.
    let index = PhotoIndex(folder: base.printable) { [base] in if base.isFolder { Issue.record("\($0.message)") } }
    return FolderService(
      scope: scope ?? FolderScope(folder: root), index: index, readers: 2, isWatching: isWatching, parts: parts,
      read: reader.read)
  }

  /// A consumer that takes the snapshots of a service one by one.
  private final class Taker {
    private var answers: AsyncStream<Result<PhotoSnapshot, APIError>>.Iterator

    init(_ service: FolderService) { answers = service.fetchPhotos().makeAsyncIterator() }

    /// Returns the next snapshot that meets a condition.
    func next(where condition: (PhotoSnapshot) -> Bool = { _ in true }) async throws -> PhotoSnapshot {
      while let answer = await answers.next(isolation: nil) {
        let snapshot = try answer.get()
        if condition(snapshot) { return snapshot }
      }
      throw CancellationError()
    }
  }

  /// Nanoseconds since 1970 fit in an integer until 2262.
  @Test func aPhotoOfTheYear2400IsListed() async throws {
    try write("a.jpg")
    let year2400 = timespec(tv_sec: 13_569_465_600, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, path("a.jpg").printable, [year2400, year2400], 0) == 0)
    #expect(try await makeService().fetchComplete().photos.count == 1)
  }

  @Test func onlyNamedPhotosAreShown() async throws {
    for name in ["b.jpg", "a.jpg", "sub/c.jpg", "sub/d.jpg"] { try write(name) }
    let all = Array(try await makeService().fetchComplete().photos)
    #expect(reader.takeNames() == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    let scope = FolderScope(named: [path("sub/c.jpg"), path("a.jpg"), path("sub/c.jpg")])
    let taker = Taker(makeService(scope))
    let named = try await taker.next { $0.isComplete }
    #expect(named.photos.map(\.imageURL) == ["sub/c.jpg", "a.jpg"])
    // The metadata of the other photos stays in the index.
    #expect(Array(try await makeService().fetchComplete().photos) == all)
    #expect(reader.takeNames() == [])
    try write("b.jpg", "other")
    try write("new.jpg")
    try write("a.jpg", "longer")
    var changed = PhotoSnapshot()
    // The file may have been read before this test takes the first answer.
    repeat { changed = try await taker.next() } while reader.takeNames().isEmpty
    #expect(changed.photos.map(\.imageURL) == ["sub/c.jpg", "a.jpg"])
    // A new sidecar changes the metadata of its photo.
    try write("sub/c.jpg.xmp")
    while !reader.takeNames().contains("c.jpg") { _ = try await taker.next() }
    try FileManager.default.removeItem(atPath: path("sub/c.jpg").printable)
    let one = try await taker.next { $0.photos.count == 1 }
    #expect(one.photos.map(\.imageURL) == ["a.jpg"])
    #expect(one.problems.first.map(\.fault) == [.source(.notFound(path: path("sub/c.jpg").printable))])
    // A photo that returns has the same id.
    try write("sub/c.jpg")
    let back = try await taker.next { $0.photos.count == 2 }
    #expect(Set(back.photos.map(\.id)) == Set(named.photos.map(\.id)) && back.problems.count == 0)
  }

  @Test func aNamedPhotoComesFirstAndThenItsNeighbors() async throws {
    for name in ["a.jpg", "b.jpg", "c.jpg", "sub/d.jpg"] { try write(name) }
    // The entries of files in subfolders stay in the index.
    _ = try await makeService().fetchComplete()
    _ = reader.takeNames()
    for name in ["a.jpg", "b.jpg", "c.jpg"] { try write(name, "longer") }
    reader.hold()
    let service = makeService(FolderScope(photo: path("b.jpg")))
    var answers = service.fetchPhotos().makeAsyncIterator()
    var (counts, last) = ([Int](), PhotoSnapshot())
    while last.photos.count < 3, let answer = await answers.next() {
      last = try answer.get()
      counts.append(last.photos.count)
      let opened = try #require(last.opened)
      #expect(last.photos.first { $0.id == opened }?.imageURL == "b.jpg" && !last.isComplete)
    }
    #expect(counts.contains(3) && counts.allSatisfy { $0 == 1 || $0 == 3 })
    #expect(last.photos.map(\.imageURL) == ["a.jpg", "b.jpg", "c.jpg"] && last.capabilities == .folder)
    reader.release()
    while !last.isComplete, let answer = await answers.next() { last = try answer.get() }
    #expect(last.isComplete)
    // A reload keeps the rows, so it doesn't begin with the photo alone.
    var reload = service.fetchPhotos().makeAsyncIterator()
    #expect(try await reload.next()?.get().photos.count == 3)
    try write("new.jpg")
    try write("sub/e.jpg")
    while last.photos.count < 4, let answer = await answers.next() { last = try answer.get() }
    #expect(last.photos.map(\.imageURL) == ["a.jpg", "b.jpg", "c.jpg", "new.jpg"])
    _ = reader.takeNames()
    #expect(try await makeService().fetchComplete().photos.count == 6)
    #expect(!reader.takeNames().contains("d.jpg"))
  }

  /// A named photo is shown whenever its file is there. Other hidden files are not.
  @Test func aHiddenPhotoThatWasNamedReturns() async throws {
    for name in [".b.jpg", "a.jpg"] { try write(name) }
    let taker = Taker(makeService(FolderScope(photo: path(".b.jpg"))))
    #expect(try await taker.next { $0.isComplete }.photos.map(\.imageURL) == [".b.jpg", "a.jpg"])
    try FileManager.default.removeItem(atPath: path(".b.jpg").printable)
    _ = try await taker.next { $0.photos.count == 1 }
    for name in [".other.jpg", ".b.jpg", "c.jpg"] { try write(name) }
    // The changes are reported in their order.
    let last = try await taker.next { $0.photos.map(\.imageURL).contains("c.jpg") }
    #expect(last.photos.map(\.imageURL) == [".b.jpg", "a.jpg", "c.jpg"])
  }

  @Test func theMetadataOfANamedPhotoAreReadFirst() async throws {
    for number in 100..<200 { try write("\(number).jpg") }
    reader.hold()
    let task = Task { [service = makeService(FolderScope(photo: path("150.jpg")))] in try await service.fetchComplete()
    }
    var names: [String] = []
    while names.count < 32 {
      names += reader.takeNames()
      await Task.yield()
    }
    reader.release()
    #expect(names.contains("150.jpg") && names.contains("151.jpg") && !names.contains("149.jpg"))
    #expect(try await task.value.photos.count == 100)
  }

  @Test func aPhotoInAFolderWhoseNamesCannotBeReadIsShown() async throws {
    // Nothing is forbidden to root.
    guard geteuid() != 0 else { return }
    try write("sub/a.jpg")
    chmod(path("sub").printable, 0o100)
    defer { chmod(path("sub").printable, 0o700) }
    let photos = try await makeService(FolderScope(photo: path("sub/a.jpg"))).fetchComplete()
    #expect(photos.photos.map(\.imageURL) == ["a.jpg"] && photos.problems.count == 1)
  }

  @Test func filesAreRecognizedByTheirContents() async throws {
    for name in ["z.jpg", "README", "notes.txt", "sub/b.jpg"] { try write(name) }
    for name in ["download", "IMG_1.jpg_large", "text.txt", ".hidden", "sub/a.tmp"] { try write(name, "GIF89a") }
    let taker = Taker(makeService())
    let first = try await taker.next { $0.isComplete }
    // They follow the other photos of their folder.
    #expect(
      first.photos.map(\.imageURL) == ["z.jpg", "IMG_1.jpg_large", "download", "sub/b.jpg", "sub/a.tmp"])
    #expect(reader.takeNames().count == 5)
    // Their metadata are in the index.
    #expect(Array(try await makeService().fetchComplete().photos) == Array(first.photos))
    #expect(reader.takeNames() == [])
    try write("new", "GIF89a")
    try write("other", "text")
    let grown = try await taker.next { $0.isComplete && $0.photos.count == 6 }
    #expect(
      grown.photos.map(\.imageURL) == ["z.jpg", "IMG_1.jpg_large", "download", "new", "sub/b.jpg", "sub/a.tmp"])
    // When all folders are read again, each photo keeps its place.
    try FileManager.default.createDirectory(atPath: path("sub/more").printable, withIntermediateDirectories: true)
    try write("sub/more/c.jpg")
    let more = try await taker.next { $0.isComplete && $0.photos.contains { $0.imageURL == "sub/more/c.jpg" } }
    #expect(Set(grown.photos.map(\.id)).isSubset(of: more.photos.map(\.id)))
    unlink(path("download").printable)
    _ = try await taker.next { $0.isComplete && !$0.photos.contains { $0.imageURL == "download" } }
  }

  /// A folder of many files without suffixes is not read as a whole.
  @Test func theSearchForImagesInAFolderEnds() async throws {
    for number in 10_000..<11_200 { try write("file\(number)") }
    try write("z", "GIF89a")
    try write("sub/z", "GIF89a")
    #expect(try await makeService().fetchComplete().photos.map(\.imageURL) == ["sub/z"])
  }

  @Test func namesComeFirstAndMetadataFollows() async throws {
    for name in ["b.jpg", "a.jpg", "sub/c.jpg", "notes.txt"] { try write(name) }
    reader.hold()
    let taker = Taker(makeService())
    let names = try await taker.next { $0.progress != nil }
    #expect(names.photos.map(\.name) == ["a.jpg", "b.jpg", "c.jpg"])
    #expect(names.photos.map(\.imageURL) == ["a.jpg", "b.jpg", "sub/c.jpg"])
    #expect(names.photos.map(\.image) == ["a.jpg", "b.jpg", "sub/c.jpg"].map { .file(path($0)) })
    #expect(names.progress == PhotoSnapshot.Progress(done: 0, total: 3, unit: .photos))
    #expect(!names.isComplete)
    reader.release()
    let all = try await taker.next { $0.isComplete }
    #expect(all.photos.map(\.name) == ["Title of a.jpg", "Title of b.jpg", "Title of c.jpg"])
    #expect(all.photos.map(\.id) == names.photos.map(\.id))
    #expect(all.photos.map(\.createdAt) == Array(repeating: Date(timeIntervalSince1970: 996_400), count: 3))
  }

  @Test func theFilesOfAPhotoAreGroupedAsTheyComeAndGo() async throws {
    for name in ["a.cr2", "a.jpg", "sub/a.jpg", "b.heic", "b.mov", "alone.mov"] { try write(name) }
    func shown(_ snapshot: PhotoSnapshot) -> [String] {
      let photos = snapshot.photos
      return photos.indices.filter { !snapshot.groups.isHidden($0) }.map { photos[$0].imageURL }
    }
    let all = ["a.cr2", "a.jpg", "alone.mov", "b.heic", "b.mov", "sub/a.jpg"]
    // Without rules, each file is a photo.
    let alone = try await makeService().fetchComplete()
    #expect(alone.photos.map(\.imageURL) == all && shown(alone) == all)
    let taker = Taker(makeService(parts: PhotoParts()))
    let first = try await taker.next { $0.isComplete }
    #expect(shown(first) == ["a.jpg", "alone.mov", "b.heic", "sub/a.jpg"])
    #expect(first.photos.map(\.imageURL) == all)
    #expect(first.problems.count == 0)
    try write("sub/a.dng")
    try write("c.mov")
    try write("c.jpg")
    let grown = try await taker.next { $0.isComplete && shown($0).contains("c.jpg") && $0.groups.count == 4 }
    #expect(shown(grown) == ["a.jpg", "alone.mov", "b.heic", "c.jpg", "sub/a.jpg"])
    for name in ["b.heic", "a.jpg"] { unlink(path(name).printable) }
    let shrunk = try await taker.next { !shown($0).contains("a.jpg") && !shown($0).contains("b.heic") }
    #expect(shown(shrunk) == ["a.cr2", "alone.mov", "b.mov", "c.jpg", "sub/a.jpg"])
    _ = rename(path("c.jpg").printable, path("d.jpg").printable)
    let moved = try await taker.next { shown($0).contains("d.jpg") }
    #expect(shown(moved) == ["a.cr2", "alone.mov", "b.mov", "c.mov", "d.jpg", "sub/a.jpg"])
  }

  @Test func theNextFetchReadsOnlyChangedFiles() async throws {
    for name in ["a.jpg", "b.jpg", "c.jpg"] { try write(name) }
    // A watch that ends late would read what is written next.
    _ = try await makeService(isWatching: false).last()
    #expect(reader.takeNames() == ["a.jpg", "b.jpg", "c.jpg"])
    try write("b.jpg", "longer")
    try write("c.xmp", "beside c")
    _ = rename(path("a.jpg").printable, path("sub/a.jpg").printable)
    let snapshot = try await makeService().fetchComplete()
    #expect(snapshot.photos.map(\.name) == ["Title of b.jpg", "Title of c.jpg", "Title of a.jpg"])
    #expect(reader.takeNames() == ["b.jpg", "c.jpg"])
  }

  @Test func changesAreReportedWhileTheFolderIsOpen() async throws {
    for name in ["a.jpg", "b.jpg"] { try write(name) }
    let taker = Taker(makeService())
    let first = try await taker.next { $0.isComplete }
    try write("sub/new.jpg")
    let grown = try await taker.next { $0.isComplete && $0.photos.count == 3 }
    #expect(grown.photos.last?.name == "Title of new.jpg")
    _ = rename(path("b.jpg").printable, path("sub/z.jpg").printable)
    let moved = try await taker.next { $0.isComplete && $0.photos.contains { $0.image == .file(path("sub/z.jpg")) } }
    #expect(moved.photos.first { $0.image == .file(path("sub/z.jpg")) }?.id == first.photos[1].id)
    unlink(path("a.jpg").printable)
    let shrunk = try await taker.next { $0.photos.count == 2 }
    #expect(shrunk.photos.map(\.imageURL) == ["sub/new.jpg", "sub/z.jpg"])
  }

  @Test func aFileThatIsWrittenInItsPlaceIsReadAgain() async throws {
    for name in ["a.jpg", "sub/b.jpg"] { try write(name) }
    let taker = Taker(makeService())
    _ = try await taker.next { $0.isComplete }
    #expect(reader.takeNames() == ["a.jpg", "b.jpg"])
    for name in ["a.jpg", "sub/b.jpg"] {
      let file = try FileHandle(forWritingTo: URL(filePath: path(name).printable))
      try file.seekToEnd()
      try file.write(contentsOf: Data("more".utf8))
      try file.close()
      var names: [String] = []
      _ = try await taker.next { snapshot in
        names += reader.takeNames()
        return snapshot.isComplete && !names.isEmpty
      }
      #expect(names == [String(name.suffix(5))])
    }
  }

  @Test func movedFilesAreNotReadAgain() async throws {
    for name in ["a.jpg", "sub/b.jpg"] { try write(name) }
    let taker = Taker(makeService())
    _ = try await taker.next { $0.isComplete }
    #expect(reader.takeNames() == ["a.jpg", "b.jpg"])
    _ = rename(path("a.jpg").printable, path("sub/new.jpg").printable)
    _ = try await taker.next { $0.isComplete && $0.photos.contains { $0.image == .file(path("sub/new.jpg")) } }
    #expect(reader.takeNames() == [])
    // A photo in a moved folder is recognized by its name, size, and times.
    _ = rename(path("sub").printable, path("other").printable)
    let all = try await taker.next { $0.isComplete && $0.photos.contains { $0.image == .file(path("other/b.jpg")) } }
    #expect(all.photos.map(\.imageURL).sorted() == ["other/b.jpg", "other/new.jpg"])
    #expect(all.photos.map(\.name).sorted() == ["Title of a.jpg", "Title of b.jpg"])
    #expect(reader.takeNames() == [])
  }

  /// A missing folder has no photos. When it returns, only new files are read.
  @Test func aFolderThatIsMovedAwayAndBackIsNoticed() async throws {
    for name in ["a.jpg", "sub/b.jpg"] { try write(name) }
    let taker = Taker(makeService())
    let first = try await taker.next { $0.isComplete }
    #expect(reader.takeNames() == ["a.jpg", "b.jpg"])
    let outside = base.appending("outside".utf8)
    #expect(rename(root.printable, outside.printable) == 0)
    let gone = try await taker.next { $0.photos.isEmpty }
    #expect(gone.problems.first.map(\.fault) == [.source(.notFound(path: root.printable))])
    // Changes in the folder's other place are not reported.
    _ = FileManager.default.createFile(
      atPath: outside.appending("c.jpg".utf8).printable, contents: Data("x".utf8))
    #expect(rename(outside.printable, root.printable) == 0)
    let back = try await taker.next { $0.isComplete && !$0.photos.isEmpty }
    #expect(back.photos.map(\.imageURL) == ["a.jpg", "c.jpg", "sub/b.jpg"])
    #expect(Set(first.photos.map(\.id)).isSubset(of: back.photos.map(\.id)))
    // Whether its event is seen before the folder's return or after it, the file is read, then maybe twice.
    #expect(Set(reader.takeNames()) == ["c.jpg"])
    try write("sub/d.jpg")
    _ = try await taker.next { $0.isComplete && $0.photos.count == 4 }
  }

  @Test func aFolderThatIsDeletedAndMadeAgainIsNoticed() async throws {
    try write("a.jpg")
    let taker = Taker(makeService())
    _ = try await taker.next { $0.isComplete }
    try FileManager.default.removeItem(atPath: base.appending("photos".utf8).printable)
    _ = try await taker.next { $0.photos.isEmpty && $0.problems.count == 1 }
    try FileManager.default.createDirectory(atPath: root.printable, withIntermediateDirectories: true)
    try write("b.jpg")
    let back = try await taker.next { $0.isComplete && !$0.photos.isEmpty }
    #expect(back.photos.map(\.imageURL) == ["b.jpg"] && back.problems.count == 0)
  }

  /// Changes in the folders above count, too.
  @Test func aFolderWhoseParentIsMovedAwayAndBackIsNoticed() async throws {
    try write("sub/a.jpg")
    let taker = Taker(makeService(FolderScope(folder: path("sub"))))
    _ = try await taker.next { $0.isComplete }
    let outside = base.appending("outside".utf8)
    #expect(rename(root.printable, outside.printable) == 0)
    _ = try await taker.next { $0.photos.isEmpty && $0.problems.count == 1 }
    try FileManager.default.createDirectory(atPath: root.printable, withIntermediateDirectories: true)
    #expect(rename(outside.appending("sub".utf8).printable, path("sub").printable) == 0)
    _ = try await taker.next { $0.isComplete && $0.photos.count == 1 }
  }

  /// The fetch starts while the folder does not exist.
  @Test func aFolderThatIsCreatedLaterIsNoticed() async throws {
    let folder = path("sub/later/photos")
    var answers = makeService(FolderScope(folder: folder)).fetchPhotos().makeAsyncIterator()
    let first = try #require(await answers.next())
    #expect(throws: APIError.notFound(path: folder.printable)) { try first.get() }
    try FileManager.default.createDirectory(atPath: path("sub/later").printable, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder.printable, withIntermediateDirectories: true)
    try write("sub/later/photos/a.jpg")
    while let answer = await answers.next() {
      let snapshot = try answer.get()
      if snapshot.isComplete, snapshot.photos.count == 1 { return }
    }
    Issue.record("the folder was never noticed")
  }

  @Test func aPhotoKeepsItsIdWhenTheFolderIsOpenedAgain() async throws {
    for name in ["b.jpg", "c.jpg"] { try write(name) }
    let first = try await makeService().fetchComplete().photos
    try write("a.jpg")
    let again = try await makeService().fetchComplete().photos
    #expect(again.map(\.name) == ["Title of a.jpg", "Title of b.jpg", "Title of c.jpg"])
    #expect(again[1...].map(\.id) == first.map(\.id))
  }

  @Test func photosInAFolderThatIsMovedInAreFound() async throws {
    try write("sub/a.jpg")
    let outside = base.appending("outside".utf8)
    try FileManager.default.moveItem(atPath: path("sub").printable, toPath: outside.printable)
    let taker = Taker(makeService())
    #expect(try await taker.next { $0.isComplete }.photos.isEmpty)
    try FileManager.default.moveItem(atPath: outside.printable, toPath: path("sub").printable)
    let found = try await taker.next { $0.isComplete && !$0.photos.isEmpty }
    #expect(found.photos.map(\.imageURL) == ["sub/a.jpg"])
    try write("sub/b.jpg")
    _ = try await taker.next { $0.isComplete && $0.photos.count == 2 }
  }

  @Test func ignoreRulesApplyToLaterFiles() async throws {
    try write(".tintypeignore", "b*")
    let taker = Taker(makeService())
    #expect(try await taker.next { $0.isComplete }.photos.isEmpty)
    for name in ["b.jpg", ".c.jpg", "c.jpg"] { try write(name) }
    #expect(try await taker.next { $0.isComplete && !$0.photos.isEmpty }.photos.map(\.imageURL) == ["c.jpg"])
    try write(".tintypeignore", "c*")
    #expect(try await taker.next { $0.isComplete && $0.photos.first?.imageURL == "b.jpg" }.photos.count == 1)
  }

  @Test func unreadableFilesAndFoldersAreReported() async throws {
    try write("bad.jpg")
    try write("cut.jpg")
    try write("good.jpg")
    let taker = Taker(makeService())
    let all = try await taker.next { $0.isComplete }
    let told = all.problems.first.map(\.message)
    #expect(told.count == 2 && told[0] == "bad.jpg: \(PhotoFault.notAnImage.message)")
    #expect(told.last?.hasPrefix("cut.jpg: The file is incomplete") == true)
    #expect(all.photos.count == 3)
    let gone = FolderService(
      scope: FolderScope(folder: path("gone")), index: PhotoIndex(folder: base.printable), readers: 1, read: reader.read
    )
    await #expect(throws: APIError.notFound(path: path("gone").printable)) { try await gone.fetchComplete() }
  }

  /// A name that is not UTF-8 can't be shown as it is, but leads to its file.
  @Test func aPhotoOfAnyNameIsFoundAtItsPlace() async throws {
    let odd = root.appending([0x61, 0xFF] + Array(".jpg".utf8))
    close(odd.withCString { open($0, O_CREAT | O_WRONLY, 0o600) })
    try write("b.jpg")
    let photos = try await makeService().fetchComplete().photos
    #expect(photos.map(\.image) == [.file(odd), .file(path("b.jpg"))])
    #expect(photos.map(\.imageURL) == ["a\u{FFFD}.jpg", "b.jpg"])
  }

  /// Only what has changed is packed again, so each part of a large folder must notice its changes.
  @Test func changesAreSeenAnywhereInALargeFolder() async throws {
    for number in 10_000..<15_000 { try write("\(number).jpg") }
    let taker = Taker(makeService())
    let first = try await taker.next { $0.isComplete }
    #expect(first.photos.map(\.name) == (10_000..<15_000).map { "Title of \($0).jpg" })
    unlink(path("10001.jpg").printable)
    _ = try await taker.next { $0.photos.count == 4999 }
    _ = rename(path("14998.jpg").printable, path("sub/moved.jpg").printable)
    let moved = try await taker.next { $0.isComplete && $0.photos[4998].imageURL == "sub/moved.jpg" }
    #expect(moved.photos[4998].id == first.photos[4998].id && moved.photos[1].imageURL == "10002.jpg")
    try write("10002.jpg", "longer")
    try write("new.jpg")
    let last = try await taker.next { $0.isComplete && $0.photos.count == 5000 }
    #expect(last.photos.map(\.imageURL).suffix(3) == ["14999.jpg", "new.jpg", "sub/moved.jpg"])
  }

  @Test func manyPhotosTakeFewSnapshots() async throws {
    // A process that another test starts has the files of this one open for a moment, and whoever closes a file last has written it:
    // that would be a change. The files are links to one that is not in the folder.
    let file = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString).jpg")
    try Data("photo".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    for number in 0..<1000 { #expect(link(file.path, path("\(number).jpg").printable) == 0) }
    let taker = Taker(makeService())
    var taken = 0
    let all = try await taker.next {
      taken += 1
      return $0.isComplete
    }
    #expect(all.photos.count == 1000)
    #expect(Set(all.photos.map(\.id)).count == 1000)
    #expect(taken < 50)
    #expect(reader.takeNames().count == 1000)
  }
}
