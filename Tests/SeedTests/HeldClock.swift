/// A clock whose sleeps end when the test says so.
final class HeldClock: Clock {
  let now = ContinuousClock.now
  let minimumResolution = Swift.Duration.zero
  private let sleeps: Recorder<AsyncStream<Void>.Continuation>

  @MainActor
  init() { sleeps = Recorder() }

  func sleep(until _: ContinuousClock.Instant, tolerance _: Swift.Duration?) async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    await sleeps.add(end)
    for await _ in ends { return }
    throw CancellationError()
  }

  /// Waits until a number of sleeps have begun since the clock was created, and ends all of them.
  @MainActor
  func endSleeps(_ count: Int) async throws {
    try await sleeps.wait(for: count)
    for end in sleeps.entries { end.yield() }
  }
}
