import Glibc
import Harness
import TestLimit
import Testing

@Suite(.fewAtOnceAndFirst, .limited) struct TwoCopiesTests {
  /// The members of the wall, each with the keys that lead to it from the one before.
  private static let members = [
    ("Hugo Vesper", "jjj"), ("Edda Quill", "jj"), ("Cleo Marrowgate", "jjjj"), ("Dorian Pebble", "jjjj"),
    ("Alma Fernweh", "jjjjj"), ("Greta Umbral", "jjjj"), ("Finn Tarn", "jjj"), ("Bo Lindqvist-Pine", "jjjjj"),
  ]
  private static let firstHalf = 0..<4
  private static let secondHalf = 4..<8

  /// Opens the wall on a screen that shows all of it.
  private func open(_ home: Home) async throws -> TerminalSession {
    let session = try home.enter("wall", columns: 40, rows: 150)
    try await session.waitForText("1/32")
    return session
  }

  /// Presses the buttons of some members from the top down, without waiting for the answers.
  private func press(_ range: Range<Int>, in session: TerminalSession) {
    session.type(
      "gg"
        + Self.members.enumerated().prefix(range.upperBound).map { index, member in
          member.1 + (range.contains(index) ? "f" : "")
        }.joined())
  }

  private func wait(_ session: TerminalSession, for button: String, of range: Range<Int>) async throws {
    let names = Self.members[range].map(\.0)
    try await session.wait(for: "\(button) of \(names)") { screen in
      names.allSatisfy { screen.followButton(of: $0) == button }
    }
  }

  /// One copy follows the first four members and the other the last four at the same time. The first copy is killed while
  /// it unfollows some. Changes that either copy has shown as done are stored.
  @Test func changesShownAsDoneAreStored() async throws {
    let home = try Home()
    for _ in 1...3 {
      let (first, second) = (try await open(home), try await open(home))
      defer {
        first.close()
        second.close()
      }
      press(Self.firstHalf, in: first)
      press(Self.secondHalf, in: second)
      try await wait(first, for: "✓ Following", of: Self.firstHalf)
      try await wait(second, for: "✓ Following", of: Self.secondHalf)
      press(0..<2, in: first)
      press(Self.secondHalf, in: second)
      try await wait(first, for: "+ Follow", of: 0..<2)
      press(2..<3, in: first)
      first.kill(SIGKILL)
      #expect(try await first.waitForExit() == .signalled(SIGKILL))
      try await wait(second, for: "+ Follow", of: Self.secondHalf)
      press(6..<8, in: second)
      try await wait(second, for: "✓ Following", of: 6..<8)

      let third = try await open(home)
      defer { third.close() }
      // The third member's button was pressed, but the change was never shown as done.
      try await wait(third, for: "+ Follow", of: 0..<2)
      try await wait(third, for: "✓ Following", of: 3..<4)
      try await wait(third, for: "+ Follow", of: 4..<6)
      try await wait(third, for: "✓ Following", of: 6..<8)
      try await clear(third)
    }
  }

  /// Unfollows all members.
  private func clear(_ session: TerminalSession) async throws {
    for index in Self.members.indices where session.screen.followButton(of: Self.members[index].0) == "✓ Following" {
      press(index..<index + 1, in: session)
    }
    try await wait(session, for: "+ Follow", of: Self.members.indices)
  }

  @Test func bothCopiesMayFollowTheSameMember() async throws {
    let home = try Home()
    let (first, second) = (try await open(home), try await open(home))
    defer {
      first.close()
      second.close()
    }
    press(Self.members.indices, in: first)
    press(Self.members.indices, in: second)
    try await wait(first, for: "✓ Following", of: Self.members.indices)
    try await wait(second, for: "✓ Following", of: Self.members.indices)
    press(0..<1, in: second)
    try await wait(second, for: "+ Follow", of: 0..<1)
    // The other copy shows the change after a reload.
    first.type("r")
    try await wait(first, for: "+ Follow", of: 0..<1)
    try await wait(first, for: "✓ Following", of: 1..<8)
  }
}
