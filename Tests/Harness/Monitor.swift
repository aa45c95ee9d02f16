// Both imports are needed: the module that is loaded first has the types of time.h.
import CVTerm
import Glibc

/// A mutex with a condition variable.
///
/// `@unchecked Sendable`: both may be used from any thread, and neither moves after `init`.
final class Monitor: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
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

  /// Runs `body` with the mutex held. Calls must not be nested.
  func withLock<Value>(_ body: () throws -> Value) rethrows -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Wakes all waiting threads.
  func broadcast() { pthread_cond_broadcast(condition) }

  /// Waits for a broadcast with the mutex held.
  func wait() { pthread_cond_wait(condition, mutex) }

  /// Waits for a broadcast with the mutex held, and returns false if `deadline` has passed.
  func wait(until deadline: Deadline) -> Bool {
    var time = deadline.time
    return pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT
  }
}

/// A moment of the monotonic clock.
struct Deadline: Sendable {
  let time: timespec

  /// Creates the moment that is `duration` from now.
  init(after duration: Duration) {
    let parts = duration.components
    let now = Self.now
    var seconds = now.tv_sec + Int(clamping: parts.seconds)
    var nanoseconds = now.tv_nsec + Int(parts.attoseconds / 1_000_000_000)
    if nanoseconds >= 1_000_000_000 {
      nanoseconds -= 1_000_000_000
      seconds += 1
    }
    time = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
  }

  /// Whether the moment has passed.
  var hasPassed: Bool {
    let now = Self.now
    return (now.tv_sec, now.tv_nsec) >= (time.tv_sec, time.tv_nsec)
  }

  private static var now: timespec {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now
  }
}
