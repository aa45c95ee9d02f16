import Testing

@testable import WorkerPool

@Suite struct WorkerPoolTests {
  @Test func runsTasksOnItsThreads() async {
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 1...1000 { group.addTask(executorPreference: WorkerPool.shared) { number } }
      return await group.reduce(into: 0) { $0 += $1 }
    }
    #expect(sum == 500_500)
  }

  @Test func sleepersWakeInTheOrderOfTheirDeadlines() async throws {
    let clock = WorkerPoolClock()
    let start = clock.now
    let woken = AsyncStream<Int>.makeStream()
    for delay in [90, 30, 60] {
      Task {
        try await clock.sleep(until: start + .milliseconds(delay), tolerance: nil)
        woken.continuation.yield(delay)
      }
    }
    var order: [Int] = []
    for await delay in woken.stream.prefix(3) { order.append(delay) }
    #expect(order == [30, 60, 90])
    #expect(clock.now - start >= .milliseconds(90))
  }

  @Test func cancelledSleeperWakesAtOnce() async {
    let sleeper = Task { try await WorkerPoolClock().sleep(for: .seconds(3600)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }
}
