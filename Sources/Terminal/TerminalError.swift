/// The reason why the gallery can't be shown on this terminal.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  case outputIsNoTerminal
  case terminalTypeUnset
  case terminalTypeUnknown(String)
  case terminalTooSimple(String)
  case systemCallFailed(String, reason: String)

  /// The cause, and what the user can do about it.
  public var description: String {
    switch self {
    case .outputIsNoTerminal:
      "the output is no terminal. Start tintype in a terminal, without redirecting its output."
    case .terminalTypeUnset:
      "TERM is not set. Set it to your terminal's type, for instance: TERM=xterm-256color tintype"
    case .terminalTypeUnknown(let name):
      "the terminal type “\(name)” is unknown on this machine. Set TERM to a known one, such as xterm-256color, "
        + "or install its terminfo entry (Debian's ncurses-term has most)."
    case .terminalTooSimple(let name):
      "the terminal type “\(name)” cannot move its cursor. Set TERM to what your terminal really is."
    case .systemCallFailed(let call, let reason):
      "the terminal could not be set up (\(call): \(reason)). Start tintype in another terminal."
    }
  }
}
