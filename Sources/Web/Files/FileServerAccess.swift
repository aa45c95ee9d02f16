import Gallery
import HTTP
import Services

/// The way to a server that keeps files, with the proof of the user.
public struct FileServerAccess: Sendable {
  let server: any FileServer
  let client: HTTPClient

  /// Creates a way.
  /// - Parameters:
  ///   - server: ``FileServerAddress/server(headers:password:s3:)``.
  ///   - cache: The cache of the lists.
  public init(_ address: FileServerAddress, server: NamedServer, client: HTTPClient, cache: PageCache) {
    self.client = client
    let requests = CachedRequests(client: client, cache: cache)
    self.server =
      switch address.kind {
      case .webDAV: WebDAVServer(address: address, server: server, requests: requests)
      case .s3: S3Server(address: address, server: server, requests: requests)
      }
  }

  /// Returns the folder above the open one and the folders in it. What the server does not tell is left out.
  public func parts() async -> [PlacePart] {
    let address = server.address
    let above = address.folder == "/" ? [] : [address.folder.folder]
    let inside = (try? await server.folders(in: address.folder)) ?? []
    return (above + inside.sorted()).map { PlacePart(address.place(of: $0)) }
  }
}

extension FileServerAddress {
  /// The server, which alone gets what proves the user.
  /// - Parameters:
  ///   - headers: The headers of all requests.
  ///   - password: The password of ``user``, or the bearer token if the address has no user; nil if there is none.
  ///   - s3: The settings for S3.
  public func server(headers: [String: String], password: String?, s3: S3Settings) -> NamedServer {
    var headers = headers
    var authorization: HTTPAuthorization?
    switch (kind, user, password) {
    case (.s3, _, _):
      headers.merge(s3.headers) { $1 }
      authorization = s3.authorization
    case (.webDAV, let user?, let password?): authorization = .password(user: user, password: password)
    case (.webDAV, nil, let token?): headers["Authorization"] = "Bearer " + token
    case (.webDAV, _, nil): break
    }
    return NamedServer(base + "/", headers: headers, authorization: authorization, versions: versions)
  }
}
