import Foundation
import Testing

/// Ratings that the user gives the photos of a folder, which are kept in sidecars.
@Suite(.fewAtOnce) final class RatingTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for (name, photo) in [("a.jpg", "chelsea.jpg"), ("b.jpg", "coffee.jpg"), ("c.jpg", "rocket.jpg")] {
      try FileManager.default.copyItem(atPath: Program.photo(photo), toPath: photos.appending(path: name).path)
    }
  }

  private var photos: URL { folder.appending(path: "photos") }

  private func start(columns: Int = 120, rows: Int = 36) async throws -> TerminalSession {
    let session = try Program.start(
      photos.path, columns: columns, rows: rows,
      changes: ["XDG_STATE_HOME": folder.path + "/state", "XDG_CACHE_HOME": folder.path + "/cache"])
    try await session.waitForTexts("1/3", "451×300")
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

  private func waitForSidecar(_ name: String, _ condition: @Sendable @escaping (String?) -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while !condition(sidecar(name)) {
      guard ContinuousClock.now < end else {
        throw TimedOut(sidecar: sidecar(name) ?? "there is none")
      }
      await Task.yield()
    }
  }

  private struct TimedOut: Error { let sidecar: String }

  @Test func aRatingIsKeptInASidecarAndUndoneInTheNextSession() async throws {
    let before = try Data(contentsOf: photos.appending(path: "a.jpg"))
    let session = try await start()
    defer { session.close() }
    session.type("4")
    try await session.waitForTexts("★★★★: a.jpg", "2/3")
    try await waitForSidecar("a.jpg") { $0?.contains("4") == true && $0?.contains("Rating") == true }
    session.type("X")
    try await session.waitForTexts("Rejected: b.jpg", "✗ Rejected", "3/3")
    try await waitForSidecar("b.jpg") { $0?.contains("-1") == true }
    session.type("q")
    _ = try await session.waitForExit()
    let again = try await start()
    defer { again.close() }
    try await again.waitForTexts("★★★★", "✗ Rejected")
    again.type("U")
    try await again.waitForText("Undone: Rejected: b.jpg")
    try await waitForSidecar("b.jpg") { $0 == nil }
    again.type("U")
    try await again.waitForText("Undone: ★★★★: a.jpg")
    try await waitForSidecar("a.jpg") { $0 == nil }
    try await again.wait(for: "no rating") { !$0.contains("★ ") && !$0.contains("✗") }
    again.type("U")
    try await again.waitForText("There is nothing to undo.")
    again.type("\u{12}")
    try await again.waitForText("Redone: ★★★★: a.jpg")
    try await waitForSidecar("a.jpg") { $0?.contains("4") == true }
    #expect(try Data(contentsOf: photos.appending(path: "a.jpg")) == before)
    let history = try await run("history")
    #expect(history.contains(#/^20\d\d-\d\d-\d\d \d\d:\d\d  Rejected: b.jpg  \(undone\)\n20.*  ★★★★: a.jpg\n$/#))
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
    try await waitForSidecar("a.jpg") { $0?.contains("Green") == true }
  }

  /// A narrow row has no room for a long rating and the date of the file.
  @Test func aRatingIsMoreImportantThanADate() async throws {
    let session = try await start(columns: 80, rows: 24)
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
    try await session.waitForText("★★★★★: 3 photos")
    for name in ["a.jpg", "b.jpg", "c.jpg"] { try await waitForSidecar(name) { $0?.contains("5") == true } }
    try await session.waitForTexts("3 marked", "★★★★★")
  }

  @Test func aSidecarThatCannotBeWrittenIsReported() async throws {
    try FileManager.default.createDirectory(
      at: photos.appending(path: "a.jpg.xmp"), withIntermediateDirectories: false)
    let session = try await start()
    defer { session.close() }
    session.type("2")
    try await session.waitForTexts(" Can't keep the rating ", "is not a regular file")
  }

  @Test func photosOfACatalogAreNotRated() async throws {
    let session = try await Program.open()
    defer { session.close() }
    session.type("3")
    try await session.waitForText("Only the photos of a folder can be rated.")
  }
}
