/// An action and the time at which it is due.
struct TimedAction: Sendable {
  let deadline: ContinuousClock.Instant
  let owner: ObjectIdentifier
  let action: @Sendable () -> Void
}

/// The work that waits for a thread, in a monitor on which the threads of the pool wait.
///
/// The type is unchecked because the compiler cannot see that every access holds the condition's lock.
final class WorkQueue: @unchecked Sendable {
  enum Work {
    case job(UnownedJob)
    case alarm(TimedAction)
  }

  struct Waiting {
    var jobs: [UnownedJob] = []
    /// The alarms in no particular order. There are rarely more than a handful.
    var alarms: [TimedAction] = []
  }

  private let condition = MonotonicCondition()
  private var waiting = Waiting()
  private var firstJob = 0

  var alarmCount: Int {
    condition.lock()
    defer { condition.unlock() }
    return waiting.alarms.count
  }

  /// Changes what waits, and wakes a thread for it.
  func add(_ change: (inout Waiting) -> Void) {
    condition.lock()
    change(&waiting)
    condition.signal()
    condition.unlock()
  }

  /// Removes the oldest job or an alarm that is due. Blocks the calling thread until there is one.
  func next() -> Work {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let job = takeJob() {
        // The calling thread may be the one that would have woken for the next alarm, so another one takes over.
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
