import Dispatch
import Foundation
import Synchronization
import TestLimit
import Testing

@testable import WorkerPool

@Suite(.limited) struct WorkerPoolTests {
  @Test func childTasksRunOnThePoolsThreads() async {
    let names = await Task(executorPreference: WorkerPool.shared) {
      await withTaskGroup(of: String.self) { group in
        for _ in 1...1000 { group.addTask { threadName() } }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }.value
    #expect(names.count == 1000)
    #expect(Set(names.map { $0.prefix(7) }) == ["worker "])
  }

  @Test func actorsAndResumedTasksRunOnThePoolsThreads() async throws {
    let names = try await Task(executorPreference: WorkerPool.shared) {
      let actor = NamingActor()
      var names = [await actor.nameOfItsThread()]
      try await WorkerPoolClock().sleep(for: .milliseconds(1))
      names.append(await nameOfThread())
      await Task.yield()
      names.append(await nameOfThread())
      await withTaskGroup { group in
        for _ in 1...100 { group.addTask { await actor.nameOfItsThread() } }
        for await name in group { names.append(name) }
      }
      return names
    }.value
    #expect(names.count == 103)
    #expect(Set(names.map { $0.prefix(7) }) == ["worker "])
  }

  @Test func aTaskOnTheMainActorLeavesItForThePool() async {
    let names = await Task.onMainActor { [threadName(), await nameOfThread(), threadName()] }.value
    #expect(names.map { $0.hasPrefix("worker ") } == [false, true, false])
  }

  @Test func tasksOnTheMainActorStartInOrder() async {
    let starts = await MainActor.run { Starts() }
    await MainActor.run {
      for number in 1...100 { starts.tasks.append(Task.onMainActor { starts.numbers.append(number) }) }
    }
    for task in await starts.tasks { await task.value }
    #expect(await starts.numbers == Array(1...100))
  }

  // In a separate process, this test can occupy all threads of the pool except one.
  @Test func aTaskKeepsItsThreadUntilItSuspends() async {
    await #expect(processExitsWith: .success) {
      let otherHasRun = Flag()
      let wasInterrupted = await Task(executorPreference: WorkerPool.shared) {
        let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let others = max(2, ProcessInfo.processInfo.activeProcessorCount) - 1
        for _ in 0..<others {
          Task(executorPreference: WorkerPool.shared) {
            held.signal()
            release.wait()
          }
        }
        for _ in 0..<others { held.wait() }
        defer { for _ in 0..<others { release.signal() } }
        Task(executorPreference: WorkerPool.shared) { otherHasRun.value.withLock { $0 = true } }
        return await callWithoutSuspending { otherHasRun.value.withLock { $0 } }
      }.value
      #expect(!wasInterrupted)
    }
  }

  @Test func offeredWorkIsDoneByThePool() async {
    let hasBegun = DispatchSemaphore(value: 0)
    let work = OfferedWork {
      hasBegun.signal()
      return threadName()
    }
    _ = await callWithoutSuspending { hasBegun.wait(timeout: .distantFuture) == .success }
    #expect(work.result()?.hasPrefix("worker ") == true)
  }

  // In a separate process, this test can occupy all threads of the pool.
  @Test func offeredWorkIsWithdrawnFromABusyPool() async {
    await #expect(processExitsWith: .success) {
      let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let threads = max(2, ProcessInfo.processInfo.activeProcessorCount)
      for _ in 0..<threads {
        Task(executorPreference: WorkerPool.shared) {
          held.signal()
          release.wait()
        }
      }
      for _ in 0..<threads { held.wait() }
      let hasRun = Flag()
      let work = OfferedWork { () -> Bool in
        hasRun.value.withLock { $0 = true }
        return true
      }
      #expect(work.result() == nil)
      for _ in 0..<threads { release.signal() }
      await Task(executorPreference: WorkerPool.shared) {}.value
      #expect(!hasRun.value.withLock { $0 })
    }
  }
}

@Suite(.limited) struct WorkerPoolClockTests {
  @Test func noSleepEndsBeforeItsDeadline() async throws {
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

  @Test func aCanceledSleepEndsAtOnce() async {
    let clock = WorkerPoolClock()
    let start = clock.now
    let sleeper = Task { try await clock.sleep(for: .seconds(3600)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.now - start < .seconds(3600))
  }

  // In a separate process, no other test sleeps.
  @Test func aCanceledSleepLeavesNoAlarmBehind() async {
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

/// A flag that another task sets.
private final class Flag: Sendable {
  let value = Mutex(false)
}

/// The tasks that a test has started, and their numbers in the order in which they ran.
@MainActor
private final class Starts {
  var tasks: [Task<Void, Never>] = []
  var numbers: [Int] = []
}

private actor NamingActor {
  func nameOfItsThread() -> String { threadName() }
}

/// Calls `body` away from the main actor, in an asynchronous function that never suspends.
@concurrent private func callWithoutSuspending(_ body: @Sendable () -> Bool) async -> Bool {
  await withUnsafeContinuation { $0.resume(returning: body()) }
}

@concurrent private func nameOfThread() async -> String { threadName() }

/// Returns the kernel's name of the calling thread.
private func threadName() -> String { (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "" }
