import Synchronization

/// A clock that the test advances.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset = Duration.zero

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant()
    var readings = 0
    var nextID = 0
    var sleepers: [Int: Sleeper] = [:]
    var canceled: Set<Int> = []
    var waiting: [(condition: @Sendable (State) -> Bool, wait: Wait)] = []
  }

  private let state = Mutex(State())

  var minimumResolution: Duration { .zero }

  var now: Instant {
    change {
      $0.readings += 1
      return $0.now
    }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = change {
      $0.nextID += 1
      return $0.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let early = change { state -> Result<Void, any Error>? in
          if state.canceled.contains(id) { return .failure(CancellationError()) }
          if deadline <= state.now { return .success(()) }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return nil
        }
        if let early { continuation.resume(with: early) }
      }
    } onCancel: {
      let sleeper = change { state in
        state.canceled.insert(id)
        return state.sleepers.removeValue(forKey: id)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Advances the time, and wakes the tasks that have slept until then.
  func advance(by duration: Duration) {
    let due = change { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  /// Waits until the time has been read a number of times since the clock was created. A debounce reads it once for each
  /// action.
  func wait(forReadings count: Int) async throws {
    try await wait(for: "\(count) readings") { $0.readings >= count }
  }

  /// Waits until a task sleeps until a time, given from the clock's beginning.
  func wait(forSleepUntil offset: Duration) async throws {
    try await wait(for: "a sleep until \(offset)") { $0.sleepers.values.contains { $0.deadline.offset == offset } }
  }

  /// Waits until a number of tasks sleep.
  func wait(forSleepers count: Int) async throws {
    try await wait(for: "\(count) sleeping tasks") { $0.sleepers.count == count }
  }

  /// The number of tasks that sleep.
  var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  private func wait(for what: String, until condition: @escaping @Sendable (State) -> Bool) async throws {
    let wait = Wait()
    change { $0.waiting.append((condition, wait)) }
    guard await wait.hasEnded() else {
      let seen = state.withLock { "\($0.readings) readings, sleeps until \($0.sleepers.values.map(\.deadline.offset))" }
      throw Wait.TimedOut(what: what, seen: seen)
    }
  }

  private func change<Value>(_ body: (inout State) -> Value) -> Value {
    let (value, ready) = state.withLock { state in
      let value = body(&state)
      let ready = state.waiting.filter { $0.condition(state) }
      let snapshot = state
      state.waiting.removeAll { $0.condition(snapshot) }
      return (value, ready)
    }
    for waiter in ready { waiter.wait.end() }
    return value
  }
}
