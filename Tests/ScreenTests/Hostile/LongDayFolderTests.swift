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
  private static let keysAtOnce = 10
  /// The number of keys in each of the four parts. The long form has the keys of two hours, one per second.
  private static let keysInPart = Torture.rounds(40, long: 1800)
  private static let outputs: [LongDay.Output] = Torture.isLong ? LongDay.Output.allCases : [.symbols]
  /// The growth of memory that is allowed between two equal states, in kB.
  private static let mostGrowth = 4096

  @Test(.timeLimit(.minutes(60)), arguments: outputs)
  func tortureRandomKeysWhileTheFolderChanges(output: LongDay.Output) async throws {
    if output == .tmux, !Tmux.isInstalled { return }
    let folder = try #require(try ChangingFolder(photoCount: Self.photoCount, seed: 1))
    let day = try LongDay(folder, as: output)
    defer { day.session.close() }
    try await day.session.wait(for: "the photos") { $0.contains("/\(Self.photoCount)") }
    var keys = RandomKeys(seed: 1)
    var parts: [ProcessFigures] = []
    for part in 0..<4 { parts.append(try await spendPart(part, of: day, folder, &keys)) }
    let figures: Comment = "\(output): \(parts)"
    print(figures)
    if !Sanitizer.isInUse {
      let warm = parts.dropLast().map(\.memory).max() ?? 0
      #expect(parts[3].memory - warm <= Self.mostGrowth, figures)
    }
    #expect(Set(parts.map(\.descriptors)).count == 1, figures)
    #expect(Set(parts.map(\.threads)).count == 1, figures)
    day.session.type("q")
    #expect(try await day.session.waitForExit() == .exited(0))
    for report in try day.reports { Issue.record("\(report)") }
    try await expectNothingWaits(day, folder)
  }

  /// Types the keys of a part while the folder changes, then brings it back and returns to the initial state.
  private func spendPart(
    _ part: Int, of day: LongDay, _ folder: ChangingFolder, _ keys: inout RandomKeys
  ) async throws -> ProcessFigures {
    var last: [String] = []
    do {
      for number in stride(from: 0, to: Self.keysInPart, by: Self.keysAtOnce) {
        folder.change()
        let batch = keys.batch(of: Self.keysAtOnce, on: day.session.screen)
        last = last.suffix(4) + ["key \(part * Self.keysInPart + number): \(batch)"]
        try await day.type(batch)
      }
      folder.fill()
      try folder.restore()
      try await day.openList()
      try await decide(part + 1, day, folder)
      try await day.openList()
    } catch {
      Issue.record("\(day.session.screen.lines.joined(separator: "\n"))")
      Issue.record("\(last.joined(separator: "\n"))\n\((try? day.reports) ?? [])")
      throw error
    }
    let process = try day.processID
    if !Sanitizer.isInUse {
      let fault = try await day.session.idleFault(of: process == day.session.processID ? nil : [process])
      #expect(fault == nil, "part \(part)")
    }
    return try ProcessFigures(of: process)
  }

  /// Gives the photo that is kept some stars on a full disk and others when there is room again, and waits until these are in its
  /// sidecar.
  private func decide(_ stars: Int, _ day: LongDay, _ folder: ChangingFolder) async throws {
    day.session.type("/name:kept\r")
    try await day.session.waitForText("1/1")
    // Stars are for the marked photos, if there are any.
    day.session.type("*")
    folder.fill()
    day.session.type("\(stars)")
    try await day.session.wait(for: "the stars") { screen in
      screen.lines.contains { $0.contains("kept.jpg") } && screen.contains("\(stars) star")
    }
    folder.makeRoom()
    // The first key closes the alert.
    let last = 6 - stars
    day.session.type("\u{1B}[27u\(last)")
    try waitForFiles(in: folder.photos, "\(last) stars in the sidecar, not \(folder.keptRating ?? 0)") {
      folder.keptRating == last
    }
  }

  /// Expects that every step about a photo that is there has been written.
  private func expectNothingWaits(_ day: LongDay, _ folder: ChangingFolder) async throws {
    let journal = try DatabaseQueue(path: day.journal)
    let waiting = try await journal.read {
      try String.fetchAll($0, sql: "SELECT CAST(photo AS TEXT) FROM part WHERE isWaiting")
    }
    #expect(waiting.filter { FileManager.default.fileExists(atPath: $0) } == [])
    let count = try await journal.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM part") } ?? 0
    print("\(count) decisions in the journal")
    #expect(count > 3)
  }
}
