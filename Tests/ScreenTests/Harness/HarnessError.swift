/// A failure of the harness, or a wait that did not come true.
public struct HarnessError: Error, Sendable, CustomStringConvertible {
  /// What went wrong.
  public enum Kind: Hashable, Sendable {
    /// The time of a wait ran out.
    case timedOut
    /// The program and all its children ended while a condition was still false.
    case programEnded
    /// The session was closed during a wait.
    case sessionClosed
    /// A system call failed, with this error number.
    case systemCall(Int32)
  }

  /// What went wrong.
  public let kind: Kind
  /// What was waited for, and the screen as it stands.
  public let description: String
}
