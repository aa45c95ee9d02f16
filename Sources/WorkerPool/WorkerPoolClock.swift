import Foundation
import Synchronization

/// A continuous clock whose sleeping tasks are woken by the worker pool.
///
/// `ContinuousClock` sleeps on Dispatch's threads, which wake an idle process once a second (see ``WorkerPool``).
/// The parts of Tintype that wait are handed a clock, and the program hands them this one.
public struct WorkerPoolClock: Clock {
  public typealias Instant = ContinuousClock.Instant

  /// Creates a clock. All of them show the same time and share the pool.
  public init() {}

  public var now: Instant { ContinuousClock.now }
  public var minimumResolution: Duration { .milliseconds(1) }

  /// Suspends the task until `deadline`.
  ///
  /// - Throws: `CancellationError` as soon as the task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let sleeper = Sleeper()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        sleeper.begin(continuation)
        WorkerPool.shared.schedule(at: deadline, for: sleeper) { sleeper.end(.success(())) }
        // A cancellation that came before the alarm was scheduled found none to remove.
        if sleeper.hasEnded { WorkerPool.shared.cancel(sleeper) }
      }
    } onCancel: {
      WorkerPool.shared.cancel(sleeper)
      sleeper.end(.failure(CancellationError()))
    }
  }
}

/// The state of one sleep. Either its alarm or a cancellation ends it, and a cancellation can come before it begins.
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
