/// Why a service could not answer.
public enum APIError: Error, Hashable, Sendable {
  case noNetwork
  case serverOverload
  /// `subject` names what may not be read, `reason` is the server's own; nil where the service does not say.
  case permissionDenied(subject: String? = nil, reason: String? = nil)
  case notFound(path: String)
  /// The answer came and makes no sense: `fault` says what and where.
  case unreadableContent(source: String, fault: String)
  /// `fault` continues a sentence about the server.
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

  /// What happened and what the person can do, in printable sentences.
  public var message: String {
    switch self {
    case .noNetwork:
      "No Network. Check the connection, then press r to try again."
    case .serverOverload:
      "Server is overloaded. Wait a moment, then press r to try again."
    case .permissionDenied(let subject?, let reason):
      "You don't have permission to read \(subject.printable)\(Self.inBrackets(reason)). Ask its owner for access, then "
        + "press r to try again."
    case .permissionDenied(nil, let reason):
      "You don't have permission\(Self.inBrackets(reason)). Sign in or ask for access, then press r to try again."
    case .notFound(let path):
      "There is no file at \(path.printable). Check the name, then press r to try again."
    case .unreadableContent(let source, let fault):
      "\(source.printable) cannot be read: \(fault.printable). Correct that, then press r to try again."
    case .serverFault(let server, let fault):
      "\(server.printable) does not answer as it should: \(fault.printable). Press r to try again, or tell its owner."
    case .untrustedServer(let server, let fault):
      "\(server.printable) cannot be trusted: \(fault.printable). Check the address and this machine's date."
    case .unsafeAddress(let address, let fault):
      "\(address.printable) is not opened: \(fault.printable). Check the address, or ask whoever gave it."
    case .invalidHeader(let name):
      "The header \(name.printable) has characters that cannot be sent. Correct it, then start again."
    case .cannotWrite(let reason):
      "What came cannot be written to the disk: \(reason.printable). Make room there, then press r to try again."
    case .cannotOpen(let reason):
      "It cannot be opened: \(reason.printable)."
    case .cancelled:
      "Nothing was loaded, since it was stopped. Press r to try again."
    case .notKept(let path, let reason):
      "Nothing was kept in \(path.printable): \(reason.printable), then try again."
    }
  }

  private static func inBrackets(_ reason: String?) -> String {
    reason.map { " (\($0.printable))" } ?? ""
  }
}
