/// Work that a thread of the pool may do while the caller is busy with something else.
///
/// If no thread has begun it when its result is wanted, it is withdrawn, so that the caller doesn't wait for a busy pool.
///
/// The type is unchecked because the compiler cannot see that every access to the state holds the condition's lock.
public final class OfferedWork<Result>: @unchecked Sendable {
  private enum State {
    case offered, running, withdrawn
    case done(Result)
  }

  private let condition = MonotonicCondition()
  private var state = State.offered

  /// Offers work to the pool.
  public init(_ work: @escaping @Sendable () -> Result) {
    Task(executorPreference: WorkerPool.shared) { self.run(work) }
  }

  /// Returns the result, or nil if the work has not begun, in which case it will not begin any more.
  ///
  /// Blocks the calling thread while the work is being done.
  public func result() -> Result? {
    condition.lock()
    defer { condition.unlock() }
    if case .offered = state { state = .withdrawn }
    while case .running = state { condition.wait() }
    if case .done(let result) = state { return result }
    return nil
  }

  private func run(_ work: () -> Result) {
    guard begin() else { return }
    let result = work()
    condition.lock()
    state = .done(result)
    condition.signal()
    condition.unlock()
  }

  private func begin() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard case .offered = state else { return false }
    state = .running
    return true
  }
}
