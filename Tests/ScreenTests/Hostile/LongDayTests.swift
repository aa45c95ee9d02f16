import Testing
import Torture

/// A day's work leaves nothing behind: random keys in every room, with images loading all the while.
@Suite(.fewAtOnceAndFirst, .serialized) struct LongDayTests {
  private static let keysAtOnce = 10
  /// What may differ between two moments that are alike, in kB. The short form is over before the memory is what it comes
  /// to in the end: it finds what every key loses, not what some do.
  private static let mostGrowth = Torture.isLong ? 1024 : 4096
  /// An hour's, at one key a second. Three hours warm up: memory that is free lies between what is used in ever better
  /// order, and the fourth takes no more than they did.
  private static let keysInPart = Torture.rounds(200, long: 3600)

  @Test(.timeLimit(.minutes(60)), arguments: LongDay.Source.allCases, Torture.blocks(1, long: 2))
  func tortureRandomKeysLeaveNothingBehind(source: LongDay.Source, seed: Int) async throws {
    let day = try LongDay(source)
    defer { day.session.close() }
    var keys = RandomKeys(seed: seed)
    try await day.open()
    try await day.fill()
    var parts: [ProcessFigures] = []
    for part in 0..<4 { parts.append(try await spendPart(part, of: day, &keys, seed: seed)) }
    let figures: Comment = "\(source), seed \(seed): \(parts)"
    print(figures)
    // A sanitizer keeps what was freed.
    if !Sanitizer.isInUse {
      let warm = parts.dropLast().map(\.memory).max() ?? 0
      #expect(parts[3].memory - warm <= Self.mostGrowth, figures)
    }
    #expect(Set(parts.map(\.descriptors)).count == 1, figures)
    #expect(Set(parts.map(\.threads)).count == 1, figures)
    day.session.type("q")
    #expect(try await day.session.waitForExit() == .exited(0))
    for report in try day.reports { Issue.record("seed \(seed): \(report)") }
  }

  /// - Returns: What the program has at the end, back where it began and with nothing under way.
  private func spendPart(
    _ part: Int, of day: LongDay, _ keys: inout RandomKeys, seed: Int
  ) async throws -> ProcessFigures {
    var last: [String] = []
    do {
      for number in stride(from: 0, to: Self.keysInPart, by: Self.keysAtOnce) {
        let batch = keys.batch(of: Self.keysAtOnce, on: day.session.screen)
        last = last.suffix(4) + ["key \(part * Self.keysInPart + number): \(batch)"]
        try await day.type(batch)
      }
      try await day.settle(at: RandomKeys.usual)
    } catch {
      Issue.record("seed \(seed), \(last.joined(separator: "\n"))\n\((try? day.reports) ?? [])")
      throw error
    }
    // The thread sanitizer has a thread of its own that never rests.
    if !Sanitizer.isInUse {
      let fault = try await day.session.idleFault()
      #expect(fault == nil, "seed \(seed), part \(part)")
    }
    return try ProcessFigures(of: day.session.processID)
  }
}
