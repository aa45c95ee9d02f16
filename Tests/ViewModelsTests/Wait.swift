import Synchronization

/// A wait for an event, with a time limit: without one, a mistake would make a test wait forever.
final class Wait: Sendable {
  /// The error of a wait that reached its limit.
  struct TimedOut: Error, CustomStringConvertible {
    let what: String
    let seen: String
    var description: String { "waited \(Wait.limit) for \(what); seen: \(seen)" }
  }

  /// A limit that is far longer than any event takes on a busy machine.
  static let limit = Duration.seconds(60)

  private enum State {
    case new
    case waiting(CheckedContinuation<Bool, Never>)
    case ended(Bool)
  }

  private let state = Mutex(State.new)

  /// Ends the wait.
  ///
  /// - Parameter hasHappened: Whether the event has happened rather than the limit been reached.
  func end(_ hasHappened: Bool = true) {
    let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      switch state {
      case .new: state = .ended(hasHappened)
      case .ended: break
      case .waiting(let continuation):
        state = .ended(hasHappened)
        return continuation
      }
      return nil
    }
    continuation?.resume(returning: hasHappened)
  }

  /// Waits for the end of the wait.
  ///
  /// - Returns: Whether the event has happened within the limit.
  func hasEnded(within limit: Duration = limit) async -> Bool {
    let alarm = Task { [self] in
      try await Task.sleep(for: limit)
      end(false)
    }
    defer { alarm.cancel() }
    return await withCheckedContinuation { continuation in
      let result = state.withLock { state -> Bool? in
        if case .ended(let result) = state { return result }
        state = .waiting(continuation)
        return nil
      }
      if let result { continuation.resume(returning: result) }
    }
  }
}

/// Waits for the end of a task.
func end(of task: Task<Void, Never>?, _ what: String = "the end of a task") async throws {
  guard let task else { return }
  let wait = Wait()
  Task {
    await task.value
    wait.end()
  }
  guard await wait.hasEnded() else { throw Wait.TimedOut(what: what, seen: "it still runs") }
}
