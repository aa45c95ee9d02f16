import Foundation
import GRDB
import Harness
import TestLimit
import Testing

/// Culls of the photos of a folder, by their keys.
@Suite(.fewAtOnce, .limited) final class CullTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  init() throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for name in ["a", "b", "c", "d", "e"] {
      let target = photos.appending(path: "\(name).jpg").path
      try FileManager.default.copyItem(atPath: Program.photo("chelsea.jpg"), toPath: target)
    }
  }

  private var photos: URL { folder.appending(path: "photos") }

  private func start(columns: Int = 120, rows: Int = 36) async throws -> TerminalSession {
    let session = try Program.start(
      photos.path, columns: columns, rows: rows,
      changes: ["XDG_STATE_HOME": folder.path + "/state", "XDG_CACHE_HOME": folder.path + "/cache"])
    // A later session begins at the photo of the one before.
    try await session.waitForTexts("/5", "451×300")
    return session
  }

  @Test func aCullLeadsThroughTheListedPhotosToItsSummary() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("Q")
    try await session.waitForTexts("1 of 5 · 0 picked · 0 rejected", "Enter Finish")
    session.type("4X")
    try await session.waitForTexts("3 of 5 · 1 picked · 1 rejected", "c.jpg")
    // A label keeps the photo, and the next key passes it without a decision.
    session.type("\u{1B}[17~")
    try await session.waitForTexts("3 of 5", "Label Red: c.jpg")
    session.type("n5")
    try await session.waitForTexts("5 of 5 · 2 picked · 1 rejected", "e.jpg")
    session.type("U")
    // Undoing leads back to the photo.
    try await session.waitForTexts("4 of 5 · 1 picked · 1 rejected", "d.jpg", "Undone")
    session.type("n")
    try await session.waitForTexts("5 of 5 · 1 picked · 1 rejected", "e.jpg")
    session.type("\r")
    let summary = try await session.waitForTexts(
      " 1 picked · 1 rejected · 3 undecided ", "p", "Show the picks", "Continue culling", "Done")
    #expect(summary.contains("Show the undecided"))
    session.type("c")
    try await session.waitForTexts("5 of 5", "Enter Finish")
    // So does the key for the next photo, if there is none,
    session.type("n")
    try await session.waitForText(" 1 picked · 1 rejected · 3 undecided ")
    session.type("c")
    try await session.waitForTexts("5 of 5", "Enter Finish")
    // and the decision about the last photo.
    session.type("X")
    try await session.waitForText(" 1 picked · 2 rejected · 2 undecided ")
    session.type("x")
    try await session.waitForTexts("is:rejected ✕", "2 of 5", "b.jpg", "e.jpg")
  }

  @Test func theNextCullBeginsAtTheFirstUndecidedPhoto() async throws {
    let session = try await start()
    session.type("Q")
    try await session.waitForText("1 of 5")
    session.type("13\r")
    try await session.waitForText(" 2 picked · 0 rejected · 3 undecided ")
    session.type("d")
    try await session.waitForTexts("c Sheet", "3/5")
    session.type("q")
    _ = try await session.waitForExit()
    let again = try await start(columns: 80, rows: 24)
    defer { again.close() }
    try await again.waitForTexts("★ ", "★★★")
    again.type("Q")
    try await again.waitForTexts("3 of 5 · 2 picked · 0 rejected", "c.jpg")
    again.type("\r")
    try await again.waitForText("Mark the picks")
    again.type("m")
    try await again.waitForTexts("2 marked", "✓")
  }

  /// Rates the first photo in a session of its own, and returns the journal.
  private func journalOfFirstSession() async throws -> DatabaseQueue {
    let session = try await start()
    defer { session.close() }
    session.type("3")
    try await session.waitForText("3 stars on a.jpg")
    session.type("q")
    #expect(try await session.waitForExit() == .exited(0))
    var configuration = Configuration()
    (configuration.busyMode, configuration.allowsUnsafeTransactions) = (.timeout(20), true)
    return try DatabaseQueue(
      path: folder.appending(path: "state/tintype/journal.sqlite").path, configuration: configuration)
  }

  /// While another program has the journal, nothing can be kept. The signal gives the terminal back at once, and ends the
  /// program when everything that the screen has shown is on the disk.
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func noSignalEndsTheProgramBeforeTheJournalHasTheDecisions(number: Int32) async throws {
    let journal = try await journalOfFirstSession()
    let session = try await start()
    defer { session.close() }
    try await session.waitForText("★★★")
    session.type("Q")
    try await session.waitForText("2 of 5 · 1 picked")
    try await journal.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    session.type("45X")
    try await session.waitForText("3 picked · 1 rejected")
    session.kill(number)
    try await session.expectGivenBack()
    try await journal.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(try await session.waitForExit() == .signalled(number))
    let titles = try await journal.read { try String.fetchAll($0, sql: "SELECT title FROM step ORDER BY id") }
    #expect(titles == ["3 stars on a.jpg", "4 stars on b.jpg", "5 stars on c.jpg", "Rejected: d.jpg"])
    // The next session writes what was not written.
    let again = try await start()
    defer { again.close() }
    try await again.waitForTexts("★★★★★", "✗ Rejected")
  }

  @Test func theScreenSaysThatDecisionsAreBeingSaved() async throws {
    let journal = try await journalOfFirstSession()
    let session = try await start()
    defer { session.close() }
    // The list opens at the photo at which the last session ended.
    try await session.waitForText("2/5")
    try await journal.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    session.type("45")
    try await session.waitForTexts("5 stars on c.jpg", "Saving 2 changes")
    try await journal.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    try await session.wait(for: "the saved changes") { !$0.contains("Saving") }
  }

  /// Otherwise, the next key would be about the photo that is decided.
  @Test func theNextPhotoFollowsARatingThatIsMadeAgain() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("Q")
    try await session.waitForText("1 of 5")
    session.type("4X")
    try await session.waitForTexts("3 of 5 · 1 picked · 1 rejected")
    session.type("uu")
    try await session.waitForTexts("1 of 5 · 0 picked · 0 rejected", "Undone")
    session.type("\u{12}")
    try await session.waitForTexts("2 of 5 · 1 picked · 0 rejected", "Redone")
    session.type("\u{12}")
    try await session.waitForTexts("3 of 5 · 1 picked · 1 rejected", "Redone")
    // A label does not turn to the next photo, and neither does one that is made again.
    session.type("\u{1B}[17~")
    try await session.waitForText("Label Red: c.jpg")
    session.type("u")
    try await session.waitForText("Undone")
    session.type("\u{12}")
    try await session.waitForTexts("3 of 5", "Redone")
    // In the list, it is the same.
    session.type("\u{1B}")
    try await session.waitForTexts("c Sheet", "3/5")
    session.type("2")
    try await session.waitForText("4/5")
    session.type("u")
    try await session.waitForText("3/5")
    session.type("\u{12}")
    try await session.waitForText("4/5")
  }

  @Test func theOrderOfACullStays() async throws {
    let session = try await start()
    defer { session.close() }
    session.type("/is:unrated\r")
    try await session.waitForTexts("5 of 5", "/ Search")
    session.type("Q")
    try await session.waitForText("1 of 5")
    session.type("111")
    try await session.waitForTexts("4 of 5 · 3 picked", "d.jpg")
    session.type("pp")
    try await session.waitForTexts("2 of 5 · 3 picked", "b.jpg")
    session.type("\u{1B}")
    try await session.waitForTexts("is:unrated ✕", "2 of 5")
  }
}
