import Glibc

/// The way in which a program ended.
public enum ExitStatus: Hashable, Sendable, CustomStringConvertible {
  /// The program exited with this code, 0 to 255.
  case exited(Int32)
  /// The signal with this number ended the program.
  case signalled(Int32)

  /// The status in words.
  public var description: String {
    switch self {
    case .exited(let code): "exited with code \(code)"
    case .signalled(let number): "ended by signal \(number) (\(String(cString: strsignal(number))))"
    }
  }

  /// Decodes the status word of `waitpid`.
  init(waitStatus status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }
}
