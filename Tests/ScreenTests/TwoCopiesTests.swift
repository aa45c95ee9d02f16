import Glibc
import Testing

@Suite(.fewAtOnce) struct TwoCopiesTests {
  /// The wall's members, and which keys lead from the one before to each.
  private static let members = [
    ("Hugo Vesper", "jjj"), ("Edda Quill", "jj"), ("Cleo Marrowgate", "jjjj"), ("Dorian Pebble", "jjjj"),
    ("Alma Fernweh", "jjjjj"), ("Greta Umbral", "jjjj"), ("Finn Tarn", "jjj"), ("Bo Lindqvist-Pine", "jjjjj"),
  ]
  private static let firstHalf = 0..<4
  private static let secondHalf = 4..<8

  /// Opens the wall on a screen that has all of it.
  private func open(_ home: Home) async throws -> TerminalSession {
    let session = try home.enter("wall", columns: 40, rows: 150)
    try await session.waitForText("1/32")
    return session
  }

  /// Presses the buttons of some members, one after another from the top, without waiting for what comes of it.
  private func press(_ range: Range<Int>, in session: TerminalSession) {
    session.type(
      "g"
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

  /// One copy follows the first four members, the other the last four, at the same time, and the first is killed while
  /// it takes some of it back: what either has shown as done is done.
  @Test func nothingIsLostThatWasShownAsDone() async throws {
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
      // The third member's button was pressed and never seen to be done.
      try await wait(third, for: "+ Follow", of: 0..<2)
      try await wait(third, for: "✓ Following", of: 3..<4)
      try await wait(third, for: "+ Follow", of: 4..<6)
      try await wait(third, for: "✓ Following", of: 6..<8)
      try await clear(third)
    }
  }

  /// Takes back whatever is followed.
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
    // The other copy learns of it when it loads anew.
    first.type("r")
    try await wait(first, for: "+ Follow", of: 0..<1)
    try await wait(first, for: "✓ Following", of: 1..<8)
  }
}
