/// A reason why another machine's photos can't be reached.
public enum RemoteFault: Error, Hashable, Sendable {
  /// ssh could not be started. `reason` is the system's.
  case noSSH(reason: String)
  /// ssh ended before the other machine answered. `reason` is ssh's own, or empty.
  case notConnected(machine: String, reason: String)
  /// The other machine has no Tintype. `command` is a line of the shell that installs it there.
  case notInstalled(machine: String, command: String)
  /// The other machine has another version of Tintype, whose messages this one can't read. `command` is a line of the shell that
  /// installs this one there.
  case otherVersion(machine: String, version: String, command: String)
  /// The other machine sent bytes that are no message.
  case invalidMessage(machine: String)
  /// The connection broke, and it is tried again.
  case broken(machine: String)
  /// The other machine's reason in its own words.
  case told(String)
}

extension RemoteFault {
  /// Printable sentences that say what happened and what the user can do.
  public var message: String {
    switch self {
    case .noSSH(let reason):
      localized("ssh can't be started: \(reason.printable). Install openssh-client.")
    case .notConnected(let machine, let reason):
      reason.isEmpty
        ? localized("Can't connect to \(machine.printable). Try `ssh \(machine.printable)` in a shell.")
        : localized(
          "Can't connect to \(machine.printable): \(reason.printable). Try `ssh \(machine.printable)` in a shell.")
    case .notInstalled(let machine, let command):
      localized("\(machine.printable) has no tintype. This line copies it there: \(command)")
    case .otherVersion(let machine, let version, let command):
      localized(
        "\(machine.printable) has another Tintype (\(version.printable)). This line copies this one there: \(command)")
    case .invalidMessage(let machine):
      localized(
        "\(machine.printable) sent something that is no answer. Update Tintype on both machines, then open it again.")
    case .broken(let machine): localized("Reconnecting to \(machine.printable)…")
    case .told(let message): message.printable
    }
  }
}
