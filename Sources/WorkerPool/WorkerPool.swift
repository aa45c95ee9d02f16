import CWorkerPool
import Foundation

/// Threads that run every task bound to no actor of its own, and wake sleepers at their time.
///
/// Dispatch's own pool starts a timer with its first thread that ticks once a second for as long as the
/// process lives, and so an idle gallery would never truly sleep. These threads wait on a condition:
/// with nothing to do and nobody asleep, nothing wakes.
public final class WorkerPool: Sendable {
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
      Thread { [self] in
        // Foundation's own way leaves it with the name of its parent.
        cworkerpool_name_thread("worker \(number)")
        work()
      }.start()
    }
  }

  /// Sends the process's unbound tasks here. Call once, before the first task.
  public static func install() {
    cworkerpool_install { job in WorkerPool.shared.state.withLock { $0.jobs.append(job) } }
  }

  /// Runs `action` on one of the threads when `deadline` has come, unless ``cancel(_:)`` is called with `owner` before.
  func schedule(at deadline: ContinuousClock.Instant, for owner: AnyObject, _ action: @escaping @Sendable () -> Void) {
    state.withLock {
      $0.alarms.append(Alarm(deadline: deadline, owner: ObjectIdentifier(owner), action: action))
    }
  }

  /// How many actions wait for their time.
  var alarmCount: Int { state.withLock { $0.alarms.count } }

  func cancel(_ owner: AnyObject) {
    state.withLock { $0.alarms.removeAll { $0.owner == ObjectIdentifier(owner) } }
  }

  private func work() {
    // A handler of a stack overflow needs a stack of its own, one for every thread.
    var stack = stack_t()
    stack.ss_size = 64 << 10
    stack.ss_sp = .allocate(byteCount: stack.ss_size, alignment: 16)
    sigaltstack(&stack, nil)
    while true {
      switch state.next() {
      case .job(let job): cworkerpool_run(job)
      case .alarm(let alarm): alarm.action()
      }
    }
  }
}

private struct Alarm: Sendable {
  let deadline: ContinuousClock.Instant
  let owner: ObjectIdentifier
  let action: @Sendable () -> Void
}

/// What waits to be run, behind the condition the threads wait on.
/// Unchecked, since the compiler cannot see that every access is made with the condition's lock held.
private final class LockedState: @unchecked Sendable {
  enum Work {
    case job(UnsafeMutableRawPointer)
    case alarm(Alarm)
  }

  struct Waiting {
    /// As the runtime handed them over.
    var jobs: [UnsafeMutableRawPointer] = []
    /// A handful at most, in no order.
    var alarms: [Alarm] = []
  }

  private let condition = MonotonicCondition()
  private var waiting = Waiting()
  private var firstJob = 0

  func withLock<Value>(_ change: (inout Waiting) -> Value) -> Value {
    condition.lock()
    defer {
      condition.signal()
      condition.unlock()
    }
    return change(&waiting)
  }

  func next() -> Work {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let job = takeJob() {
        // This thread may have been the one to wake at the next alarm: another must.
        if !waiting.alarms.isEmpty { condition.signal() }
        return .job(job)
      }
      guard let soonest = waiting.alarms.indices.min(by: { waiting.alarms[$0].deadline < waiting.alarms[$1].deadline })
      else {
        condition.wait()
        continue
      }
      let left = waiting.alarms[soonest].deadline - .now
      if left <= .zero {
        let alarm = waiting.alarms.remove(at: soonest)
        if !waiting.alarms.isEmpty { condition.signal() }
        return .alarm(alarm)
      }
      condition.wait(for: left)
    }
  }

  private func takeJob() -> UnsafeMutableRawPointer? {
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
