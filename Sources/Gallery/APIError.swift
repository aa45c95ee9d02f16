/// Why a service could not answer.
public enum APIError: Error, Hashable, Sendable {
  case noNetwork
  /// `reason` is a clause without a subject, such as "connection refused".
  case unreachable(server: String, reason: String)
  case serverOverload
  /// `subject` names what may not be read, `reason` is the server's own; nil where the service does not say.
  case permissionDenied(subject: String? = nil, reason: String? = nil)
  case notFound(path: String)
  /// The answer came and makes no sense: `fault` says what and where.
  case unreadableContent(source: String, fault: String)
  /// `fault` is a clause of its own, such as "the answer is too slow".
  case serverFault(server: String, fault: String)
  /// It is not known to be the server that it says it is.
  case untrustedServer(server: String, fault: String)
  /// `fault` says why what is there is not fetched.
  case unsafeAddress(String, fault: String)
  case invalidHeader(name: String)
  /// What came could not be kept: the disk is full, say.
  case cannotWrite(reason: String)
  /// `reason` says why no program opens what is asked for, and what the person can do.
  case cannotOpen(reason: String)
  /// Nobody waits for the answer any more.
  case cancelled
  /// What was to be kept in the file of this path is not; `reason` says why, and what the person can do.
  case notKept(path: String, reason: String)

  /// What happened and what the user can do, in printable sentences. No key is named: the view that shows the message
  /// knows the key.
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
