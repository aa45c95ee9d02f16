/// A request for what is at an address (GET, RFC 9110).
public struct HTTPRequest: Hashable, Sendable {
  /// Where the answer's body goes.
  public enum Destination: Hashable, Sendable {
    case memory
    /// An open file, which stays the caller's; it is written from where it stands.
    case file(descriptor: Int32)
  }

  /// An http or https URL.
  public var address: String
  /// Sent to the address's own server, and to no other that it redirects to.
  public var headers: [String: String]
  /// What is had already: the answer is a status of 304 if that is still valid.
  public var validators: HTTPValidators
  public var destination: Destination
  /// The body's largest size in bytes, once decompressed; nil is ``largestAnswer`` for what goes to memory, and
  /// ``largestImage`` for what goes to a file.
  public var sizeLimit: Int?
  /// Whether it is made again where the fault may pass.
  public var mayBeTriedAgain = true
  /// The one host that may be on a private network: the one that the person named. Where it is nil, none may.
  public var namedHost: String?

  public static let largestAnswer = 1 << 20
  public static let largestPage = 64 << 20
  public static let largestImage = 200 << 20

  public init(
    _ address: String, headers: [String: String] = [:], validators: HTTPValidators = HTTPValidators(),
    destination: Destination = .memory, sizeLimit: Int? = nil, namedHost: String? = nil
  ) {
    self.address = address
    self.headers = headers
    self.validators = validators
    self.destination = destination
    self.sizeLimit = sizeLimit
    self.namedHost = namedHost
  }

  /// The text that identifies the answer in a cache: the address and all headers, since an answer may depend on them.
  public var cacheKey: String {
    ([address] + headers.map { "\($0): \($1)" }.sorted()).joined(separator: "\n")
  }

  var largestBody: Int { sizeLimit ?? (destination == .memory ? Self.largestAnswer : Self.largestImage) }
}

/// What tells one version of a body from another (RFC 9110, section 8.8), as the server spells it.
public struct HTTPValidators: Hashable, Sendable {
  public var entityTag: String?
  public var lastModified: String?

  public init(entityTag: String? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag
    self.lastModified = lastModified
  }
}
