/// A request (RFC 9110).
public struct HTTPRequest: Hashable, Sendable {
  /// The method of a request (RFC 9110, section 9.3).
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    /// Asks for the properties of a file or folder (RFC 4918, section 9.1).
    case propertyFind = "PROPFIND"
  }

  /// The destination of the answer's body.
  public enum Destination: Hashable, Sendable {
    /// The body becomes ``HTTPResponse/body``.
    case memory
    /// The body is written to an open file, from its current offset. The caller keeps and closes the descriptor.
    case file(descriptor: Int32)
  }

  /// The method, by which redirects differ: only GET requests follow those to other servers.
  public var method = Method.get
  /// The http or https URL.
  public var address: String
  /// The body, whose type is in `Content-Type` of ``headers``. A GET request has none.
  public var body: [UInt8] = []
  /// The headers for the server of the address. Servers that it redirects to do not receive them.
  public var headers: [String: String]
  /// The proof of the user for the server of the address. As with the headers, servers that it redirects to do not receive it.
  public var authorization: HTTPAuthorization?
  /// Whether the server may compress the body. The tag of a compressed body may be another one than that of the file.
  public var mayBeCompressed = true
  /// The number of bytes from the start of the body that are wanted; nil for the whole body. The rest is not received.
  public var prefix: Int?
  /// The validators of a cached body. If it is still valid, the status of the answer is 304.
  public var validators: HTTPValidators
  /// The destination of the body.
  public var destination: Destination
  /// The largest size of the decompressed body, in bytes. Nil means ``largestAnswer`` in memory and
  /// ``largestImage`` in a file.
  public var sizeLimit: Int?
  /// Whether the client retries after failures that may be temporary. A server may get a request twice then.
  public var mayBeTriedAgain = true
  /// The host that the user named, which alone may be on a private network. If it is nil, none may.
  public var namedHost: String?

  /// The size of the start of a body that is worth reading while the rest is on its way, in bytes.
  public static let startSize = 32 << 10
  /// The largest size of an answer in memory, in bytes.
  public static let largestAnswer = 1 << 20
  /// The largest size of a page of a catalog, in bytes.
  public static let largestPage = 64 << 20
  /// The largest size of an image, in bytes.
  public static let largestImage = 200 << 20

  /// Creates a GET request.
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

  /// The text that identifies the answer in a cache: the address, all headers and the body, since an answer may depend on them.
  public var cacheKey: String {
    // A session token only identifies the user, and changes often.
    let headers = headers.filter { $0.key != "x-amz-security-token" }
    let lines =
      [address] + [authorization?.user, prefix.map { "-\($0)" }].compactMap(\.self)
      + headers.map { "\($0): \($1)" }.sorted()
    return (method == .get ? lines : lines + [String(decoding: body, as: UTF8.self)]).joined(separator: "\n")
  }

  var largestBody: Int { sizeLimit ?? (destination == .memory ? Self.largestAnswer : Self.largestImage) }
}

/// The validators that identify a version of a body (RFC 9110, section 8.8), as the server spells them.
public struct HTTPValidators: Hashable, Sendable {
  /// The value of `ETag`.
  public var entityTag: String?
  /// The value of `Last-Modified`.
  public var lastModified: String?

  /// Creates validators.
  public init(entityTag: String? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag
    self.lastModified = lastModified
  }
}
