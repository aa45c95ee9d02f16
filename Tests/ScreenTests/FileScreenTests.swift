import Foundation
import Harness
import TestLimit
import Testing

/// Photos in the trash and in other folders, and on their way back.
@Suite(.fewAtOnce, .limited) final class FileScreenTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private var photos: URL { folder.appending(path: "photos") }
  private var changes: [String: String?] { Program.changes(home: folder) }

  init() throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for name in ["a.jpg", "a.cr2", "b.jpg", "c.jpg", "d.jpg"] {
      try FileManager.default.copyItem(
        atPath: Program.photo("chelsea.jpg"), toPath: photos.appending(path: name).path)
    }
  }

  private func start(columns: Int = 100) async throws -> TerminalSession {
    let session = try Program.start(photos.path, columns: columns, rows: 30, changes: changes)
    try await session.waitForTexts("/4", "RAW+JPEG")
    return session
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: photos.path).sorted() }
  }

  private var trashed: [String] {
    let path = folder.appending(path: "DATA/Trash/files").path
    return (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
  }

  @Test func aPhotoGoesToTheTrashAndComesBackTomorrow() async throws {
    do {
      let session = try await start()
      defer { session.close() }
      session.type("3")
      try await session.waitForTexts("3 stars", "2/4")
      session.type("kD")
      try await session.waitForTexts("Trash: a.jpg", "1/3")
      #expect(try files == ["b.jpg", "c.jpg", "d.jpg"])
      #expect(trashed == ["a.cr2", "a.cr2.xmp", "a.jpg", "a.jpg.xmp"])
      session.type("q")
      #expect(try await session.waitForExit() == .exited(0))
    }
    let session = try Program.start(photos.path, columns: 100, rows: 30, changes: changes)
    defer { session.close() }
    try await session.waitForTexts("1/3", "3 photos")
    session.type("j")
    try await session.waitForText("2/3")
    session.type("u")
    // Undoing leads to the photo as soon as it is listed again.
    try await session.waitForTexts("Undone: Trash: a.jpg", "1/4", "RAW+JPEG", "★★★")
    #expect(trashed == [])
    session.type("u")
    try await session.wait(for: "the photo without stars") { $0.contains("Undone: 3 stars") && !$0.contains("★★★") }
    #expect(try files == ["a.cr2", "a.jpg", "b.jpg", "c.jpg", "d.jpg"])
  }

  @Test func severalPhotosAreTrashedAfterAQuestion() async throws {
    let session = try await start(columns: 140)
    defer { session.close() }
    session.type(" j ")
    try await session.waitForTexts("2 marked", "D Trash 2")
    session.type("D")
    try await session.waitForTexts("Move 2 photos to the trash?", "a.jpg, c.jpg", "3 files, with all sidecars.")
    session.type("\r")
    try await session.wait(for: "the list") { !$0.contains("to the trash?") }
    #expect(trashed == [])
    session.type("D")
    try await session.waitForText("to the trash?")
    session.type("y")
    let rest = try await session.waitForTexts("Trash: 2 photos", "2 photos · by")
    #expect(try files == ["b.jpg", "d.jpg"])
    // No key may be about photos that are gone.
    #expect(!rest.contains("marked"))
    session.type("u")
    try await session.waitForTexts("Undone: Trash: 2 photos", "4 photos")
    #expect(try files.count == 5)
  }

  /// What is in the trash must not come as a surprise.
  @Test func markedPhotosThatASearchLeavesOutAreCountedInQuestions() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("j  /c.jpg\r")
    try await session.waitForTexts("2 marked (1 not listed)", "1 of 4 photos")
    session.type("4")
    try await session.waitForText("4 stars on 2 photos · 1 not listed")
    session.type("D")
    try await session.waitForTexts("Move 2 photos (1 not listed) to the trash?", "b.jpg, c.jpg")
    session.type("n*")
    try await session.waitForText("1 marked (1 not listed)")
    session.type("D")
    try await session.waitForText("Move 1 photo (not listed) to the trash?")
    session.type("n\u{1B}")
    try await session.wait(for: "the list") { $0.contains("4 photos") && !$0.contains("not listed") }
    #expect(trashed == [])
    session.type("D")
    try await session.waitForTexts("Trash: b.jpg", "3 photos")
  }

  @Test func manyPhotosAreRenamedByAPattern() async throws {
    let session = try await start(columns: 120)
    defer { session.close() }
    session.type("5k*")
    session.type("\u{1B}OQ")
    let proposal = try await session.waitForTexts(
      "Rename 4 photos", "{date:%Y-%m-%d}", "_001_a", "_004_d", "↑↓ Move")
    #expect(proposal.lines.contains { $0.contains(#/ a +→ \S+_001_a /#) })
    // What is typed replaces the proposal.
    session.type("b")
    try await session.waitForText("There is another file called b.jpg.")
    session.type("{rating}{seq:2}{nme}")
    try await session.waitForText("Unknown field {nme}.")
    session.type("\u{15}b{rating}-{seq:2}")
    try await session.waitForTexts("b5-01", "b0-04")
    session.type("\r")
    try await session.waitForTexts("Rename 4 photos", "b5-01.jpg", "b0-04.jpg", "4 marked")
    #expect(
      try files.filter { !$0.hasSuffix(".xmp") } == ["b0-02.jpg", "b0-03.jpg", "b0-04.jpg", "b5-01.cr2", "b5-01.jpg"])
    session.type("u")
    try await session.waitForTexts("Undone: Rename 4 photos", "a.jpg", "d.jpg", "RAW+JPEG")
  }

  @Test func oneFileOfAPairIsTrashed() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("d")
    try await session.wait(for: "the raw file alone") { $0.contains("Done: Trash: a.jpg") && !$0.contains("RAW+JPEG") }
    #expect(try files == ["a.cr2", "b.jpg", "c.jpg", "d.jpg"])
    session.type("jd")
    try await session.waitForText("The photo has one file.")
    session.type("u")
    try await session.waitForTexts("Undone: Trash: a.jpg", "RAW+JPEG")
  }

  @Test func aPhotoIsTrashedInTheViewer() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("v")
    try await session.waitForTexts("Esc Back", "1/4")
    session.type("D")
    try await session.waitForTexts("Trash: a.jpg", "b.jpg", "1/3")
    session.type("u")
    try await session.waitForTexts("Undone: Trash: a.jpg", "/4")
  }

  @Test func theRejectsOfACullGoToTheTrash() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("Q")
    try await session.waitForText("Enter Finish")
    session.type("XX3\r")
    try await session.waitForTexts("Cull summary", "1 picked", "2 rejected", "Move the rejects to the trash")
    session.type("t")
    try await session.waitForTexts("Move 2 photos to the trash?", "a.jpg, b.jpg", "3 files")
    session.type("y")
    try await session.waitForTexts("Trash: 2 photos", "2 photos · by")
    #expect(try files.filter { !$0.hasSuffix(".xmp") } == ["c.jpg", "d.jpg"])
  }

  @Test func aPhotoIsMovedToANewFolder() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("m")
    try await session.waitForTexts("─ Move a.jpg to ─", "A missing folder is created.")
    session.type("../selects/best\r")
    try await session.waitForTexts("Move a.jpg to best", "1/3")
    let best = folder.appending(path: "selects/best").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: best).sorted() == ["a.cr2", "a.jpg"])
    // The folder is the first one that is offered now.
    session.type("m")
    try await session.waitForTexts("─ Move b.jpg to ─", "Alt-1", "best")
    session.type("\u{1B}1")
    try await session.waitForTexts("Move b.jpg to best", "1/2")
    session.type("u")
    try await session.waitForTexts("Undone: Move b.jpg to best", "3 photos")
    session.type("u")
    try await session.waitForTexts("Undone: Move a.jpg to best", "4 photos", "RAW+JPEG")
    #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "selects").path))
  }

  /// A moved photo is where it belongs, in the open folder too.
  @Test func aRenamedPhotoKeepsItsMarkAndAMovedOneLosesIt() async throws {
    let session = try await start(columns: 140)
    defer { session.close() }
    session.type("j ")
    try await session.waitForText("1 marked")
    session.type("\u{1B}OQ\u{15}bb\r")
    try await session.waitForTexts("Rename b.jpg to bb", "bb.jpg", "1 marked", "4 photos")
    session.type("mselects\r")
    try await session.wait(for: "the photo in the subfolder") {
      $0.contains("Move bb.jpg to selects") && $0.contains("4 photos · by") && !$0.contains("marked")
    }
  }

  @Test func aPhotoIsRenamed() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("\u{1B}OQ")
    try await session.waitForTexts("─ Rename a.jpg ─", "New name, without the suffix", "Enter Rename")
    session.type("\u{15}z last\r")
    try await session.waitForTexts("Rename a.jpg to z last", "z last.jpg", "RAW+JPEG")
    #expect(try files == ["b.jpg", "c.jpg", "d.jpg", "z last.cr2", "z last.jpg"])
    // The photo is at its place by name.
    try await session.waitForText("4/4")
    session.type("kkk\u{1B}OQ")
    try await session.waitForText("─ Rename b.jpg ─")
    session.type("\u{15}z last\r")
    try await session.waitForTexts("Can't rename", "There is another file called z last.jpg.")
    session.type("\ru")
    try await session.waitForTexts("Undone: Rename a.jpg to z last", "a.jpg")
    #expect(try files == ["a.cr2", "a.jpg", "b.jpg", "c.jpg", "d.jpg"])
  }

  @Test func severalPhotosAreCopiedAfterAPreview() async throws {
    let other = folder.appending(path: "other")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    try Data("another".utf8).write(to: other.appending(path: "c.jpg"))
    let session = try await start(columns: 140)
    defer { session.close() }
    session.type("*")
    try await session.waitForText("4 marked")
    session.type("Y")
    try await session.waitForText("─ Copy 4 photos to ─")
    session.type("../oth")
    try await session.waitForText("../other/")
    session.type("\t\r")
    try await session.waitForTexts(
      "/other?", "a.jpg, b.jpg, c.jpg, d.jpg", "5 files, ", " free", "1 name is taken there.", "Copy nothing",
      "Copy, with numbers where names are taken", "Copy, but skip those")
    session.type("y")
    try await session.waitForText("Copy 4 photos to other")
    // The program ends when all is written.
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: other.path).sorted()
        == ["a.cr2", "a.jpg", "b.jpg", "c-2.jpg", "c.jpg", "d.jpg"])
    let again = try await start()
    defer { again.close() }
    again.type("u")
    try await again.waitForText("Undone: Copy 4 photos to other")
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == ["c.jpg"])
    #expect(try files.count == 5)
  }

  @Test func allRejectedPhotosGoToTheTrashAfterAQuestion() async throws {
    let session = try await start(columns: 140)
    defer { session.close() }
    session.type("\u{1B}D")
    try await session.waitForText("No listed photo is rejected.")
    session.type("jXX")
    try await session.waitForTexts("Rejected: c.jpg", "4/4")
    // Other photos may be marked.
    session.type(" \u{1B}D")
    try await session.waitForTexts("Move 2 photos to the trash?", "b.jpg, c.jpg")
    session.type("y")
    try await session.waitForTexts("Trash: 2 photos", "2 photos · by")
    // One photo may be out of view, so it is named, too. The marks stay, whatever the answer is.
    session.type("*ggXG \u{1B}D")
    try await session.waitForTexts("Move 1 photo to the trash?", "a.jpg", "2 files, with all sidecars.", "Move nothing")
    session.type("n")
    try await session.wait(for: "the list") { !$0.contains("to the trash?") && $0.contains("1 marked") }
    // A sidecar may be on its way.
    #expect(try files.filter { $0.hasSuffix("jpg") || $0.hasSuffix("cr2") } == ["a.cr2", "a.jpg", "d.jpg"])
  }

  @Test func markedPhotosAreExportedAndTheNewFilesTakenBack() async throws {
    let session = try await start(columns: 140)
    defer { session.close() }
    session.type(" j E")
    try await session.waitForTexts("─ Export 2 photos ─", "Full size", "JPEG · full size · without GPS")
    session.type("2../web\r")
    try await session.waitForTexts(
      "Export to \(folder.path)/web?", "2 new files · JPEG · 2048 px · without GPS", "Export nothing")
    session.type("y")
    try await session.waitForText("Export 2 photos to web")
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    let web = folder.appending(path: "web").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: web).sorted() == ["a.jpg", "c.jpg"])
    let again = try await start()
    defer { again.close() }
    again.type("u")
    try await again.waitForText("Undone: Export 2 photos to web")
    #expect(!FileManager.default.fileExists(atPath: web) && trashed == ["a.jpg", "c.jpg"])
    #expect(try files == ["a.cr2", "a.jpg", "b.jpg", "c.jpg", "d.jpg"])
  }

  @Test func anExportHasTheSizeThatTheUserTypes() async throws {
    let session = try await start(columns: 140)
    defer { session.close() }
    session.type(" j Es9\r")
    try await session.waitForTexts("Long edge in pixels", "It takes a number of pixels from 16 to 16384.")
    session.type("\u{15}120\r../small\r")
    try await session.waitForText("2 new files · JPEG · 120 px")
    session.type("y")
    try await session.waitForText("Export 2 photos to small")
  }

  @Test func theCatalogOfTheGalleryIsNotThePhotographers() async throws {
    let session = try await Program.open(changes: changes)
    defer { session.close() }
    session.type("D")
    try await session.waitForText("Only the photos of a folder can be moved.")
  }

  /// Other programs list what is in the trash, and bring it back.
  @Test(.enabled(if: InstalledShell.has("trash-list"), "SKIPPED: trash-cli is not installed"))
  func otherProgramsKnowTheTrash() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("D")
    try await session.waitForTexts("Trash: a.jpg", "1/3")
    let data = ["XDG_DATA_HOME": "\(folder.path)/DATA", "HOME": folder.path, "LC_ALL": "C.UTF-8"]
    let list = try await Script.run("trash-list", in: photos, changes: data)
    for name in ["a.cr2", "a.jpg"] { #expect(list.output.contains("\(photos.path)/\(name)\n"), "\(list)") }
    let restored = try await Script.run(
      "for file in 1 2; do echo 0 | trash-restore || exit; done", in: photos, changes: data)
    #expect(restored.code == 0, "\(restored)")
    try await session.waitForTexts("4 photos", "RAW+JPEG")
    // What another program has brought back is no fault.
    session.type("u")
    try await session.waitForText("Undone: Trash: a.jpg")
    #expect(try files == ["a.cr2", "a.jpg", "b.jpg", "c.jpg", "d.jpg"])
  }
}
