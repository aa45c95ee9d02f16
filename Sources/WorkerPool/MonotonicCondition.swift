import Foundation

/// A mutex and a condition variable whose timeouts follow the monotonic clock.
///
/// Foundation's `NSCondition` follows the wall clock, which can be set while a thread waits.
///
/// The type is unchecked because the compiler cannot see that the system's functions may be called on any thread.
package final class MonotonicCondition: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  package func lock() { pthread_mutex_lock(mutex) }
  package func unlock() { pthread_mutex_unlock(mutex) }
  package func signal() { pthread_cond_signal(condition) }
  package func wait() { pthread_cond_wait(condition, mutex) }

  /// Waits until the condition is signaled, or until `duration` has passed.
  package func wait(for duration: Duration) {
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    let (seconds, attoseconds) = duration.components
    let nanoseconds = deadline.tv_nsec + Int(attoseconds / 1_000_000_000)
    deadline.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    pthread_cond_timedwait(condition, mutex, &deadline)
  }
}
