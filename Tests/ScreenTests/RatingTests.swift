import Foundation
import Harness
import TestLimit
import Testing

/// Ratings that the user gives the photos of a folder, which are kept in sidecars.
@Suite(.fewAtOnce, .limited) final class RatingTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for (name, photo) in [("a.jpg", "chelsea.jpg"), ("b.jpg", "coffee.jpg"), ("c.jpg", "rocket.jpg")] {
      try FileManager.default.copyItem(atPath: Program.photo(photo), toPath: photos.appending(path: name).path)
    }
  }

  private var photos: URL { folder.appending(path: "photos") }

  private func start(
    _ place: URL? = nil, pictures: String = "none", columns: Int = 120, rows: Int = 36
  ) async throws -> TerminalSession {
    // The last of several options counts.
    let session = try Program.start(
      (place ?? photos).path, "--pictures", pictures, columns: columns, rows: rows,
      changes: ["XDG_STATE_HOME": folder.path + "/state", "XDG_CACHE_HOME": folder.path + "/cache"])
    try await session.waitForTexts("/3", "451×300")
    return session
  }

  /// Returns the output of a subcommand.
  private func run(_ arguments: String...) async throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: Program.path)
    process.arguments = arguments
    process.environment = Program.environment.merging(["XDG_STATE_HOME": folder.path + "/state"]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    return String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }

  private func sidecar(_ name: String) -> String? {
    try? String(contentsOf: photos.appending(path: name + ".xmp"), encoding: .utf8)
  }

  private func waitForSidecar(_ name: String, _ condition: (String?) -> Bool) throws {
    try waitForFiles(in: photos, "another sidecar than \(sidecar(name) ?? "none")") { condition(sidecar(name)) }
  }

  /// Beside the note about a step is the way back, also in a narrow and low window.
  @Test func undoIsOfferedBesideANote() async throws {
    let session = try await start(columns: 60, rows: 19)
    defer { session.close() }
    session.type("4")
    try await session.waitForText(" 4 stars on a.jpg │ u Undo │ ")
  }

  /// Undoing leads back to the photo in the list, also after a viewer was closed.
  @Test func undoLeadsToThePhotoAfterTheViewer() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("v")
    try await session.waitForText("Esc Back")
    session.type("\u{1B}")
    try await session.waitForText("q Quit")
    session.type("4")
    try await session.waitForText("2/3")
    session.type("j")
    try await session.waitForText("3/3")
    session.type("u")
    try await session.waitForTexts("Undone: 4 stars on a.jpg", "1/3")
    // In the viewer, it turns to the photo.
    session.type("3v")
    try await session.waitForText("b.jpg")
    session.type("nu")
    try await session.waitForTexts("Undone: 3 stars on a.jpg", "1/3", "Esc Back")
  }

  @Test func aRatingIsKeptInASidecarAndUndoneInTheNextSession() async throws {
    let before = try Data(contentsOf: photos.appending(path: "a.jpg"))
    let session = try await start()
    defer { session.close() }
    session.type("4")
    try await session.waitForTexts("4 stars on a.jpg", "2/3")
    try waitForSidecar("a.jpg") { $0?.contains("xmp:Rating>4<") == true }
    session.type("X")
    try await session.waitForTexts("Rejected: b.jpg", "✗ Rejected", "3/3")
    try waitForSidecar("b.jpg") { $0?.contains("xmp:Rating>-1<") == true }
    session.type("q")
    _ = try await session.waitForExit()
    let again = try await start()
    defer { again.close() }
    try await again.waitForTexts("★★★★", "✗ Rejected")
    again.type("U")
    // Undoing leads to the photo.
    try await again.waitForTexts("Undone: Rejected: b.jpg", "2/3")
    try waitForSidecar("b.jpg") { $0 == nil }
    again.type("U")
    try await again.waitForTexts("Undone: 4 stars on a.jpg", "1/3")
    try waitForSidecar("a.jpg") { $0 == nil }
    try await again.wait(for: "no rating") { !$0.contains("★ ") && !$0.contains("✗") }
    again.type("U")
    try await again.waitForText("There is nothing to undo.")
    again.type("\u{12}")
    try await again.waitForText("Redone: 4 stars on a.jpg")
    try waitForSidecar("a.jpg") { $0?.contains("xmp:Rating>4<") == true }
    #expect(try Data(contentsOf: photos.appending(path: "a.jpg")) == before)
    let history = try await run("history")
    #expect(history.contains(#/^20\d\d-\d\d-\d\d \d\d:\d\d  Rejected: b.jpg  \(undone\)\n20.*  4 stars on a.jpg\n$/#))
  }

  @Test func aRatingIsKeptIfTheUserQuitsAtOnce() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("*5q")
    #expect(try await session.waitForExit() == .exited(0))
    for name in ["a.jpg", "b.jpg", "c.jpg"] { #expect(sidecar(name)?.contains(">5<") == true, "\(name)") }
  }

  @Test func theViewerRatesAndMovesOn() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("v3")
    try await session.waitForTexts("b.jpg", "2/3")
    session.type("p")
    try await session.waitForTexts("a.jpg", "★★★", "1/3")
    session.type("A")
    try await session.waitForText("The photo stays after a rating.")
    session.type("Lg")
    try await session.waitForTexts("★★★", "■", "1/3")
    try waitForSidecar("a.jpg") { $0?.contains("Green") == true }
  }

  /// A narrow row has no room for a long rating and the date of the file.
  @Test func aRatingIsMoreImportantThanADate() async throws {
    let session = try await start(pictures: "symbols", columns: 80, rows: 24)
    defer { session.close() }
    #expect(session.screen.contains("file 20"))
    session.type("X*X")
    let screen = try await session.waitForTexts("Rejected: 3 photos", "✗ Rejected")
    #expect(!screen.contains("file 20"))
  }

  @Test func theMarkedPhotosAreRatedInTheContactSheet() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("c*5")
    try await session.waitForText("5 stars on 3 photos")
    for name in ["a.jpg", "b.jpg", "c.jpg"] { try waitForSidecar(name) { $0?.contains("xmp:Rating>5<") == true } }
    try await session.waitForTexts("3 marked", "★★★★★")
  }

  @Test func aSidecarThatCannotBeWrittenIsReported() async throws {
    try FileManager.default.createDirectory(
      at: photos.appending(path: "a.jpg.xmp"), withIntermediateDirectories: false)
    let session = try await start()
    defer { session.close() }
    session.type("2")
    try await session.waitForTexts(" Can't write the sidecar ", "is not a regular file")
  }

  @Test func keywordsAreCompletedFromTheCatalog() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("K")
    try await session.waitForTexts(" Keywords ", "Enter Save")
    session.type("seabird, two words\r")
    try await session.waitForTexts("Keywords +seabird +two words: a.jpg", "Keywords  seabird, two words")
    try waitForSidecar("a.jpg") { $0?.contains("two words") == true }
    // The second photo has only one of the two.
    session.type("jK")
    try await session.wait(for: "the keywords") { $0.alert.contains("seabird") && $0.alert.contains("two words") }
    session.type("wor")
    try await session.wait(for: "the completion") { screen in
      screen.alert.contains("wor") && screen.alert.contains("two words") && !screen.alert.contains("seabird")
    }
    session.type("\t\r")
    try waitForSidecar("b.jpg") { $0?.contains("two words") == true && $0?.contains("seabird") == false }
    // The viewer completes them, too.
    session.type("jvK")
    try await session.waitForTexts(" Keywords ", "3/3")
    session.type("seab")
    try await session.wait(for: "the completion") { $0.text.contains("seabird") }
    session.type("\u{1B}")
    try await session.wait(for: "the photo alone") { !$0.contains(" Keywords ") }
    session.type("\u{1B}")
    try await session.waitForText("c Sheet")
    session.type("k")
    try await session.waitForText("2/3")
    // Together, they have that one, which both lose.
    session.type("k  K")
    try await session.waitForTexts(" Keywords of 2 photos ", "two words, ")
    session.type("\u{15}\r")
    try waitForSidecar("a.jpg") { $0?.contains("two words") == false && $0?.contains("seabird") == true }
    try waitForSidecar("b.jpg") { $0?.contains("two words") != true }
  }

  @Test func aCaptionHasSeveralLines() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("v")
    try await session.waitForTexts("1/3", "Esc Back")
    session.type("T")
    try await session.waitForTexts(" Caption ", "Enter Save")
    session.type("A cat¶Chelsea\r")
    try waitForSidecar("a.jpg") { $0?.contains("A cat\nChelsea") == true }
    session.type("\u{1B}")
    try await session.waitForTexts("A cat", "Chelsea", "c Sheet")
    session.type("T\u{15}\r")
    try await session.waitForText("No caption: a.jpg")
    try waitForSidecar("a.jpg") { $0?.contains("A cat") != true }
  }

  @Test func aRotationIsKept() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("R")
    try await session.waitForTexts("Rotated: a.jpg", "300×451")
    try waitForSidecar("a.jpg") { $0?.contains("tiff:Orientation>6<") == true }
    session.type("vR")
    try await session.waitForTexts("1/3", "Rotated: a.jpg")
    try waitForSidecar("a.jpg") { $0?.contains("tiff:Orientation>3<") == true }
    session.type("UU")
    try await session.waitForText("Undone: Rotated: a.jpg")
    try waitForSidecar("a.jpg") { $0 == nil }
  }

  /// The frame is square, and then moved to the left edge.
  @Test func aCropIsKept() async throws {
    let session = try await start(pictures: "symbols")
    defer { session.close() }
    session.type("v")
    try await session.wait(for: "the image") {
      $0.contains("Esc Back") && Set($0.cells[10].map(\.style)).count > 20
    }
    session.type("c")
    try await session.waitForTexts("Crop", "Free · 451×300", "Tab Ratio")
    session.type("\t" + String(repeating: "h", count: 20))
    try await session.waitForText("1:1 · 300×300")
    session.type("\r")
    try await session.waitForTexts("Cropped: a.jpg · exports leave out the dark part", "1/3")
    try waitForSidecar("a.jpg") {
      $0?.contains("crs:CropLeft>0.000000<") == true && $0?.contains("crs:CropRight>0.665188<") == true
    }
    session.type("u")
    try await session.waitForText("Undone: Cropped: a.jpg")
    try waitForSidecar("a.jpg") { $0 == nil }
  }

  @Test func theStepsInAnotherFolderAreNotUndone() async throws {
    let other = folder.appending(path: "photos of another day")
    try FileManager.default.copyItem(at: photos, to: other)
    let first = try await start()
    first.type("5")
    try waitForSidecar("a.jpg") { $0 != nil }
    first.close()
    let second = try await start(other)
    defer { second.close() }
    second.type("U")
    try await second.waitForText("There is nothing to undo.")
    let again = try await start()
    defer { again.close() }
    again.type("U")
    try await again.waitForText("Undone: 5 stars on a.jpg")
    try waitForSidecar("a.jpg") { $0 == nil }
  }

  @Test func theStepsOfASessionAreUndoneTogether() async throws {
    let first = try await start()
    first.type("5")
    try waitForSidecar("a.jpg") { $0 != nil }
    first.close()
    let session = try await start()
    defer { session.close() }
    session.type("123")
    try waitForSidecar("c.jpg") { $0 != nil }
    session.type("\u{18}")
    try await session.waitForTexts(" Undo the session? ", "Undo all steps")
    session.type("y")
    try await session.waitForText("Undone: 3 steps")
    for name in ["b.jpg", "c.jpg"] { try waitForSidecar(name) { $0 == nil } }
    try waitForSidecar("a.jpg") { $0?.contains("xmp:Rating>5<") == true }
  }

  @Test func newSidecarsCanHaveShortNames() async throws {
    let session = try Program.start(
      "--sidecars", "short", photos.path,
      changes: ["XDG_STATE_HOME": folder.path + "/state", "XDG_CACHE_HOME": folder.path + "/cache"])
    defer { session.close() }
    try await session.waitForTexts("1/3", "451×300")
    session.type("5")
    try await session.waitForTexts("2/3", "★★★★★")
    session.type("q")
    _ = try await session.waitForExit()
    #expect(FileManager.default.fileExists(atPath: photos.appending(path: "a.xmp").path))
    #expect(sidecar("a.jpg") == nil)
  }

  @Test func photosOfACatalogAreNotRated() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("3")
    try await session.waitForText("Only the photos of a folder can be rated.")
  }
}
