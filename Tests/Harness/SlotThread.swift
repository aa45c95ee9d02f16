import Glibc

/// A thread that runs a task and its child tasks.
///
/// The cooperative pool has as many threads as there are cores, and a test that computes for seconds takes one of them. A test that
/// waits for what is on a screen only for a moment would come too late.
///
/// `@unchecked Sendable`: `jobs` is used only with the monitor held.
final class SlotThread: TaskExecutor, @unchecked Sendable {
  private let monitor = Monitor()
  private var jobs: [UnownedJob] = []

  init() { HarnessThread { self.run() }.detach() }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    monitor.withLock {
      jobs.append(job)
      monitor.broadcast()
    }
  }

  private func run() {
    while true {
      let job = monitor.withLock {
        while jobs.isEmpty { monitor.wait() }
        return jobs.removeFirst()
      }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
