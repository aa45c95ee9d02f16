/// A reason why a command of the user's own failed.
public enum CommandFault: Hashable, Sendable {
  /// The shell could not be started. `reason` is the system's.
  case notStarted(reason: String)
  /// It ended with this exit status. `message` is the last line that it wrote about it, or empty.
  case status(Int, message: String)
  /// A signal ended it.
  case signal(Int)

  /// Returns the fault of a process that has ended; nil if it has succeeded.
  /// - Parameters:
  ///   - status: The process's status (wait(2)).
  ///   - messages: The end of what it has written to its standard error.
  public init?(status: Int32, messages: [UInt8] = []) {
    guard status != 0 else { return nil }
    if status & 0x7F != 0 {
      self = .signal(Int(status & 0x7F))
    } else {
      let lines = String(decoding: messages, as: UTF8.self).split(whereSeparator: \.isNewline)
      let line = lines.last { !$0.allSatisfy(\.isWhitespace) } ?? ""
      self = .status(Int(status >> 8), message: String(line).printable)
    }
  }

  /// The fault in a sentence for the user.
  public var message: String {
    switch self {
    case .notStarted(let reason):
      localized("The shell can't be started: \(reason.printable). Mark fewer photos, or check `run`.")
    case .status(let status, ""):
      localized("It ended with exit status \(status). Check the command in the configuration.")
    case .status(let status, let message): localized("It ended with exit status \(status): \(message)")
    case .signal(let number): localized("Signal \(number) ended it.")
    }
  }
}
