/// What the test sees, in its order.
@MainActor
final class Recorder<Entry: Sendable> {
  /// The error of a wait for an entry that has not come within a minute.
  struct TooFew: Error {
    let expected: Int
    let entries: [Entry]
  }

  private(set) var entries: [Entry] = []
  private let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  func add(_ entry: Entry) {
    entries.append(entry)
    change.yield()
  }

  /// Waits until there are a number of entries.
  func wait(for count: Int) async throws {
    guard entries.count < count else { return }
    let limit = Task { [change] in
      try await Task.sleep(for: .seconds(60))
      change.finish()
    }
    defer { limit.cancel() }
    for await _ in changes where entries.count >= count { return }
    throw TooFew(expected: count, entries: entries)
  }
}
