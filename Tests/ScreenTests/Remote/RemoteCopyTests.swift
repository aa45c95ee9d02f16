import Foundation
import Harness
import TestLimit
import Testing

/// Copies of photos from another machine to this one, and their undo.
@Suite(.fewAtOnce, .limited) final class RemoteCopyTests: RemoteFixture {
  /// Gives the highlighted photo some stars, and copies it to a folder here. Returns the path of the copy.
  private func rateAndCopy(_ stars: Int, in session: TerminalSession) async throws -> URL {
    try await session.waitForTexts("1/3", "451×300")
    session.type("\(stars)k")
    try waitForSidecar("a.jpg") { $0?.contains("<xmp:Rating>\(stars)<") == true }
    return try await copy(in: session)
  }

  private func copy(in session: TerminalSession) async throws -> URL {
    let copy = server.home.deletingLastPathComponent().appending(path: "near/Copies/a.jpg")
    session.type("Y")
    try await session.waitForTexts("Copy a.jpg to", "name or ../name on nas, ~/name or /path on this machine")
    session.type("\(copy.deletingLastPathComponent().path)\r")
    try waitForFile(copy)
    try await session.waitForText("Done: Copy a.jpg")
    return copy
  }

  /// The photo comes with its sidecar and its own time, and the folder there is listed for the choice.
  @Test func aPhotoIsCopiedToAFolderHere() async throws {
    let session = try await start()
    defer { session.close() }
    let copy = try await rateAndCopy(4, in: session)
    let target = copy.deletingLastPathComponent()
    try waitForFile(target.appending(path: "a.jpg.xmp"))
    #expect(try Data(contentsOf: copy) == Data(contentsOf: photos.appending(path: "a.jpg")))
    #expect(try String(contentsOf: target.appending(path: "a.jpg.xmp"), encoding: .utf8).contains("<xmp:Rating>4<"))
    func mode(_ file: URL) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }
    #expect(try mode(copy) == mode(photos.appending(path: "a.jpg")))
    func time(_ file: URL) throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
    }
    #expect(try time(copy) == time(photos.appending(path: "a.jpg")))
    // Nothing is left of what came on the way.
    let fetched = target.deletingLastPathComponent().appending(path: "CACHE/tintype/fetched")
    try wait("nothing is left in the cache") {
      (try? FileManager.default.subpathsOfDirectory(atPath: fetched.path))?.isEmpty ?? false
    }
  }

  /// A copy to this machine is the last step, so it is undone first. What was undone before it stays.
  @Test func aCopyToThisMachineIsUndoneAndMadeAgain() async throws {
    let session = try await start()
    defer { session.close() }
    let copy = try await rateAndCopy(2, in: session)
    // The stars are there already, so this is no step.
    session.type("2ku")
    try await session.waitForText("Undone: Copy a.jpg")
    try wait("the copy is gone") { !FileManager.default.fileExists(atPath: copy.path) }
    #expect(sidecar("a.jpg")?.contains("<xmp:Rating>2<") == true)
    session.type("\u{12}")
    try waitForFile(copy)
    session.type("u")
    try wait("the copy is gone again") { !FileManager.default.fileExists(atPath: copy.path) }
    session.type("u")
    try waitForSidecar("a.jpg") { $0 == nil }
  }

  /// The stars are of an earlier session, so they stay.
  @Test func aSessionThatHasOnlyCopiedIsUndone() async throws {
    let first = try await start()
    defer { first.close() }
    let old = try await rateAndCopy(3, in: first)
    first.type("uq")
    _ = try await first.waitForExit()
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "★★★")
    let copy = try await copy(in: session)
    #expect(copy == old)
    session.type("\u{18}")
    try await session.waitForText("Undo the session")
    session.type("y")
    try wait("the copy is gone") { !FileManager.default.fileExists(atPath: copy.path) }
    try await session.waitForText("Undone: Copy a.jpg")
    #expect(sidecar("a.jpg")?.contains("<xmp:Rating>3<") == true)
  }

  /// A copy that is there already is of the session that has made it.
  @Test func theUndoOfACopyLeavesEarlierCopies() async throws {
    let first = try await start()
    defer { first.close() }
    let old = try await rateAndCopy(3, in: first)
    first.type("q")
    _ = try await first.waitForExit()
    let session = try await start()
    defer { session.close() }
    try await session.waitForTexts("1/3", "★★★")
    session.type("  Y")
    try await session.waitForText("Copy 2 photos to")
    session.type("\(old.deletingLastPathComponent().path)\r")
    try await session.waitForTexts("1 name is taken there.", "y  Copy")
    session.type("y")
    let new = old.deletingLastPathComponent().appending(path: "b.jpg")
    try await session.waitForText("Done: Copy 2 photos")
    #expect(FileManager.default.fileExists(atPath: new.path))
    session.type("u")
    try await session.waitForText("Undone: Copy 2 photos")
    #expect(!FileManager.default.fileExists(atPath: new.path) && FileManager.default.fileExists(atPath: old.path))
  }
}
