import Foundation
import Synchronization

/// The continuous clock, with sleeping done by the worker pool.
///
/// `ContinuousClock.sleep` goes to Dispatch, whose pool wakes an idle process once a second (see ``WorkerPool``).
/// Everything in Tintype that waits is handed a clock; the program hands out this one.
public struct WorkerPoolClock: Clock {
  public typealias Instant = ContinuousClock.Instant

  public init() {}

  public var now: Instant { ContinuousClock.now }
  public var minimumResolution: Duration { .milliseconds(1) }

  /// - Throws: `CancellationError` as soon as the task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let sleeper = Sleeper()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        sleeper.begin(continuation)
        WorkerPool.shared.schedule(at: deadline, for: sleeper) { sleeper.end(.success(())) }
        // It may have been canceled before there was anything to take away.
        if sleeper.hasEnded { WorkerPool.shared.cancel(sleeper) }
      }
    } onCancel: {
      WorkerPool.shared.cancel(sleeper)
      sleeper.end(.failure(CancellationError()))
    }
  }
}

/// One sleep: ended once, by its alarm or by cancellation, which may even come before it began.
private final class Sleeper: Sendable {
  private enum State {
    case new
    case asleep(CheckedContinuation<Void, any Error>)
    case ended(Result<Void, any Error>)
  }

  private let state = Mutex(State.new)

  var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

  func begin(_ continuation: CheckedContinuation<Void, any Error>) {
    let early = state.withLock { state -> Result<Void, any Error>? in
      if case .ended(let result) = state { return result }
      state = .asleep(continuation)
      return nil
    }
    if let early { continuation.resume(with: early) }
  }

  func end(_ result: Result<Void, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      defer { state = .ended(result) }
      if case .asleep(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume(with: result)
  }
}
