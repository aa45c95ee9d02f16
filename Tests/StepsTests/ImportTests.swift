import Foundation
import Gallery
import Photos
import Services
import Store
import TestLimit
import Testing
import Torture

@testable import Steps

/// Imports from a card into the folder of the photos.
@Suite(.limited) final class ImportTests: FileFixture {
  private var card: FilePath { folder.appending("card".utf8) }
  private var backup: FilePath { folder.appending("backup".utf8) }

  private func rule(backup: FilePath? = nil, folders: String? = nil, names: String = "{name}") throws -> ImportRule {
    var rule = ImportRule(to: photos)
    rule.backups = [backup].compactMap(\.self)
    rule.folders = try folders.map { try FolderPattern($0) }
    rule.names = try NamePattern(names)
    return rule
  }

  /// Creates a file on the card.
  private func shoot(_ name: String, _ text: String? = nil) throws -> Photo {
    let photo = try add("../card/\(name)", text)
    let path = FilePath("\(card.printable)/\(name)")
    return Photo(
      id: photo.id, name: name, createdAt: Date(timeIntervalSince1970: 1_071_403_304), imageURL: name,
      image: .file(path), metadata: PhotoMetadata())
  }

  private func forecast(_ shots: [[Photo]], _ rule: ImportRule? = nil) async throws -> ImportForecast {
    try await makeService().forecast(importing: shots, try rule ?? self.rule(), StepWork())
  }

  /// Imports photos. Returns nil if none is new.
  private func importing(_ shots: [[Photo]], _ rule: ImportRule? = nil, _ work: StepWork = StepWork()) async throws
    -> Step?
  {
    let forecast = try await forecast(shots, rule)
    #expect(forecast.failures == [])
    if forecast.imports.isEmpty { return nil }
    let service = makeService()
    return await service.write(await service.keep([StepRequest(forecast.imports)])[0], work)
  }

  @Test func aPhotoIsImportedWithAllItsFilesAndUndone() async throws {
    let pair = [try shoot("a.jpg"), try shoot("a.raf")]
    for name in ["a.xmp", "a.jpg.xmp"] { _ = try shoot(name) }
    let before = try contents(of: card)
    let step = try await importing([pair], rule(folders: "{date:%Y/%m}", names: "{date:%d}_{seq:2}"))
    #expect(step?.title == "Import: a.jpg" || step?.title == "Import: 14_01.jpg", "\(String(describing: step?.title))")
    #expect(step?.parts.map(\.outcome) == [.done], "\(String(describing: step?.failures))")
    let place = photos.appending("2003/12".utf8)
    #expect(try names(in: place) == ["14_01.jpg", "14_01.jpg.xmp", "14_01.raf", "14_01.xmp"])
    #expect(try contents(of: place)["14_01.raf"]?.hasSuffix("500000.0 the file ../card/a.raf") == true)
    #expect(await makeService().undo()?.failures == [])
    #expect(try names(in: photos) == [] && contents(of: card) == before)
    // What was undone is new again.
    #expect(try await forecast([pair]).imports.count == 1)
    #expect(await makeService().redo()?.failures == [])
    #expect(try await forecast([pair]).imported.count == 1)
    #expect(try contents(of: card) == before)
  }

  @Test func aPhotoIsImportedOnceWhateverItIsCalled() async throws {
    #expect(try await importing([[shoot("a.jpg", "one")], [shoot("b.jpg", "two")]])?.parts.count == 2)
    // The user renames a copy, and the camera gives the name again.
    let renamed = try #require(try await importing([[shoot("a.jpg", "three")]]))
    #expect(renamed.parts.map(\.outcome) == [.done])
    #expect(try names(in: photos) == ["a-2.jpg", "a.jpg", "b.jpg"])
    for name in ["a.jpg", "a-2.jpg"] {
      try FileManager.default.removeItem(atPath: "\(photos.printable)/\(name)")
    }
    let found = try await forecast([[shoot("x.jpg", "one")], [shoot("y.jpg", "two")], [shoot("z.jpg", "three")]])
    #expect(found.imports == [] && found.imported.map(\.printableName) == ["x.jpg", "y.jpg", "z.jpg"])
    var again = try rule()
    again.isAgain = true
    #expect(try await forecast([[shoot("x.jpg", "one")]], again).imports.count == 1)
  }

  /// Large files that begin in the same way differ behind the part that is read first.
  @Test func contentsAreComparedToTheirEnd() async throws {
    let head = String(repeating: "x", count: 100_000)
    _ = try await importing([[shoot("a.jpg", head + "1")]])
    let found = try await forecast([[shoot("b.jpg", head + "1")], [shoot("c.jpg", head + "2")]])
    #expect(found.imports.compactMap(\.photo.file?.printableName) == ["c.jpg"] && found.imported.count == 1)
  }

  @Test func whatIsAtTheDestinationOrTwiceOnTheCardIsLeftOut() async throws {
    try add("copied by hand.jpg", "one")
    try add("a.jpg", "two")
    let found = try await forecast([
      [shoot("x/a.jpg", "two")], [shoot("x/b.jpg", "one")], [shoot("x/c.jpg", "six")], [shoot("y/c.jpg", "six")],
      [shoot("z/c.jpg", "ten")],
    ])
    #expect(found.present.map(\.printableName) == ["a.jpg", "b.jpg", "c.jpg"])
    #expect(found.imports.compactMap(\.photo.file?.printableName) == ["c.jpg", "c-2.jpg"])
  }

  @Test func copiesInTwoPlacesHaveTheSameNames() async throws {
    try FileManager.default.createDirectory(atPath: backup.printable, withIntermediateDirectories: true)
    try Data("another".utf8).write(to: URL(filePath: "\(backup.printable)/a.jpg"))
    let step = try await importing([[shoot("a.jpg", "one")]], rule(backup: backup))
    #expect(step?.failures == [])
    #expect(try names(in: photos) == ["a-2.jpg"] && names(in: backup) == ["a-2.jpg", "a.jpg"])
    #expect(try contents(of: photos)["a-2.jpg"] == contents(of: backup)["a-2.jpg"])
    #expect(await makeService().undo()?.failures == [])
    #expect(try names(in: photos) == [] && names(in: backup) == ["a.jpg"])
  }

  @Test(.enabled(if: TestFileSystem.canBeMade)) func aFullBackupIsReportedAndTheFirstCopyStays() async throws {
    let disk = try #require(TestFileSystem(size: 64))
    let backup = FilePath(disk.folder)
    disk.fill()
    let shot = [try shoot("a.jpg", String(repeating: "a", count: 5000)), try shoot("a.raf", "raw")]
    let step = try #require(try await importing([shot], rule(backup: backup)))
    #expect(step.parts.map(\.outcome) == [.done])
    #expect(
      step.failures == ["\(backup.printable)/a.jpg was not moved or copied (No space left on device). Free some space."]
    )
    #expect(try names(in: photos) == ["a.jpg", "a.raf"] && names(in: backup) == ["large"])
    // The photo is not complete, so its backup is made next time.
    disk.makeRoom()
    #expect(try await importing([shot], rule(backup: backup))?.failures == [])
    #expect(try names(in: photos) == ["a.jpg", "a.raf"] && names(in: backup) == ["a.jpg", "a.raf"])
    #expect(try await forecast([shot], rule(backup: backup)).imported.count == 1)
    while await makeService().undo() != nil {}
    #expect(try names(in: photos) == [] && names(in: backup) == [])
  }

  @Test(.enabled(if: TestFileSystem.canBeMade)) func aCardThatIsReadOnlyIsImported() async throws {
    let disk = try #require(TestFileSystem())
    let path = FilePath(disk.folder).appending("a.jpg".utf8)
    try Data("one".utf8).write(to: URL(filePath: path.printable))
    try #require(disk.becomeReadOnly())
    let photo = Photo(id: 1, name: "a", createdAt: .now, imageURL: "", image: .file(path), metadata: PhotoMetadata())
    #expect(try await importing([[photo]])?.failures == [])
    #expect(try names(in: photos) == ["a.jpg"])
  }

  /// The card is in the camera again when the user undoes the import.
  @Test func aCopyThatIsTheLastOneGoesToTheTrash() async throws {
    let shot = [try shoot("a.jpg", "one")]
    _ = try await importing([shot], rule(folders: "{date:%Y}"))
    try add("2003/a.jpg.xmp", "a sidecar")
    try FileManager.default.removeItem(atPath: card.printable)
    #expect(await makeService().undo()?.failures == [])
    #expect(try names(in: photos) == [])
    #expect(try names(in: trash.appending("files".utf8)) == ["a.jpg", "a.jpg.xmp"])
    _ = try shoot("a.jpg", "one")
    #expect(try await forecast([shot]).imports.count == 1)
    #expect(await makeService().redo()?.failures == [])
    #expect(try names(in: photos) == ["2003", "2003/a.jpg", "2003/a.jpg.xmp"])
    #expect(try await forecast([shot]).imported.count == 1)
  }

  @Test func whatTheUserHasStoppedIsImportedNextTime() async throws {
    let shots = try (0..<5).map { [try shoot("\($0).jpg")] }
    _ = try await importing(Array(shots[..<2]))
    let work = StepWork()
    work.stop()
    _ = try await importing(shots, nil, work)
    #expect(try names(in: photos) == ["0.jpg", "1.jpg"])
    #expect(try await forecast(shots).imported.count == 2)
    #expect(try await importing(shots)?.parts.map(\.outcome) == [.done, .done, .done])
    #expect(try names(in: photos) == (0..<5).map { "\($0).jpg" })
  }

  /// The program was killed before it has written the step, and in the middle of a file.
  @Test func anInterruptedImportGoesOnAndLeavesNothingElse() async throws {
    let shots = [[try shoot("a.jpg"), try shoot("a.raf")], [try shoot("b.jpg")]]
    let forecast = try await forecast(shots, rule(folders: "{date:%Y}"))
    _ = await makeService().keep([StepRequest(forecast.imports)])
    try add("2003/.a.raf.tintype-part", "half")
    try add("2003/a.jpg", "the file ../card/a.jpg")
    #expect(await makeService().resume()?.failures == [])
    #expect(try names(in: photos) == ["2003", "2003/a.jpg", "2003/a.raf", "2003/b.jpg"])
    #expect(try await self.forecast(shots).imported.count == 2)
  }

  /// Until the card is there again, nothing is lost and nothing is reported.
  @Test func anInterruptedImportWaitsForItsCard() async throws {
    let shot = [try shoot("a.jpg")]
    _ = await makeService().keep([StepRequest(try await forecast([shot]).imports)])
    try FileManager.default.removeItem(atPath: card.printable)
    #expect(await makeService().resume()?.failures == [])
    #expect(try names(in: photos) == [])
    _ = try shoot("a.jpg")
    _ = await makeService().resume()
    #expect(try names(in: photos) == ["a.jpg"])
  }

  @Test func aFileThatCannotBeReadIsReported() async throws {
    let gone = Photo(
      id: 1, name: "", createdAt: .now, imageURL: "", image: .file(card.appending("gone.jpg".utf8)),
      metadata: PhotoMetadata())
    let found = try await forecast([[gone], [try shoot("a.jpg")]])
    #expect(found.failures.map(\.message) == ["It can't be read (No such file or directory)."])
    #expect(found.imports.count == 1)
  }

  /// The card breaks, or is taken out, after it was looked at.
  @Test func aPhotoThatCannotBeReadToItsEndIsNotImported() async throws {
    let shot = [try shoot("a.jpg"), try shoot("a.raf")]
    let found = try await forecast([shot])
    let service = makeService()
    let kept = await service.keep([StepRequest(found.imports)])
    let raw = "\(card.printable)/a.raf"
    try FileManager.default.removeItem(atPath: raw)
    try FileManager.default.createDirectory(atPath: raw, withIntermediateDirectories: true)
    let step = await service.write(kept[0], StepWork())
    #expect(step.failures == ["\(raw) can't be read (Invalid argument). Check the card."])
    #expect(try names(in: photos) == [])
    #expect(try await forecast([[shot[0]]]).imports.count == 1)
  }

  @Test func theJournalKeepsImports() throws {
    let operation = FileOperation(.importing(as: ["/a/b", "/c/d"]), files: ["/card/b.jpg"])
    #expect(FileOperation(journal: operation.data) == operation)
  }

  @Test func theContentsOfALinkAreImported() async throws {
    _ = try shoot("real/a.jpg", "one")
    try FileManager.default.createSymbolicLink(
      atPath: "\(card.printable)/link.jpg", withDestinationPath: "real/a.jpg")
    let photo = Photo(
      id: 1, name: "", createdAt: .now, imageURL: "", image: .file(card.appending("link.jpg".utf8)),
      metadata: PhotoMetadata())
    #expect(try await importing([[photo]])?.failures == [])
    #expect(try contents(of: photos)["link.jpg"]?.hasSuffix(" one") == true)
  }
}
