/// Why a service could not answer.
public enum APIError: Error, Hashable, Sendable {
  case noNetwork
  case serverOverload
  /// `subject` names what may not be read; nil where the service does not say.
  case permissionDenied(subject: String? = nil)
  case notFound(path: String)
  /// The answer came and makes no sense: `fault` says what and where.
  case unreadableContent(source: String, fault: String)
  /// What was to be kept in the file of this path is not; `reason` says why, and what the person can do.
  case notKept(path: String, reason: String)

  /// What happened and what the person can do, in printable sentences.
  public var message: String {
    switch self {
    case .noNetwork:
      "No Network. Check the connection, then press r to try again."
    case .serverOverload:
      "Server is overloaded. Wait a moment, then press r to try again."
    case .permissionDenied(let subject?):
      "You don't have permission to read \(subject.printable). Ask its owner for access, then press r to try again."
    case .permissionDenied(nil):
      "You don't have permission. Sign in or ask for access, then press r to try again."
    case .notFound(let path):
      "There is no file at \(path.printable). Check the name, then press r to try again."
    case .unreadableContent(let source, let fault):
      "\(source.printable) cannot be read: \(fault.printable). Correct that, then press r to try again."
    case .notKept(let path, let reason):
      "Nothing was kept in \(path.printable): \(reason.printable), then try again."
    }
  }
}
