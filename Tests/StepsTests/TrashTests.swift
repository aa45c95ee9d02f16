import Foundation
import Gallery
import Services
import Store
import Synchronization
import TestLimit
import Testing

@testable import Steps

/// Moves to the trash, and the way back.
@Suite(.limited) final class TrashTests: FileFixture {
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

  /// Another program, or one that was killed, has begun a record under a name that was free when the move was planned.
  @Test func aRecordOfAnotherIsLeftAlone() async throws {
    let pair = [try add("a.raf"), try add("a.jpg")]
    let before = try contents(of: photos)
    let (files, info) = (trash.appending("files".utf8), trash.appending("info".utf8))
    let record = info.appending("a.raf.trashinfo".utf8).printable
    let plans = Mutex(0)
    let service = makeService {
      guard
        plans.withLock({ count in
          count += 1
          return count == 2
        })
      else { return }
      try? FileManager.default.createDirectory(atPath: info.printable, withIntermediateDirectories: true)
      _ = FileManager.default.createFile(atPath: record, contents: nil)
    }
    #expect(await throwAway([pair], with: service).parts.map(\.outcome) == [.done])
    #expect(try names(in: files) == ["a.2.raf", "a.jpg"])
    #expect(await makeService().undo()?.failures == [])
    #expect(try contents(of: photos) == before)
    #expect(try names(in: info) == ["a.raf.trashinfo"])
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
    #expect(try await !plan.write().isWritten)
    #expect(try contents(of: photos) == before)
    #expect(try names(in: trash) == ["files", "files/a.jpg", "info"])
    #expect(try await operation.plan(for: first.image, after: nil, tools).write().isWritten)
    #expect(try names(in: photos) == [])
  }

  /// A crash after the first file: the journal has the plan, and the next start ends it.
  @Test func aMoveThatWasInterruptedIsEnded() async throws {
    let pair = [try add("a.raf"), try add("a.jpg")]
    let before = try contents(of: photos)
    try await interruptThrowingAway(pair)
    _ = await makeService().resume()
    #expect(try names(in: photos) == [])
    #expect(await makeService().undo()?.parts.map(\.outcome) == [.done])
    #expect(try contents(of: photos) == before)
  }

  /// The user stops the undo while it looks at what a crash has left. The files of a photo don't stay apart.
  @Test func aMoveThatWasInterruptedIsUndoneAlthoughTheUserStops() async throws {
    let pair = [try add("a.raf"), try add("a.jpg")]
    let before = try contents(of: photos)
    try await interruptThrowingAway(pair)
    let work = StepWork()
    work.stop()
    _ = await makeService().undo(work)
    _ = await makeService().resume()
    #expect(try contents(of: photos) == before)
    #expect(await makeService().redo()?.failures == [])
    #expect(try names(in: photos) == [])
  }

  /// Leaves what a crash leaves after the first file of a photo.
  private func interruptThrowingAway(_ pair: [Photo]) async throws {
    let id = try #require(await makeService().keep([StepRequest(.files(.trash), forShots: [pair])])[0].id)
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

  @Test(.enabled(if: FileFixture.volume.isFolder, "SKIPPED: there is no other file system"))
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
}
