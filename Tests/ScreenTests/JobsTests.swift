import Foundation
import Harness
import TestLimit
import Testing

/// Steps that take long: their progress, and the ways to stop them.
@Suite(.fewAtOnce, .limited) final class JobsTests {
  /// So many that no disk has copied all within half a second.
  private static let count = 6000

  /// A gray pixel as a PNG.
  private static let image =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="

  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
  private var photos: URL { folder.appending(path: "photos") }
  private var target: URL { folder.appending(path: "copies") }

  init() throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    let image = try #require(Data(base64Encoded: Self.image))
    for number in 0..<Self.count { try image.write(to: photos.appending(path: "p\(number).png")) }
  }

  /// Starts the gallery, and copies all photos until the progress is shown.
  private func startCopying() async throws -> TerminalSession {
    let session = try Program.start(photos.path, columns: 130, rows: 30, changes: Program.changes(home: folder))
    try await session.waitForText("6000 photos")
    session.type("*Y")
    try await session.waitForText("Copy 6000 photos to")
    session.type("../copies\r")
    try await session.waitForText("Copy nothing")
    session.type("y")
    try await session.wait(for: "the progress of the copies") {
      $0.lines[29].contains(/[━─] [1-9]\d* of 6000 · .* left.* gj: Jobs/)
    }
    return session
  }

  private var copyCount: Int { (try? FileManager.default.contentsOfDirectory(atPath: target.path).count) ?? 0 }

  @Test func aLongCopyIsStoppedInTheListOfJobs() async throws {
    let session = try await startCopying()
    defer { session.close() }
    // The user goes on while the photos are copied.
    session.type("j")
    try await session.waitForTexts("2/6000", "of 6000")
    session.type("gj")
    try await session.waitForTexts("Jobs", "Copy 6000 photos to copies", "Esc Stop")
    session.type("\u{1B}")
    try await session.waitForTexts("All steps are done.", "Stopped: Copy 6000 photos to copies")
    let count = copyCount
    #expect(count > 0 && count < Self.count)
    session.type("\r")
    try await session.wait(for: "the list alone") { !$0.contains("All steps are done.") }
    session.type("u")
    try await session.waitForText("Undone: Copy 6000 photos to copies")
    #expect(copyCount == 0)
  }

  /// Undo does not wait for all of what it takes back.
  @Test func undoStopsALongCopyFirst() async throws {
    let session = try await startCopying()
    defer { session.close() }
    session.type("u")
    try await session.waitForText("Undone: Copy 6000 photos to copies")
    #expect(copyCount == 0)
  }

  @Test func theNextStartGoesOnWithALongCopy() async throws {
    do {
      let session = try await startCopying()
      defer { session.close() }
      session.type("q")
      try await session.waitForTexts("Quit before the step is done?", "Copy 6000 photos to copies")
      session.type("y")
      #expect(try await session.waitForExit() == .exited(0))
    }
    #expect(copyCount < Self.count)
    let session = try Program.start(photos.path, columns: 130, rows: 30, changes: Program.changes(home: folder))
    defer { session.close() }
    // Fewer are left than there were.
    try await session.wait(for: "the progress of the rest") { $0.lines[29].contains(/of [1-6]\d{3}.* gj: Jobs/) }
    session.type("gj")
    try await session.waitForTexts("Steps that were interrupted", "Esc Stop")
    session.type("\u{1B}")
    try await session.waitForText("Stopped: Steps that were interrupted")
  }
}
