import Foundation
import Synchronization
import Testing

/// Lets some tests run at once, not all: each starts programs, and where three hundred share two cores a time-out says
/// nothing about any of them.
struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  private static let slots = Slots(count: 3 * ProcessInfo.processInfo.activeProcessorCount)
  @TaskLocal private static var isInside = false

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Self.slots.take()
    defer { Self.slots.giveBack() }
    try await Self.$isInside.withValue(true) { try await function() }
  }

  /// Records an issue if the current test lacks the trait. Every function that starts a program calls it.
  static func check() {
    if Test.current != nil, !isInside { Issue.record("A suite that starts programs wants @Suite(.fewAtOnce).") }
  }
}

extension Trait where Self == FewAtOnce {
  static var fewAtOnce: Self { FewAtOnce() }
}

/// First come, first served.
private final class Slots: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(free: count)) }

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func giveBack() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
