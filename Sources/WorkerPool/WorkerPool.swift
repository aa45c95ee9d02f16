import CWorkerPool
import Foundation
import HeapModule

/// Threads that run every task bound to no actor of its own, and wake sleepers at their time.
///
/// Dispatch's own pool starts a timer with its first thread that ticks once a second for as long as the
/// process lives, and so an idle gallery would never truly sleep. These threads wait on a condition:
/// with nothing to do and nobody asleep, nothing wakes.
public final class WorkerPool: TaskExecutor {
  /// The one pool of the process, of as many threads as there are cores.
  public static let shared = WorkerPool(threads: ProcessInfo.processInfo.activeProcessorCount)

  private let state = LockedState()

  private init(threads: Int) {
    // Signals belong to the main thread, whose handlers give the terminal back.
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    // A fault whose signal is blocked kills without a handler: a worker's own must get through.
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&all, fault) }
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    for number in 1...max(2, threads) {
      let thread = Thread { [self] in work() }
      thread.name = "worker \(number)"
      thread.start()
    }
  }

  /// Sends the process's unbound tasks here. Call once, before the first task.
  public static func install() {
    cworkerpool_install { job in WorkerPool.shared.enqueue(unsafeBitCast(job, to: UnownedJob.self)) }
  }

  public func enqueue(_ job: UnownedJob) {
    state.withLock { $0.jobs.append(job) }
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    enqueue(UnownedJob(job))
  }

  /// Runs `action` on one of the threads when `deadline` has come.
  func schedule(at deadline: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.alarms.insert(Alarm(deadline: deadline, action: action)) }
  }

  private func work() {
    while true {
      switch state.next() {
      case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
      case .alarm(let alarm): alarm.action()
      }
    }
  }
}

private struct Alarm: Comparable, Sendable {
  let deadline: ContinuousClock.Instant
  let action: @Sendable () -> Void

  static func < (a: Alarm, b: Alarm) -> Bool { a.deadline < b.deadline }
  static func == (a: Alarm, b: Alarm) -> Bool { a.deadline == b.deadline }
}

/// What waits to be run, behind the condition the threads wait on.
/// Unchecked, since the compiler cannot see that every access is made with the condition's lock held.
private final class LockedState: @unchecked Sendable {
  enum Work {
    case job(UnownedJob)
    case alarm(Alarm)
  }

  struct Waiting {
    var jobs: [UnownedJob] = []
    var alarms = Heap<Alarm>()
  }

  private let condition = NSCondition()
  private var waiting = Waiting()
  private var firstJob = 0

  func withLock(_ change: (inout Waiting) -> Void) {
    condition.lock()
    change(&waiting)
    condition.signal()
    condition.unlock()
  }

  func next() -> Work {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let job = takeJob() { return .job(job) }
      guard let soonest = waiting.alarms.min?.deadline else {
        condition.wait()
        continue
      }
      let left = soonest - .now
      if left <= .zero { return .alarm(waiting.alarms.removeMin()) }
      _ = condition.wait(until: Date(timeIntervalSinceNow: left / .seconds(1)))
    }
  }

  private func takeJob() -> UnownedJob? {
    guard firstJob < waiting.jobs.count else { return nil }
    defer {
      firstJob += 1
      if firstJob == waiting.jobs.count {
        waiting.jobs.removeAll(keepingCapacity: true)
        firstJob = 0
      }
    }
    return waiting.jobs[firstJob]
  }
}
