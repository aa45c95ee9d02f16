import TestLimit
import Testing

@MainActor
@Suite(.limited) struct WaitTests {
  @Test func aWaitTimesOutAndReportsTheHistory() async throws {
    let history = History()
    history.add("loading true")
    await #expect {
      try await history.wait(for: 2, within: .milliseconds(1))
    } throws: { error in
      "\(error)".hasSuffix(#"for 2 entries; seen: ["loading true"]"#)
    }
    // A late entry does no harm, and another wait succeeds.
    history.add("loading false")
    try await history.wait(for: 2)
  }
}
