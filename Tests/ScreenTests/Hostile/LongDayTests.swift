import Harness
import TestLimit
import Testing
import Torture

/// Long use leaks no memory, descriptors or threads: random keys in every room, while images load.
@Suite(.fewAtOnceAndFirst, .limited) struct LongDayTests {
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
    try await day.end(parts, mostGrowth: Self.mostGrowth, "\(source), seed \(seed)")
  }

  /// Types the keys of a part and returns to the initial state.
  /// - Returns: The figures of the program in that state, when it is idle.
  private func spendPart(
    _ part: Int, of day: LongDay, _ keys: inout RandomKeys, seed: Int
  ) async throws -> ProcessFigures {
    try await day.spend(
      Self.keysInPart, of: &keys, "seed \(seed), part \(part)", before: {},
      ending: { try await day.settle(at: RandomKeys.usual) })
  }
}
