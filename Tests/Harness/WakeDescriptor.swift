import CVTerm
import Glibc

/// A descriptor that wakes a thread from `poll`.
final class WakeDescriptor: Sendable {
  let descriptor: Int32

  init() throws {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    if descriptor < 0 { throw HarnessError.systemCall("eventfd", errno) }
  }

  deinit { close(descriptor) }

  /// Makes the descriptor readable.
  func signal() { _ = eventfd_write(descriptor, 1) }

  /// Makes the descriptor unreadable.
  func drain() {
    var value: eventfd_t = 0
    _ = eventfd_read(descriptor, &value)
  }
}
