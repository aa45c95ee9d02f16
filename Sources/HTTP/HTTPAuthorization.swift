/// The proof that a request comes from the user.
public enum HTTPAuthorization: Hashable, Sendable {
  /// A user name and a password, sent as the server asks: by the basic or the digest scheme (RFC 7617, RFC 7616).
  case password(user: String, password: String)
  /// A signature of the request (AWS Signature Version 4) for S3 in a region.
  case signature(keyID: String, secret: String, region: String)

  /// The part that is no secret, by which a cache tells the answers to two users apart.
  var user: String {
    switch self {
    case .password(let user, _): user
    case .signature(let keyID, _, _): keyID
    }
  }
}

/// A scheme by which a server takes a password.
enum PasswordScheme: Sendable {
  case basic, digest
}
