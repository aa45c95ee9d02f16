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
    try await find(day, folder)
    // Stars are for the marked photos, if there are any. Without a search, the key unmarks all, or marks all first. The marks of the
    // last visit, or an alert, may come late.
    for _ in 0..<10 where day.session.screen.contains(" marked") {
      try await day.openList()
      try day.type("*")
      _ = try? await day.session.wait(for: "no marks", timeout: .seconds(10)) { !$0.contains(" marked") }
      try await find(day, folder)
    }
    #expect(!day.session.screen.contains(" marked"))
    folder.fill()
    try day.type("\(stars)")
    try await day.session.wait(for: "the stars") { screen in
      screen.lines.contains { $0.contains("kept.jpg") } && screen.contains("\(stars) star")
    }
    folder.makeRoom()
    // The first key closes the alert, which may come late and take the second one.
    let last = 6 - stars
    for _ in 0..<3 {
      try day.type("\u{1B}[27u\(last)")
      let isShown = try? await day.session.wait(for: "the last stars", timeout: .seconds(20)) {
        $0.alert.isEmpty && $0.contains("\(last) star")
      }
      if isShown != nil { break }
    }
    // Thousands of marked photos may have been rated before.
    try waitForFiles(
      in: folder.photos, "\(last) stars in the sidecar, not \(folder.keptRating ?? 0)", timeout: .seconds(600)
    ) {
      folder.keptRating == last
    }
  }

  /// Searches for the photo that is kept.
  private func find(_ day: LongDay, _ folder: ChangingFolder) async throws {
    let found = "1 of \(Self.photoCount) photos"
    try day.type("/name:kept\r")
    if (try? await day.session.wait(for: "it", timeout: .seconds(20)) { $0.contains(found) }) != nil { return }
    // While the folder is away, there is nothing to search. An export that has waited for room adds a photo.
    try folder.restore()
    try await day.openList()
    try day.type("/name:kept\r")
    try await day.session.waitForText(found)
  }

  /// Waits until every step about a photo that is there has been written. Thousands of marked photos may have been rated.
  private func waitForSteps(_ day: LongDay) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(20)
    let journal = try DatabaseQueue(path: day.journal, configuration: configuration)
    let folder = URL(filePath: day.journal).deletingLastPathComponent()
    try waitForFiles(in: folder, "the steps", timeout: .seconds(600)) {
      let waiting = try journal.read {
        try String.fetchAll($0, sql: "SELECT CAST(photo AS TEXT) FROM part WHERE isWaiting")
      }
      return !waiting.contains(where: FileManager.default.fileExists)
    }
    #expect(try journal.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM part") ?? 0 } > 0)
  }
}
