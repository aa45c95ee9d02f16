import Synchronization

/// A clock whose sleeps end when the test says so.
final class HeldClock: Clock, Sendable {
  private struct State {
    var sleepers: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    var canceled: Set<Int> = []
    var lastID = 0
    /// The number of ends that came before their sleeps.
    var ends = 0
  }

  let now = ContinuousClock.now
  let minimumResolution = Swift.Duration.zero
  private let state = Mutex(State())
  private let begins: AsyncStream<Void>
  private let begin: AsyncStream<Void>.Continuation

  init() { (begins, begin) = AsyncStream.makeStream() }

  /// The number of sleeps that have not ended.
  var sleepCount: Int { state.withLock { $0.sleepers.count } }

  func sleep(until _: ContinuousClock.Instant, tolerance _: Swift.Duration?) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let end = state.withLock { state -> Result<Void, any Error>? in
          if state.canceled.contains(id) { return .failure(CancellationError()) }
          if state.ends > 0 {
            state.ends -= 1
            return .success(())
          }
          state.sleepers.append((id, continuation))
          return nil
        }
        begin.yield()
        if let end { continuation.resume(with: end) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.canceled.insert(id)
        return state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Ends the oldest sleep, or the next one if there is none.
  func endSleep() {
    let sleeper = state.withLock { state in
      if state.sleepers.isEmpty { state.ends += 1 }
      return state.sleepers.isEmpty ? nil : state.sleepers.removeFirst()
    }
    sleeper?.continuation.resume()
  }

  /// Waits until the next sleep begins that the test has not waited for yet.
  func waitForSleep() async { for await _ in begins { return } }
}
