import Dispatch
import Foundation
import Testing
import Torture

/// A limit to the time of each test of a suite. A test that takes longer ends the whole run, and the last line of the output names
/// it.
///
/// Swift Testing's `.timeLimit` cancels the task of the test and then waits for it. A test that waits for what never comes, such
/// as the end of another task, doesn't notice that, so the run would hang.
public struct Limited: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true
  private let minutes: Int

  fileprivate init(minutes: Int) { self.minutes = minutes }

  /// Runs a test within the limit. The time that the test waits for its turn does not count if a trait before this one lets few
  /// run at once.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let end = DispatchWorkItem { [minutes] in
      let message = "✘ \(test.id) has taken more than \(minutes) minutes. The run ends.\n"
      FileHandle.standardError.write(Data(message.utf8))
      _exit(EXIT_FAILURE)
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(60 * minutes), execute: end)
    defer { end.cancel() }
    try await function()
  }
}

extension Trait where Self == Limited {
  /// The limit of every suite, which `make lint` asks for: many times what the slowest test takes on a busy machine.
  public static var limited: Self { Limited(minutes: Torture.pace != nil ? 300 : Torture.isLong ? 120 : 20) }
}
