import Foundation
import Gallery
import Services
import Store
import TestLimit
import Testing
import Torture

@testable import Steps

/// Moves to the trash and to other folders, copies, and the way back.
@Suite(.limited) final class FileOperationTests {
  private let folder = FilePath(
    FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path)
  private var photos: FilePath { folder.appending("photos".utf8) }
  private var trash: FilePath { folder.appending("data/Trash".utf8) }

  init() throws { try FileManager.default.createDirectory(atPath: photos.printable, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: folder.printable) }

  private func makeService() -> StepService {
    StepService(
      tools: StepTools(trash: Trash(home: trash), now: { Date(timeIntervalSince1970: 1_000_000) }),
      journal: StepJournal(folder: folder.appending("state".utf8).printable) { Issue.record("\($0.message)") },
      root: photos)
  }

  /// Creates a file with a name, and returns it as a photo.
  @discardableResult
  private func add(_ name: String, _ text: String? = nil) throws -> Photo {
    let path = FilePath("\(photos.printable)/\(name)")
    try FileManager.default.createDirectory(atPath: path.folder.printable, withIntermediateDirectories: true)
    let file = String(decoding: path.bytes, as: UTF8.self)
    try Data((text ?? "the file \(name)").utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 500_000), .posixPermissions: 0o640], ofItemAtPath: file)
    return Photo(
      id: name.hashValue, name: name, createdAt: .now, imageURL: name, image: .file(path), metadata: PhotoMetadata())
  }

  private func throwAway(_ shots: [[Photo]], with service: StepService? = nil) async -> Step {
    let service = service ?? makeService()
    return await service.write(await service.keep([StepRequest(.files(.trash), forShots: shots)])[0])
  }

  /// The files below a folder, with their permissions, times and contents.
  private func contents(of folder: FilePath) throws -> [String: String] {
    var contents: [String: String] = [:]
    for name in FileManager.default.enumerator(atPath: folder.printable)?.compactMap({ $0 as? String }) ?? [] {
      let path = "\(folder.printable)/\(name)"
      let facts = try FileManager.default.attributesOfItem(atPath: path)
      let type = facts[.type] as? FileAttributeType
      let text =
        type == .typeSymbolicLink
        ? "-> " + (try FileManager.default.destinationOfSymbolicLink(atPath: path))
        : type == .typeDirectory ? "" : try String(contentsOfFile: path, encoding: .utf8)
      let time = (facts[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      // The time of a folder changes with its files.
      let when = type == .typeDirectory ? "" : "\(time)"
      contents[name] = "\(type?.rawValue ?? "") \(facts[.posixPermissions] ?? "") \(when) \(text)"
    }
    return contents
  }

  private func names(in folder: FilePath) throws -> [String] { try contents(of: folder).keys.sorted() }

  @Test func aPhotoIsTrashedWithAllItsFilesAndComesBack() async throws {
    let raw = try add("a.raf")
    let jpeg = try add("a.jpg")
    for name in ["a.jpg.xmp", "a.xmp", "b.jpg", "b.xmp", "a.txt"] { try add(name) }
    let before = try contents(of: photos)
    let step = await throwAway([[raw, jpeg]])
    #expect(step.title == "Trash: a.raf" && step.parts.map(\.outcome) == [.done])
    #expect(try names(in: photos) == ["a.txt", "b.jpg", "b.xmp"])
    #expect(
      try names(in: trash)
        == [
          "files", "files/a.jpg", "files/a.jpg.xmp", "files/a.raf", "files/a.xmp", "info", "info/a.jpg.trashinfo",
          "info/a.jpg.xmp.trashinfo", "info/a.raf.trashinfo", "info/a.xmp.trashinfo",
        ])
    let record = try String(contentsOfFile: "\(trash.printable)/info/a.raf.trashinfo", encoding: .utf8)
    #expect(record.hasPrefix("[Trash Info]\nPath=\(photos.printable)/a.raf\nDeletionDate=1970-01-12T"))
    // The next session brings it back, and throws it away again.
    #expect(await makeService().undo()?.parts.map(\.outcome) == [.done])
    #expect(try contents(of: photos) == before)
    #expect(try names(in: trash) == ["files", "info"])
    #expect(await makeService().redo()?.parts.map(\.outcome) == [.done])
    #expect(try names(in: photos) == ["a.txt", "b.jpg", "b.xmp"])
    #expect(await makeService().undo()?.title == "Trash: a.raf")
    #expect(try contents(of: photos) == before)
  }

  /// A sidecar that names no suffix may be that of the file that stays.
  @Test(arguments: [["a.jpg"], ["a.JPG"], ["a.mov"]]) func aSharedSidecarStaysWithTheOtherFile(others: [String])
    async throws
  {
    let raw = try add("a.raf")
    for name in others + ["a.xmp", "a.raf.xmp"] { try add(name) }
    _ = await throwAway([[raw]])
    #expect(try names(in: photos) == others + ["a.xmp"])
  }

  @Test func namesInTheTrashAreNotTaken() async throws {
    for number in 1...3 {
      let photo = try add("\(number)/a.jpg", "\(number)")
      #expect(await throwAway([[photo]]).parts.map(\.outcome) == [.done])
    }
    #expect(try names(in: trash.appending("files".utf8)) == ["a.2.jpg", "a.3.jpg", "a.jpg"])
    // Photos of the same name in one step.
    let more = try (4...5).map { [try add("\($0)/a.jpg", "\($0)")] }
    #expect(await throwAway(more).parts.map(\.outcome) == [.done, .done])
    for _ in 0..<4 { #expect(await makeService().undo()?.failures == []) }
    for number in 1...5 {
      #expect(try String(contentsOfFile: "\(photos.printable)/\(number)/a.jpg", encoding: .utf8) == "\(number)")
    }
  }

  @Test func nothingIsReplacedOnTheWayBack() async throws {
    let photo = try add("a.jpg", "the first")
    _ = await throwAway([[photo]])
    try add("a.jpg", "the second")
    let undone = await makeService().undo()
    #expect(undone?.failures.first?.hasPrefix("Another file is at \(photos.printable)/a.jpg.") == true)
    #expect(try contents(of: photos)["a.jpg"]?.hasSuffix("the second") == true)
    #expect(try names(in: trash.appending("files".utf8)) == ["a.jpg"])
    // When the other file is gone, the photo comes back.
    try FileManager.default.removeItem(atPath: "\(photos.printable)/a.jpg")
    _ = await makeService().redo()
    #expect(await makeService().undo()?.parts.map(\.outcome) == [.done])
    #expect(try contents(of: photos)["a.jpg"]?.hasSuffix("the first") == true)
  }

  @Test func anEmptiedTrashIsReported() async throws {
    let photo = try add("a.jpg")
    _ = await throwAway([[photo]])
    try FileManager.default.removeItem(atPath: trash.printable)
    #expect(await makeService().undo()?.failures == ["a.jpg is no longer in the trash, so it can't be brought back."])
    #expect(await makeService().undo() == nil)
  }

  /// Another photo has its name in the trash by then.
  @Test func theFileOfAnotherIsNotBroughtBack() async throws {
    let photo = try add("a.jpg", "the first")
    _ = await throwAway([[photo]])
    try FileManager.default.removeItem(atPath: trash.printable)
    let other = try add("x/a.jpg", "the other")
    _ = await throwAway([[other]])
    _ = await makeService().undo()
    #expect(try names(in: photos) == ["x", "x/a.jpg"])
    #expect(await makeService().undo()?.failures.count == 1)
    #expect(try names(in: photos) == ["x", "x/a.jpg"])
  }

  /// The second file's name is taken between the plan and the move.
  @Test func aPhotoIsNeverMovedInPart() async throws {
    let (first, second) = (try add("a.raf"), try add("a.jpg"))
    let tools = StepTools(trash: Trash(home: trash))
    let before = try contents(of: photos)
    let operation = FileOperation(.trash, files: [first, second].compactMap(\.file))
    let plan = try operation.plan(for: first.image, after: nil, tools)
    #expect(!trash.isThere)
    try FileManager.default.createDirectory(atPath: "\(trash.printable)/files/a.jpg", withIntermediateDirectories: true)
    #expect(try !plan.write())
    #expect(try contents(of: photos) == before)
    #expect(try names(in: trash) == ["files", "files/a.jpg", "info"])
    #expect(try operation.plan(for: first.image, after: nil, tools).write())
    #expect(try names(in: photos) == [])
  }

  /// A crash after the first file: the journal has the plan, and the next start ends it.
  @Test func aMoveThatWasInterruptedIsEnded() async throws {
    let pair = [try add("a.raf"), try add("a.jpg")]
    let before = try contents(of: photos)
    let service = makeService()
    let id = try #require(await service.keep([StepRequest(.files(.trash), forShots: [pair])])[0].id)
    let journal = StepJournal(folder: folder.appending("state".utf8).printable) { _ in }
    var part = try #require(try await journal.parts(of: id).waiting.first)
    let tools = StepTools(trash: Trash(home: trash))
    let planned = try PartWriter(tools: tools).plan(part)
    part = planned.part
    _ = try await journal.prepare([part], removing: [], of: id, in: photos)
    let operation = try #require(FileOperation(journal: part.redo))
    try tools.trash.create(try tools.trash.place(for: #require(pair[0].file)))
    try #require(operation.moves?.first).make()
    #expect(try names(in: photos) == ["a.jpg"])
    _ = await makeService().resume()
    #expect(try names(in: photos) == [])
    #expect(await makeService().undo()?.parts.map(\.outcome) == [.done])
    #expect(try contents(of: photos) == before)
  }

  @Test func namesOfAnyBytesComeBack() async throws {
    let long = String(repeating: "ä", count: 125) + ".jpg"
    for name in ["ein Bild %41;#.jpg", "漢字\n.jpg", long] {
      let photo = try add(name)
      let step = await throwAway([[photo]])
      #expect(step.parts.map(\.outcome) == [.done], "\(name) \(step.failures)")
    }
    let record = try String(contentsOfFile: "\(trash.printable)/info/ein Bild %41;#.jpg.trashinfo", encoding: .utf8)
    #expect(record.contains("/ein%20Bild%20%2541%3B%23.jpg\n"))
    for _ in 0..<3 { #expect(await makeService().undo()?.parts.map(\.outcome) == [.done]) }
    #expect(Set(try names(in: photos)) == ["ein Bild %41;#.jpg", "漢字\n.jpg", long])
    // Bytes that are no text.
    let path = photos.appending([0x61, 0xFF, 0x2E, 0x6A, 0x70, 0x67])
    #expect(path.withCString { close(open($0, O_CREAT | O_WRONLY, 0o600)) } == 0)
    let photo = Photo(id: 1, name: "", createdAt: .now, imageURL: "", image: .file(path), metadata: PhotoMetadata())
    #expect(await throwAway([[photo]]).parts.map(\.outcome) == [.done])
    #expect(!path.isThere)
    _ = await makeService().undo()
    #expect(path.isThere)
  }

  @Test func aPhotoThatIsGoneIsNoStep() async throws {
    let photo = try add("a.jpg")
    try FileManager.default.removeItem(atPath: "\(photos.printable)/a.jpg")
    #expect(await throwAway([[photo]]).parts.map(\.outcome) == [.missing])
    #expect(await makeService().undo() == nil)
  }

  // MARK: Other folders

  private func place(_ shots: [[Photo]], _ change: FileChange) async -> Step {
    let service = makeService()
    return await service.write(await service.keep([StepRequest(.files(change), forShots: shots)])[0])
  }

  /// Another file system, or the same one.
  private func other(isFar: Bool) -> FilePath {
    isFar ? Self.volume.appending("tintype-\(folder.printableName)/x/y".utf8) : folder.appending("x/y".utf8)
  }

  @Test(arguments: [false, true]) func photosAreMovedWithAllTheirFilesAndComeBack(isFar: Bool) async throws {
    let target = other(isFar: isFar)
    defer { try? FileManager.default.removeItem(atPath: target.folder.folder.printable) }
    let pair = [try add("a.raf"), try add("a.jpg")]
    for name in ["a.jpg.xmp", "a.xmp", "b.jpg"] { try add(name) }
    let before = try contents(of: photos)
    let step = await place([pair], .move(to: target))
    #expect(step.title == "Move to y: a.raf" && step.parts.map(\.outcome) == [.done], "\(step.failures)")
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
    #expect(step.title == "Rename to Bergen 1: a.raf" && step.failures == [])
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
    try FileCopy.copy(path, to: move.target)
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

  @Test func theForecastCountsFilesAndTakenNames() async throws {
    let photo = try add("a.jpg", "12345")
    try add("x/a.jpg", "1")
    let files = [photo].compactMap(\.file)
    let near = await makeService().forecast(.move(to: photos.appending("x".utf8)), of: files)
    #expect(near.size == 5 && near.takenCount == 1 && near.free == nil)
    let copy = await makeService().forecast(.copy(to: photos.appending("new/folder".utf8)), of: files)
    #expect(copy.takenCount == 0 && (copy.free ?? 0) > 0)
  }

  // MARK: The trash of a volume

  /// `/dev/shm` is a file system of its own on each Linux.
  private static let volume = FilePath("/dev/shm")

  @Test(.enabled(if: FileOperationTests.volume.isFolder, "SKIPPED: there is no other file system"))
  func anotherVolumeHasATrashOfItsOwn() throws {
    let other = Self.volume.appending("tintype-\(UUID().uuidString)".utf8)
    try FileManager.default.createDirectory(atPath: other.printable, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: other.printable) }
    let file = other.appending("a b.jpg".utf8)
    let place = try Trash(home: trash).place(for: file)
    #expect(place.folder == Self.volume.appending(".Trash-\(getuid())".utf8) && place.top == Self.volume)
    let move = Trash(home: trash).move(of: file, to: place, at: .now, besides: [])
    #expect(move.record?.text.contains("\nPath=\(other.printableName)/a%20b.jpg\n") == true)
    #expect(move.target == place.folder.appending("files/a b.jpg".utf8))
  }

  // MARK: Random steps

  /// All that is done can be undone: names, contents, times and permissions are as they were.
  @Test(arguments: 0..<4) func randomStepsAreUndone(seed: Int) async throws {
    var random = SplitMix(seed: seed)
    var shots: [[Photo]] = []
    for number in 0..<6 {
      let stem = "\(number % 2)/p\(number)"
      var files = [try add("\(stem).jpg")]
      if number % 3 == 0 { files.append(try add("\(stem).raf")) }
      if number % 4 == 1 { try add("\(stem).xmp", Self.sidecar) }
      if number % 2 == 0 { try add("\(stem).jpg.xmp", Self.sidecar) }
      shots.append(files)
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(photos.printable)/0/link.jpg", withDestinationPath: "p0.jpg")
    let link = FilePath("\(photos.printable)/0/link.jpg")
    shots.append([
      Photo(id: 7, name: "", createdAt: .now, imageURL: "", image: .file(link), metadata: PhotoMetadata())
    ])
    let before = try contents(of: photos)
    for _ in 0..<40 {
      let service = makeService()
      let shot = shots[Int.random(in: 0..<shots.count, using: &random)]
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: _ = await throwAway([shot], with: service)
      case 8: _ = await place([shot], .rename(to: "renamed \(Int.random(in: 0..<3, using: &random))"))
      case 6: _ = await place([shot], .move(to: folder.appending("elsewhere".utf8)))
      case 7: _ = await place([shot], .copy(to: photos.appending("1".utf8)))
      case 2: _ = await throwAway(shots.filter { _ in Bool.random(using: &random) } + [shot], with: service)
      case 3: _ = await service.undo()
      case 4: _ = await service.redo()
      default:
        let stars = Int.random(in: -1...5, using: &random)
        _ = await service.write(await service.keep([StepRequest(.decision(.rating(stars)), forShots: [shot])])[0])
      }
    }
    while let step = await makeService().undo() { #expect(step.failures == []) }
    #expect(
      try contents(of: photos).filter { !$0.key.hasSuffix(".xmp") } == before.filter { !$0.key.hasSuffix(".xmp") })
    // Sidecars have their contents again, but for the time at which a change or its undo has written them.
    func texts(_ all: [String: String]) -> [String: String] {
      all.filter { $0.key.hasSuffix(".xmp") }.mapValues {
        String($0.drop { $0 != "<" }).replacing(/MetadataDate="[^"]*"/, with: "").replacing(
          />\s+<\/rdf:Description>/, with: "/>")
      }
    }
    let (after, old) = (texts(try contents(of: photos)), texts(before))
    #expect(after == old, "\(after.filter { old[$0.key] != $0.value }) \(old.filter { after[$0.key] != $0.value })")
    #expect(try names(in: trash).filter { $0.contains("/") } == [])
    #expect(!folder.appending("elsewhere".utf8).isThere)
  }

  private static let sidecar = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmp:MetadataDate="2020-01-01T00:00:00Z"/></rdf:RDF></x:xmpmeta>
    """
}
