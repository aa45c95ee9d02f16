import Testing

/// What the tests wait with: without a limit, a mistake would make them wait for ever.
@MainActor
@Suite struct WaitTests {
  @Test func waitingHasALimitAndSaysWhatWasSeen() async throws {
    let history = History()
    history.add("loading true")
    await #expect {
      try await history.wait(for: 2, within: .milliseconds(1))
    } throws: { error in
      "\(error)".hasSuffix(#"for 2 entries; seen: ["loading true"]"#)
    }
    // What comes late does no harm, nor does waiting again.
    history.add("loading false")
    try await history.wait(for: 2)
  }
}
