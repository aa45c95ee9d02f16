/// A reason why a service could not answer.
public enum APIError: Error, Hashable, Sendable {
  /// This machine is in no network.
  case noNetwork
  /// Nothing answers at the server's address. `reason` is a clause without a subject, such as "connection refused".
  case unreachable(server: String, reason: String)
  /// The server asks to be left alone for a while.
  case serverOverload
  /// Access is denied. `subject` names what may not be read, and `reason` is the server's own. Either is nil if the
  /// service does not say.
  case permissionDenied(subject: String? = nil, reason: String? = nil)
  /// There is no file at the path.
  case notFound(path: String)
  /// The answer arrived and is invalid. `fault` says what is wrong, and where.
  case unreadableContent(source: String, fault: String)
  /// The server answered with an error or broke a limit. `fault` is a whole clause, such as "the answer is too slow".
  case serverFault(server: String, fault: String)
  /// The server cannot prove its identity.
  case untrustedServer(server: String, fault: String)
  /// The address must not be fetched. `fault` says why.
  case unsafeAddress(String, fault: String)
  /// The header of this name has characters that cannot be sent.
  case invalidHeader(name: String)
  /// A download could not be saved, for example because the disk is full.
  case cannotWrite(reason: String)
  /// No program opens the file. `reason` says why, and what the user can do.
  case cannotOpen(reason: String)
  /// The caller no longer waits for the answer.
  case cancelled
  /// A change was not stored in the file at `path`. `reason` says why, and what the user can do.
  case notKept(path: String, reason: String)

  /// Printable sentences that say what happened and what the user can do. They name no key, since only the view that
  /// shows them knows it.
  public var message: String {
    switch self {
    case .noNetwork:
      "No Network. Check the connection."
    case .unreachable(let server, let reason):
      "Can't reach \(server.printable): \(reason.printable)."
    case .serverOverload:
      "Server is overloaded. Try again in a moment."
    case .permissionDenied(let subject?, let reason):
      "You don't have permission to read \(subject.printable)\(Self.inBrackets(reason)). Ask its owner for access."
    case .permissionDenied(nil, let reason):
      "You don't have permission\(Self.inBrackets(reason)). Sign in or ask for access."
    case .notFound(let path):
      "There is no file at \(path.printable). Check the name."
    case .unreadableContent(let source, let fault):
      "\(source.printable) cannot be read: \(fault.printable)."
    case .serverFault(let server, let fault):
      "\(server.printable): \(fault.printable)."
    case .untrustedServer(let server, let fault):
      "\(server.printable) cannot be trusted: \(fault.printable). Check the address and this machine's date."
    case .unsafeAddress(let address, let fault):
      "Blocked \(address.printable): \(fault.printable)."
    case .invalidHeader(let name):
      "The header \(name.printable) has characters that cannot be sent. Correct it, then start again."
    case .cannotWrite(let reason):
      "Can't save downloads: \(reason.printable). Check the free space and the permissions there."
    case .cannotOpen(let reason):
      "It cannot be opened: \(reason.printable)."
    case .cancelled:
      "Loading stopped."
    case .notKept(let path, let reason):
      "Nothing was kept in \(path.printable): \(reason.printable), then try again."
    }
  }

  private static func inBrackets(_ reason: String?) -> String {
    reason.map { " (\($0.printable))" } ?? ""
  }
}
