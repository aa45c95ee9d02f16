/// A reason why a service could not answer. The words for it are in `ErrorMessages.swift`.
public enum APIError: Error, Hashable, Sendable {
  /// This machine is in no network.
  case noNetwork
  /// The web cannot be used, because libcurl is not installed.
  case webUnavailable
  /// Nothing answers at the server's address.
  case unreachable(server: String, ConnectionFault)
  /// The server asks to be left alone for a while.
  case serverOverload
  /// Access is denied. `subject` names what may not be read, and `reason` is the server's own. Either is nil if the
  /// service does not say.
  case permissionDenied(subject: String? = nil, reason: String? = nil)
  /// There is no file at the path.
  case notFound(path: String)
  /// The user has no collection of the name.
  case noCollection(String)
  /// The source is there and is invalid. `source` is its name, or nil for the standard input.
  case unreadableContent(source: String?, ContentFault)
  /// The server answered with an error or broke a limit.
  case serverFault(server: String, ServerFault)
  /// The server cannot prove its identity.
  case untrustedServer(server: String, TrustFault)
  /// The address must not be fetched.
  case unsafeAddress(String, AddressFault)
  /// The header of this name has characters that cannot be sent.
  case invalidHeader(name: String)
  /// A download could not be saved, for example because the disk is full.
  case cannotWrite(WriteFault)
  /// No program opens the file.
  case cannotOpen(OpeningFault)
  /// A command of the user's own failed.
  case commandFailed(CommandFault)
  /// The caller no longer waits for the answer.
  case cancelled
  /// Another machine can't be reached, or it could not answer.
  case remote(RemoteFault)
  /// A change was not stored in the file at `path`.
  case notKept(path: String, StoreFault)
}

extension APIError {
  /// A reason why a server's answer cannot be used.
  public enum ServerFault: Hashable, Sendable {
    /// The answer is an error with this status code. `reason` is the server's own, or nil if it gives none.
    case status(Int, reason: String?)
    /// The connection broke, or the answer is damaged. `reason` is libcurl's.
    case interrupted(reason: String)
    /// The answer is not HTTP. Perhaps the server expects encryption.
    case notHTTP
    /// The answer is compressed by a method that was not asked for.
    case unwantedCoding
    /// The answer arrives too slowly.
    case tooSlow
    /// The answer is larger than `limit` bytes.
    case bodyTooLarge(limit: Int)
    /// The headers are larger than `limit` bytes.
    case headersTooLarge(limit: Int)
    /// The servers redirect more than `limit` times.
    case tooManyRedirects(limit: Int)
    /// The answer is a page for browsers. A network that requires a login first answers every address with such a page.
    case webPage(insteadOf: Answer)
    /// The answer is invalid.
    case unreadable(ContentFault)
    /// The server says of a file neither a tag nor a time, so a change could overwrite that of another program.
    case noVersions
    /// The server has nothing of this name. `others` are some names that it has.
    case nothingNamed(String, others: [String])
  }

  /// The kind of content that a server was asked for.
  public enum Answer: Hashable, Sendable {
    case catalog, image, searchResults
  }

  /// A reason why an address must not be fetched.
  public enum AddressFault: Hashable, Sendable {
    /// It is not an http or https address.
    case notHTTP
    /// It is no valid address.
    case invalid
    /// A redirect must not lead there.
    case forbiddenRedirect
    /// It is on a private network, and the user did not enter it.
    case privateNetwork
  }

  /// A reason why the desktop opens no file.
  public enum OpeningFault: Hashable, Sendable {
    /// `xdg-open` found no program for the file.
    case noProgram
    /// `xdg-open` is not installed.
    case openerMissing
    /// `xdg-open` could not be started. `reason` is the system's.
    case openerFailed(reason: String)
  }
}

/// A reason why a server cannot be connected to.
public indirect enum ConnectionFault: Hashable, Sendable {
  /// No program listens at the port.
  case refused
  /// No route leads to the host.
  case noRoute
  /// The host does not answer in time.
  case timedOut
  /// This machine is in no network.
  case noNetwork
  /// The host has no address, or name servers do not answer.
  case unknownName
  /// The connection cannot be encrypted. `reason` is that of the TLS library.
  case noEncryption(reason: String)
  /// The proxy cannot be reached, or does not connect, for this reason.
  case proxy(ConnectionFault)
  /// The answer is this status of HTTP.
  case status(Int)
  /// The answer is not HTTP.
  case notHTTP
  /// The system reports another error, in its own words.
  case system(reason: String)
  /// The reason is unknown.
  case unknown
}

/// A reason why a server's certificate does not prove its identity.
public enum TrustFault: Hashable, Sendable {
  /// It has expired.
  case expired
  /// It is not valid yet.
  case notYetValid
  /// It is for another name.
  case otherName
  /// No authority that this machine trusts has signed it.
  case unknownAuthority
  /// Its key or its signature is too weak.
  case weak
  /// The file with the certificates of the authorities cannot be read. `reason` is libcurl's.
  case noAuthorities(reason: String)
  /// Another reason, in libcurl's words.
  case other(reason: String)
}
