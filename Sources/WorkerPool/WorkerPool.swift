import CSystem
import Foundation

/// The threads that run every task away from the main actor, and that wake sleeping tasks at their deadlines.
///
/// The runtime's own threads are Dispatch's. With the first of them, Dispatch starts a timer that wakes the process
/// once a second until it exits. The threads of this pool wait on a condition variable, so an idle gallery sleeps.
///
/// A task uses the pool if it prefers it as its executor (SE-0417), and child tasks inherit the preference. A plain
/// `Task { … }` goes to Dispatch as soon as it leaves the main actor. So tasks are started in one of two ways:
///
/// - `Task(executorPreference: WorkerPool.shared) { … }` away from the main actor,
/// - `Task.onMainActor { … }` on the main actor.
public final class WorkerPool: TaskExecutor {
  /// The only pool of the process, with as many threads as there are cores, but at least two.
  public static let shared = WorkerPool(threads: max(2, ProcessInfo.processInfo.activeProcessorCount))

  private let queue = WorkQueue()

  private init(threads: Int) {
    // The main thread handles signals, and its handlers restore the terminal.
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    // A blocked fault would end the process without calling its handler, so each thread receives its own faults.
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&all, fault) }
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    for number in 1...threads {
      Thread { [self] in
        // `Thread.name` reaches the kernel only if the thread that started this one has already stored its handle.
        name_thread("worker \(number)")
        work()
      }.start()
    }
  }

  /// Queues a job behind those that wait already.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.add { $0.jobs.append(job) }
  }

  /// Runs `action` on one of the threads at `deadline`, unless ``cancel(_:)`` is called with `owner` before.
  func schedule(at deadline: ContinuousClock.Instant, for owner: AnyObject, _ action: @escaping @Sendable () -> Void) {
    queue.add { $0.alarms.append(TimedAction(deadline: deadline, owner: ObjectIdentifier(owner), action: action)) }
  }

  /// The number of actions that wait for their deadlines.
  var alarmCount: Int { queue.alarmCount }

  /// Removes the actions that were scheduled for `owner`.
  func cancel(_ owner: AnyObject) {
    queue.add { $0.alarms.removeAll { $0.owner == ObjectIdentifier(owner) } }
  }

  private func work() {
    // The handler of a stack overflow needs a separate stack on every thread.
    var stack = stack_t()
    stack.ss_size = 64 << 10
    stack.ss_sp = .allocate(byteCount: stack.ss_size, alignment: 16)
    sigaltstack(&stack, nil)
    while true {
      switch queue.next() {
      case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
      case .alarm(let alarm): alarm.action()
      }
    }
  }
}

extension Task where Failure == Never {
  /// Starts a task on the main actor. Calls that leave the main actor run on the worker pool.
  ///
  /// The task prefers the pool only once it runs: with `Task(executorPreference:)` it would start on the pool, and two
  /// tasks could reach the main actor in another order than that in which they were started.
  @discardableResult
  public static func onMainActor(_ operation: @escaping @MainActor () async -> Success) -> Task {
    Task { @MainActor in
      await withTaskExecutorPreference(WorkerPool.shared) { await operation() }
    }
  }
}
