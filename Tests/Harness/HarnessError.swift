/// A failure of the harness, or of a wait for a condition.
public struct HarnessError: Error, Sendable, CustomStringConvertible {
  /// The kind of a failure.
  public enum Kind: Hashable, Sendable {
    /// A wait timed out.
    case timedOut
    /// The program and all of its children ended before the condition became true.
    case programEnded
    /// The session was closed during a wait.
    case sessionClosed
    /// A system call failed, with this error number.
    case systemCall(Int32)
  }

  /// The kind of the failure.
  public let kind: Kind
  /// The condition that did not become true, and the screen at that time.
  public let description: String
}
