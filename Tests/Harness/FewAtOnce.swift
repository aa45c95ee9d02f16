import Foundation
import Synchronization
import Testing

/// Lets only some tests run at once: each starts programs, and where three hundred share two cores, a timeout says
/// nothing about any of them. Each has a thread, so a test may block.
///
/// A serialized suite, or one with long tests, goes first: if it began last, it would run alone at the end.
public struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true
  /// Whether the tests go before those that wait without this.
  let goesFirst: Bool

  private static let slots = Slots(count: 4 * ProcessInfo.processInfo.activeProcessorCount)
  @TaskLocal private static var isInside = false

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let thread = await Self.slots.take(first: goesFirst)
    defer { Self.slots.giveBack(thread) }
    try await withTaskExecutorPreference(thread) {
      try await Self.$isInside.withValue(true) { try await function() }
    }
  }

  /// Records an issue if the current test lacks the trait. Every function that starts a program calls it.
  public static func check() {
    if Test.current != nil, !isInside { Issue.record("A suite that starts programs wants @Suite(.fewAtOnce).") }
  }
}

extension Trait where Self == FewAtOnce {
  public static var fewAtOnce: Self { FewAtOnce(goesFirst: false) }
  public static var fewAtOnceAndFirst: Self { FewAtOnce(goesFirst: true) }
}

/// A number of threads. Within each of the two queues, tests are served in the order of their arrival.
private final class Slots: Sendable {
  private typealias Waiting = CheckedContinuation<SlotThread, Never>

  private struct State {
    var free: [SlotThread]
    var first: [Waiting] = []
    var others: [Waiting] = []

    mutating func next() -> Waiting? {
      if !first.isEmpty { return first.removeFirst() }
      return others.isEmpty ? nil : others.removeFirst()
    }
  }

  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(free: (0..<count).map { _ in SlotThread() })) }

  /// Waits for a thread.
  /// - Parameter first: Whether the test goes before all that wait without this.
  func take(first: Bool) async -> SlotThread {
    await withCheckedContinuation { continuation in
      let thread = state.withLock { state -> SlotThread? in
        if let thread = state.free.popLast() { return thread }
        if first { state.first.append(continuation) } else { state.others.append(continuation) }
        return nil
      }
      if let thread { continuation.resume(returning: thread) }
    }
  }

  func giveBack(_ thread: SlotThread) {
    let next = state.withLock { state -> Waiting? in
      let next = state.next()
      if next == nil { state.free.append(thread) }
      return next
    }
    next?.resume(returning: thread)
  }
}
