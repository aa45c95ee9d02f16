/// The reason why the gallery can't be shown on this terminal.
public enum TerminalError: Error, Hashable, Sendable {
  /// The standard output is not a terminal.
  case outputIsNoTerminal
  /// `TERM` is not set.
  case terminalTypeUnset
  /// This machine has no terminfo entry of this name.
  case terminalTypeUnknown(String)
  /// A terminal of this type cannot move its cursor.
  case terminalTooSimple(String)
  /// A system call failed. `reason` is the system's.
  case systemCallFailed(String, reason: String)
}
