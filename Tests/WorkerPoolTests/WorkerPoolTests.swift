import Dispatch
import Foundation
import Synchronization
import Testing

@testable import WorkerPool

@Suite struct WorkerPoolTests {
  // In a process of its own, whose other tasks run there, too.
  @Test func runsTasksOnItsThreads() async {
    await #expect(processExitsWith: .success) {
      WorkerPool.install()
      let names = await withTaskGroup(of: String.self) { group in
        for _ in 1...1000 { group.addTask { threadName() } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(names.count == 1000)
      #expect(Set(names.map { $0.prefix(7) }.map(String.init)) == ["worker "])
    }
  }

  /// Libraries hold locks across such calls, trusting that nothing else runs on the thread between.
  @Test func aTaskKeepsItsThreadWhereItNeedNotWait() async {
    await #expect(processExitsWith: .success) {
      WorkerPool.install()
      let other = Other()
      let whetherBetween = await Task.detached {
        // All other threads of the pool are held, so that this one alone can run what is queued.
        let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let others = max(2, ProcessInfo.processInfo.activeProcessorCount) - 1
        for _ in 0..<others {
          Task.detached {
            held.signal()
            release.wait()
          }
        }
        for _ in 0..<others { held.wait() }
        defer { for _ in 0..<others { release.signal() } }
        Task.detached { other.hasRun.withLock { $0 = true } }
        return await whatIsSeenWithoutWaiting { other.hasRun.withLock { $0 } }
      }.value
      #expect(!whetherBetween)
    }
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

  // In a process of its own, in which nobody else sleeps.
  @Test func whoIsCancelledLeavesNoAlarmBehind() async {
    await #expect(processExitsWith: .success) {
      let clock = WorkerPoolClock()
      let early = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await clock.sleep(for: .seconds(3600))
      }
      await #expect(throws: CancellationError.self) { try await early.value }
      #expect(WorkerPool.shared.alarmCount == 0)

      let late = Task { try await clock.sleep(for: .seconds(3600)) }
      let start = clock.now
      while WorkerPool.shared.alarmCount == 0, clock.now - start < .seconds(60) { await Task.yield() }
      #expect(WorkerPool.shared.alarmCount == 1)
      late.cancel()
      await #expect(throws: CancellationError.self) { try await late.value }
      #expect(WorkerPool.shared.alarmCount == 0)
    }
  }
}

/// What another task has done.
private final class Other: Sendable {
  let hasRun = Mutex(false)
}

/// An asynchronous function that never waits.
@concurrent private func whatIsSeenWithoutWaiting(_ look: @Sendable () -> Bool) async -> Bool {
  await withUnsafeContinuation { $0.resume(returning: look()) }
}

/// As the kernel has it.
private func threadName() -> String { (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "" }
