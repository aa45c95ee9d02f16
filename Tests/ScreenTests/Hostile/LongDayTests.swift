import Harness
import TestLimit
import Testing
import Torture

/// Long use leaks no memory, descriptors or threads: random keys in every room, while images load.
@Suite(.fewAtOnceAndFirst, .limited) struct LongDayTests {
  private static let keysAtOnce = 10
  /// The growth of memory that is allowed between two equal states, in kB.
  ///
  /// The short form ends before memory has reached its final size, so it finds only leaks that nearly every key causes.
  private static let mostGrowth = Torture.isLong ? 1024 : 4096
  /// The number of keys in each of the four parts. In the long form a part has the keys of an hour, one per second.
  ///
  /// Three parts warm up, because free memory is fragmented at first. The fourth must not need more than they did.
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
    // A sanitizer does not reuse freed memory.
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

  /// Types the keys of a part and returns to the initial state.
  /// - Returns: The figures of the program in that state, when it is idle.
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
    // The thread sanitizer has a background thread that never sleeps.
    if !Sanitizer.isInUse {
      let fault = try await day.session.idleFault()
      #expect(fault == nil, "seed \(seed), part \(part)")
    }
    return try ProcessFigures(of: day.session.processID)
  }
}
