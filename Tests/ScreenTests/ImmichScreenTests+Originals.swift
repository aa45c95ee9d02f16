import Foundation
import Harness
import TestLimit
import TestPhotos
import Testing
import WebServer

/// The originals of an Immich server: copies, exports and movies.
extension ImmichScreenTests {
  private var out: URL { folder.appending(path: "out") }
  private var files: [String]? { (try? FileManager.default.contentsOfDirectory(atPath: out.path))?.sorted() }

  /// Exports the marked photos for the web.
  private func exportAll(_ session: TerminalSession) async throws {
    session.type("E2")
    try await session.waitForText("─ Export 2 photos to ─")
    session.type("\(out.path)\r")
    try await session.waitForText("2 new files")
    session.type("y")
  }

  @Test func originalsAreCopiedToAFolder() async throws {
    try makeSmaller("thumbnail", "preview")
    let server = try FakeImmich(photos: photos.path)
    let session = try open(server.address)
    defer { session.close() }
    try await session.waitForText("1/2")
    session.type("Y")
    try await session.waitForText("─ Copy gull.jpg to ─")
    session.type("\(out.path)\r")
    try waitForFiles(in: folder, "the copy") { files == ["gull.jpg"] }
    #expect(
      FileManager.default.contentsEqual(
        atPath: out.appending(path: "gull.jpg").path, andPath: photos.appending(path: "gull.jpg").path))
    session.type("u")
    try await session.waitForText("Undone: Copy gull.jpg to out")
    #expect(files == nil)
    // All that are marked.
    session.type("*Y")
    try await session.waitForText("─ Copy 2 photos to ─")
    session.type("\(out.path)\r")
    try await session.waitForTexts("Copy to", "2 files")
    session.type("y")
    try waitForFiles(in: folder, "the copies") { files == ["gull.jpg", "kitten.jpg"] }
  }

  @Test func photosAreExported() async throws {
    try makeSmaller("thumbnail", "preview")
    let server = try FakeImmich(photos: photos.path)
    let session = try open(server.address)
    defer { session.close() }
    try await session.waitForText("1/2")
    session.type("*")
    try await exportAll(session)
    try waitForFiles(in: folder, "the new files") { files == ["gull.jpg", "kitten.jpg"] }
    // They are made of the originals, which have other sides than the smaller versions.
    let lists = try await Script.run(
      "for i in out photos; do \"$0\" list $i --format json | grep -oE '\"(width|height)\": *[0-9]+'; echo; done",
      in: folder,
      changes: Program.changes(home: folder).compactMapValues(\.self))
    let sides = lists.output.components(separatedBy: "\n\n")
    #expect(sides.count == 3 && sides[1].hasPrefix(sides[0]) && sides[0].count > 40, "\(lists)")
    try await session.waitForText("Export 2 photos to out")
    session.type("u")
    try await session.waitForText("Undone: Export 2 photos to out")
    #expect(files == nil)
    try server.fail(503)
    try await exportAll(session)
    try await session.waitForTexts("Not exported yet", "with the next step or at the next start.")
    session.type("\r")
    try server.fail(0)
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    let second = try open(server.address)
    defer { second.close() }
    try await second.waitForText("1/2")
    try waitForFiles(in: folder, "the new files") { files == ["gull.jpg", "kitten.jpg"] }
  }

  @Test func theCommandExports() async throws {
    let server = try FakeImmich(photos: photos.path)
    var changes = Program.changes(home: folder).compactMapValues(\.self)
    changes["TINTYPE_TOKEN"] = FakeImmich.key
    let script = """
      "$0" export \(server.address) --to out --long-edge 64 --format png
      "$0" export \(server.address) --to out --long-edge 64 --format png --if-taken skip
      """
    let result = try await Script.run(script, in: folder, changes: changes)
    let names = ["gull.png", "kitten.png"]
    #expect(result.output == names.map { "\(folder.path)/out/\($0)\n" }.joined())
    #expect(result.errors == names.map { "\($0.dropLast(3))jpg: skipped, \(folder.path)/out/\($0) exists\n" }.joined())
    #expect(files == names)
    #expect(try server.requests.count { $0.path.hasSuffix("/original") } == 2)
  }

  @Test func theMovieOfALivePhotoPlays() async throws {
    try makeSmaller("thumbnail", "preview")
    let movies = photos.appending(path: "movies")
    try FileManager.default.createDirectory(at: movies, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: TestPhotos.path("film.mp4"), toPath: movies.appending(path: "gull.jpg").path)
    let server = try FakeImmich(photos: photos.path)
    let session = try open(server.address)
    defer { session.close() }
    try await session.waitForTexts("1/2", "JPEG+MP4  ▶ Live")
    session.type("Y")
    try await session.waitForText("─ Copy gull.jpg to ─")
    session.type("\(out.path)\r")
    try waitForFiles(in: folder, "the copies") { files == ["gull.jpg", "gull.mp4"] }
    // The files of a photo have the same number.
    session.type("u")
    try await session.waitForText("Undone: Copy gull.jpg to out")
    try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
    try Data().write(to: out.appending(path: "gull.jpg"))
    session.type("Y")
    try await session.waitForText("─ Copy gull.jpg to ─")
    session.type("\(out.path)\r")
    try waitForFiles(in: folder, "the copies") { files == ["gull-2.jpg", "gull-2.mp4", "gull.jpg"] }
    // The decision is about the photo alone.
    session.type("5")
    try wait(until: server, hasGot: [#"{"rating":5}"#])
    session.type("gg")
    session.type("v")
    try await session.waitForText("p Play")
    session.type("p")
    try await session.wait(for: "the movie") { $0.contains("/ 0:09") }
  }
}
