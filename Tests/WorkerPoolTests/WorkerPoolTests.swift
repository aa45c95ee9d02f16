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

  @Test func noSleeperWakesBeforeItsDeadline() async throws {
    let clock = WorkerPoolClock()
    let start = clock.now
    let lateness = try await withThrowingTaskGroup(of: Duration.self) { group in
      for delay in [30, 0, 20, 10, 30] {
        let deadline = start + .milliseconds(delay)
        group.addTask {
          try await clock.sleep(until: deadline, tolerance: nil)
          return clock.now - deadline
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(lateness.count == 5)
    #expect(lateness.allSatisfy { $0 >= .zero })
  }

  @Test func cancelledSleeperWakesAtOnce() async {
    let sleeper = Task { try await WorkerPoolClock().sleep(for: .seconds(3600)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }
}
