/// The answer of a server after all redirects.
public struct HTTPResponse: Hashable, Sendable {
  /// The status, from 200 to 299, or 304.
  public var status: Int
  /// The headers by their names in lower case. The values of a repeated header are separated by commas.
  public var headers: [String: String]
  /// The body, which is empty if it was written to a file.
  public var body: [UInt8]
  /// The address of the answer, against which relative addresses in the body are resolved.
  public var address: String

  /// Whether the cached body is still valid.
  public var isNotModified: Bool { status == 304 }

  /// The validators of this version of the body.
  public var validators: HTTPValidators {
    HTTPValidators(entityTag: headers["etag"], lastModified: headers["last-modified"])
  }
}
