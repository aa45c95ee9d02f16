import Foundation
import Harness
import TestLimit
import Testing
import WebServer

/// Folders on WebDAV and S3 servers as the user sees them.
@Suite(.fewAtOnce, .limited) final class FileServerScreenTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private var photos: URL { folder.appending(path: FileServerProcess.bucket) }

  init() throws {
    let trip = photos.appending(path: "My trip")
    try FileManager.default.createDirectory(at: trip, withIntermediateDirectories: true)
    for (name, place) in [("alps-snow.jpg", photos), ("budgerigar.jpg", photos), ("casa-mila.jpg", trip)] {
      try FileManager.default.copyItem(atPath: Program.bundledPhoto(name), toPath: place.appending(path: name).path)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func open(_ server: FileServerProcess, _ below: String = "") throws -> TerminalSession {
    let changes = Program.changes(home: folder.appending(path: "home")).merging(server.environment) { $1 }
    return try Program.start("--pictures", "symbols", server.address + below, changes: changes)
  }

  private func waitForImage(_ session: TerminalSession) async throws {
    try await session.wait(for: "the image in the detail") {
      colors(of: $0, rows: 5..<24, columns: 50..<119).count > 200
    }
  }

  private func sidecar(_ name: String) -> String? {
    try? String(contentsOf: photos.appending(path: name + ".xmp"), encoding: .utf8)
  }

  @Test(arguments: FileServerProcess.Kind.allCases) func photosAreShownAndRated(kind: FileServerProcess.Kind)
    async throws
  {
    let server = try FileServerProcess(kind, files: photos.path)
    let session = try open(server)
    defer { session.close() }
    try await session.waitForTexts("Alpine snow", "Budgerigar", "HUAWEI PRA-LX1", "1/3")
    try await waitForImage(session)
    session.type("4")
    try await session.waitForTexts("4 stars on Alpine snow", "2/3")
    try waitForFiles(in: photos, "the sidecar") { sidecar("alps-snow.jpg")?.contains("<xmp:Rating>4<") == true }
    session.type("u")
    try await session.waitForText("Undone: 4 stars on Alpine snow")
    try waitForFiles(in: photos, "no sidecar") { sidecar("alps-snow.jpg") == nil }
    // What was decided is there the next time.
    session.type("gg3q")
    #expect(try await session.waitForExit() == .exited(0))
    let next = try open(server)
    defer { next.close() }
    try await next.waitForTexts("Alpine snow", "★★★")
  }

  /// What is fetched for the metadata has the previews in it.
  @Test func theFirstPartOfAFileIsFetchedOnce() async throws {
    let server = try FileServerProcess(.s3, files: photos.path)
    let session = try open(server)
    defer { session.close() }
    try await session.waitForTexts("HUAWEI PRA-LX1", "1/3")
    session.type("c")
    try await session.wait(for: "the tiles") { colors(of: $0, rows: 2..<34, columns: 0..<119).count > 600 }
    let parts = try server.requests.filter { $0.range != nil }.map {
      "\($0.path.split(separator: "/").last ?? "") \($0.range ?? "")"
    }
    #expect(Set(parts).count == parts.count && parts.count >= 3, "\(parts)")
  }

  @Test func foldersAreInTheListOfFolders() async throws {
    let server = try FileServerProcess(.rclone, files: photos.path)
    let session = try open(server)
    defer { session.close() }
    try await session.waitForText("1/3")
    session.type("gf")
    try await session.waitForTexts("On this server", "My trip")
    session.type("my trip\r")
    try await session.waitForTexts("My trip", "Courtyard of Casa Milà", "1/1")
    try await waitForImage(session)
  }

  @Test func photosStayAndDecisionsWaitWithoutTheServer() async throws {
    let server = try FileServerProcess(.s3, files: photos.path)
    let first = try open(server)
    try await first.waitForTexts("1/3", "HUAWEI PRA-LX1")
    try await waitForImage(first)
    try server.fail(503)
    first.type("5")
    try await first.waitForTexts("Not sent yet", "sent with the next one or at")
    first.type("\rq")
    #expect(try await first.waitForExit() == .exited(0))
    let second = try open(server)
    defer { second.close() }
    // The list says that it is from the cache.
    try await second.waitForText("Not sent yet")
    second.type("\r")
    try await second.waitForTexts("Alpine snow", "★★★★★", "HUAWEI PRA-LX1", "as of 20")
    try await waitForImage(second)
    #expect(sidecar("alps-snow.jpg") == nil)
    try server.fail(0)
    // The next change takes the earlier one with it.
    second.type("ggj2")
    try waitForFiles(in: photos, "both sidecars") {
      sidecar("alps-snow.jpg")?.contains("<xmp:Rating>5<") == true
        && sidecar("budgerigar.jpg")?.contains("<xmp:Rating>2<") == true
    }
  }

  @Test func originalsAreCopiedToAFolder() async throws {
    let server = try FileServerProcess(.apache, files: photos.path)
    let session = try open(server)
    defer { session.close() }
    try await session.waitForTexts("Alpine snow", "1/3")
    let out = folder.appending(path: "out")
    session.type("Y")
    try await session.waitForText("─ Copy Alpine snow to ─")
    session.type("\(out.path)\r")
    let copy = out.appending(path: "alps-snow.jpg")
    try waitForFiles(in: folder, "the copy") { FileManager.default.fileExists(atPath: copy.path) }
    #expect(
      FileManager.default.contentsEqual(atPath: copy.path, andPath: photos.appending(path: "alps-snow.jpg").path))
  }

  @Test(arguments: [
    (["dav://"], "is not a valid one"), (["s3://a:1/b"], "is not a valid one"),
    (["davs://a.invalid", "/tmp"], "can't be combined with other sources"),
    (["davs://ana:secret@a.invalid"], "is not a valid one"),
  ])
  func wrongArgumentsAreExplained(arguments: [String], message: String) async throws {
    let session = try Program.start(
      Program.path, arguments, size: Size(columns: 160, rows: 20), changes: Program.changes(home: folder))
    defer { session.close() }
    try await session.waitForText(message)
  }
}
