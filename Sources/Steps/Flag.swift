import Synchronization

/// A flag that tasks share.
final class Flag: Sendable {
  private let value = Mutex(false)

  var isSet: Bool { value.withLock(\.self) }

  func set() { value.withLock { $0 = true } }
}
