/// A server's answer, after all redirects.
public struct HTTPResponse: Hashable, Sendable {
  /// From 200 to 299, or 304.
  public var status: Int
  /// By name in lower case; of a header sent several times, the values separated by commas.
  public var headers: [String: String]
  /// Empty where it went to a file.
  public var body: [UInt8]
  /// Where the answer came from: what relative addresses in the body are relative to.
  public var address: String

  /// What was had already is still valid.
  public var isNotModified: Bool { status == 304 }

  public var validators: HTTPValidators {
    HTTPValidators(entityTag: headers["etag"], lastModified: headers["last-modified"])
  }
}
