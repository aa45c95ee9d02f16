import Foundation
import Harness
import TestLimit
import TestPhotos
import Testing

/// Photos that consist of several files.
@Suite(.fewAtOnce, .limited) final class PhotoFilesScreenTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    // The contents of a file count, not its suffix, so each of these can be read.
    for (name, photo) in [
      ("a.jpg", "chelsea.jpg"), ("a.cr2", "coffee.jpg"), ("b.heic", "rocket.jpg"), ("c.jpg", "coffee.jpg"),
    ] {
      try FileManager.default.copyItem(atPath: Program.photo(photo), toPath: photos.appending(path: name).path)
    }
    try FileManager.default.copyItem(atPath: TestPhotos.path("film.mp4"), toPath: photos.appending(path: "b.mov").path)
  }

  private var photos: URL { folder.appending(path: "photos") }

  private func start(_ texts: String...) async throws -> TerminalSession {
    let session = try Program.start(
      photos.path, columns: 120, rows: 36,
      changes: ["XDG_STATE_HOME": folder.path + "/state", "XDG_CACHE_HOME": folder.path + "/cache"])
    try await session.waitForTexts("1/3", "451×300", "3 photos")
    return session
  }

  private func sidecars() -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: photos.path).filter { $0.hasSuffix(".xmp") }.sorted()) ?? []
  }

  private func waitForSidecars(_ names: [String]) throws {
    try waitForFiles(in: photos, "\(names), not \(sidecars())") { sidecars() == names }
  }

  @Test func aPhotoOfTwoFilesHasOneRowAndTabShowsTheOther() async throws {
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("RAW+JPEG", "HEIC+MOV", "a.jpg", "b.heic", "c.jpg")
    session.type("\t")
    try await session.waitForTexts("a.cr2", "600×400")
    session.type("v")
    try await session.waitForTexts("a.cr2", "1/3")
    session.type("\t")
    try await session.wait(for: "the JPEG") { $0.contains("a.jpg") && !$0.contains("a.cr2") }
    session.type("n")
    try await session.waitForTexts("b.heic", "2/3")
    session.type("\t")
    try await session.waitForTexts("b.mov", "2/3")
  }

  @Test func decisionsAndPathsAreThoseOfAllFiles() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("4")
    try await session.waitForTexts("4 stars on a.jpg", "2/3")
    try waitForSidecars(["a.cr2.xmp", "a.jpg.xmp"])
    session.type("X")
    try await session.waitForText("Rejected: b.heic")
    try waitForSidecars(["a.cr2.xmp", "a.jpg.xmp", "b.heic.xmp", "b.mov.xmp"])
    session.type("U")
    try await session.waitForText("Undone: Rejected: b.heic")
    try waitForSidecars(["a.cr2.xmp", "a.jpg.xmp"])
    session.press(.home)
    try await session.waitForText("1/3")
    session.type("y")
    try await session.waitForText("Copied: 2 paths")
  }
}
