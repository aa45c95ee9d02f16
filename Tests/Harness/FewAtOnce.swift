import Foundation
import Synchronization
import Testing

/// Lets only some tests run at once: each starts programs, and where three hundred share two cores, a timeout says
/// nothing about any of them.
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
    await Self.slots.take(first: goesFirst)
    defer { Self.slots.giveBack() }
    try await Self.$isInside.withValue(true) { try await function() }
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

/// A number of places. Within each of the two queues, tests are served in the order of their arrival.
private final class Slots: Sendable {
  private struct State {
    var free: Int
    var first: [CheckedContinuation<Void, Never>] = []
    var others: [CheckedContinuation<Void, Never>] = []

    mutating func next() -> CheckedContinuation<Void, Never>? {
      if !first.isEmpty { return first.removeFirst() }
      return others.isEmpty ? nil : others.removeFirst()
    }
  }

  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(free: count)) }

  /// Waits for a place.
  /// - Parameter first: Whether the test goes before all that wait without this.
  func take(first: Bool) async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free > 0 {
          state.free -= 1
          return true
        }
        if first { state.first.append(continuation) } else { state.others.append(continuation) }
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func giveBack() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      let next = state.next()
      if next == nil { state.free += 1 }
      return next
    }
    next?.resume()
  }
}
