import Foundation
import Testing

@testable import WorkerPool

@Suite struct WorkerPoolTests {
  @Test func runsTasksOnItsThreads() async {
    let names = await withTaskGroup(of: String.self) { group in
      for _ in 1...1000 { group.addTask(executorPreference: WorkerPool.shared) { threadName() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(names.count == 1000)
    #expect(Set(names.map { $0.prefix(7) }.map(String.init)) == ["worker "])
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
    let clock = WorkerPoolClock()
    let start = clock.now
    let sleeper = Task { try await clock.sleep(for: .seconds(3600)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.now - start < .seconds(3600))
  }
}

/// As the kernel has it.
private func threadName() -> String { (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "" }
