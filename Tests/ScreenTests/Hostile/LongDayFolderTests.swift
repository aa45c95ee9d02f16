import Foundation
import GRDB
import Harness
import TestLimit
import Testing
import Torture

/// A folder may change in any way while the gallery shows it, also with a full disk: nothing accumulates, nothing wakes the gallery
/// afterwards, and no decision is lost.
@Suite(
  .fewAtOnceAndFirst, .enabled(if: TestFileSystem.canBeMade, "NOT RUN: only root can make a full disk"), .limited)
struct LongDayFolderTests {
  private static let photoCount = Torture.rounds(40, long: 5000)
  /// The number of keys in each of the four parts. The long form has the keys of two hours, one per second.
  private static let keysInPart = Torture.rounds(40, long: 1800)
  private static let outputs: [LongDay.Output] = Torture.isLong ? LongDay.Output.allCases : [.symbols, .tmux]
  /// The growth of memory that is allowed between two states, in kB. They have other orders, marks and sizes of rows, which is more
  /// with thousands of photos.
  private static let mostGrowth = Torture.rounds(4096, long: 16_384)

  @Test(.timeLimit(.minutes(Torture.pace == nil ? 60 : 240)), arguments: outputs)
  func tortureRandomKeysWhileTheFolderChanges(output: LongDay.Output) async throws {
    if output == .tmux, !Tmux.isInstalled { return }
    let folder = try #require(try ChangingFolder(photoCount: Self.photoCount, seed: 1))
    let day = try LongDay(folder, as: output)
    defer { day.session.close() }
    try await day.session.wait(for: "the photos") { $0.contains("/\(Self.photoCount)") }
    var keys = RandomKeys(seed: 1)
    var parts: [ProcessFigures] = []
    for part in 0..<4 { parts.append(try await spendPart(part, of: day, folder, &keys)) }
    try await day.end(parts, mostGrowth: Self.mostGrowth, "\(output)")
    try waitForSteps(day)
  }

  /// Types the keys of a part while the folder changes, then brings it back and returns to the initial state.
  private func spendPart(
    _ part: Int, of day: LongDay, _ folder: ChangingFolder, _ keys: inout RandomKeys
  ) async throws -> ProcessFigures {
    try await day.spend(
      Self.keysInPart, of: &keys, "part \(part)", before: { folder.change() },
      ending: {
        folder.fill()
        try folder.restore()
        try await day.openList()
        try await decide(part + 1, day, folder)
        try waitForSteps(day)
        try await day.openList()
      })
  }

  /// Gives the photo that is kept some stars on a full disk and others when there is room again, and waits until these are in its
  /// sidecar.
  private func decide(_ stars: Int, _ day: LongDay, _ folder: ChangingFolder) async throws {
    let last = 6 - stars
    try await rate(stars, day, folder) { folder.fill() }
    // The disk may also be full of what has been exported to the folder.
    try folder.restore()
    try await day.openList()
    try await rate(last, day, folder)
    // Both are kept after what was undone before, which may be about thousands of marked photos several times.
    try await day.session.wait(for: "the changes to be kept", timeout: .seconds(1200)) { !$0.contains("Saving ") }
    try waitForFiles(in: folder.photos, try account(of: last, day, folder), timeout: .seconds(600)) {
      folder.keptRating == last
    }
  }

  /// Gives the photo that is kept some stars. Marks come back with photos that were gone, and an alert may open late: both may take the
  /// key.
  private func rate(
    _ stars: Int, _ day: LongDay, _ folder: ChangingFolder, before: () -> Void = {}
  ) async throws {
    let note = "\(stars) \(stars == 1 ? "star" : "stars") on \(ChangingFolder.kept)"
    for _ in 0..<10 {
      try await find(day, folder)
      // Without a search, the key unmarks all, or marks all first.
      for _ in 0..<10 where Self.hasMarks(day.session.screen) {
        try await day.openList()
        try day.type("*")
        _ = try? await day.session.wait(for: "no marks", timeout: .seconds(10)) { !Self.hasMarks($0) }
        try await find(day, folder)
      }
      #expect(!Self.hasMarks(day.session.screen))
      before()
      try day.type("\(stars)")
      if (try? await day.session.wait(for: note, timeout: .seconds(20)) { $0.contains(note) }) != nil { return }
      folder.makeRoom()
      try await day.openList()
    }
    Issue.record("no \(note)\n\(day.session.screen.lines.joined(separator: "\n"))")
  }

  /// Returns whether keys are about marked photos. While photos are loading, only the hints say so.
  private static func hasMarks(_ screen: Screen) -> Bool {
    screen.contains(" marked") || screen.lines.contains { $0.contains(#/1-5 Rate \d/#) }
  }

  /// Says where the stars may be that are not in the sidecar of the photo that is kept.
  private func account(of stars: Int, _ day: LongDay, _ folder: ChangingFolder) throws -> String {
    let journal = try DatabaseQueue(path: day.journal)
    let steps = try journal.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT 'step ' || id || ': ' || title || ', undone ' || isUndone || ', parts ' || count(*) || ', waiting '
            || sum(isWaiting) || ', of the photo ' || sum(instr(photo, CAST('\(ChangingFolder.kept)' AS BLOB)) > 0)
          FROM step JOIN part ON stepID = id GROUP BY id ORDER BY id DESC LIMIT 12
          """)
    }
    return """
      \(stars) stars in the sidecar, not \(folder.keptRating ?? 0); \(folder.freeBlocks) free blocks
      \(steps.joined(separator: "\n"))
      \(day.session.screen.lines.joined(separator: "\n"))
      """
  }

  /// Searches for the photo that is kept.
  private func find(_ day: LongDay, _ folder: ChangingFolder) async throws {
    // Marks that the search leaves out can take the place of the count in the header.
    let isFound = { @Sendable (screen: Screen) in
      screen.contains("kept.jpg") && ["1 of \(Self.photoCount) photos", "1/1 "].contains(where: screen.contains)
    }
    try day.type("/name:kept\r")
    if (try? await day.session.wait(for: "it", timeout: .seconds(20), until: isFound)) != nil { return }
    // While the folder is away, there is nothing to search. An export that has waited for room adds a photo.
    try folder.restore()
    try await day.openList()
    try day.type("/name:kept\r")
    try await day.session.wait(for: "the photo that is kept", until: isFound)
  }

  /// Waits until every step about a photo that is there has been written. Thousands of marked photos may have been rated.
  private func waitForSteps(_ day: LongDay) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(20)
    let journal = try DatabaseQueue(path: day.journal, configuration: configuration)
    let folder = URL(filePath: day.journal).deletingLastPathComponent()
    try waitForFiles(in: folder, "the steps", timeout: .seconds(600)) {
      try journal.read { db in
        // To read them all at each change would slow the program down.
        let photos = try String.fetchCursor(db, sql: "SELECT CAST(photo AS TEXT) FROM part WHERE isWaiting")
        return try !photos.contains(where: FileManager.default.fileExists)
      }
    }
    #expect(try journal.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM part") ?? 0 } > 0)
  }
}
