import Foundation
import Gallery
import HTTP
import Services

/// A music search on a server with the iTunes Search API.
public struct MusicSearch: MusicServiceProtocol {
  private let base: String
  private let client: HTTPClient
  private let headers: [String: String]
  private let namedHost: String?

  /// Creates a search.
  /// - Parameters:
  ///   - base: The server's address, with or without `/search` at its end.
  ///   - client: The client that sends the requests.
  ///   - headers: The headers that are sent to this server only.
  ///   - namedHost: The host of the address if the user named it; see ``HTTPRequest/namedHost``.
  public init(base: String, client: HTTPClient, headers: [String: String] = [:], namedHost: String? = nil) {
    let parts = base.split(separator: "/", omittingEmptySubsequences: false).reversed().drop(while: \.isEmpty)
    self.base = (parts.first == "search" ? parts.dropFirst() : parts).reversed().joined(separator: "/")
    self.client = client
    self.headers = headers
    self.namedHost = namedHost
  }

  /// Returns the tracks that the server finds for a term. An empty term sends no request.
  public func search(_ term: String, onRetry: @escaping @Sendable (APIError) -> Void) async throws(APIError) -> [Track]
  {
    let words = term.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !words.isEmpty else { return [] }
    let address = "\(base)/search?media=music&entity=song&term=\(Self.encoded(words))"
    let response: HTTPResponse
    do throws(HTTPError) {
      response = try await client.send(HTTPRequest(address, headers: headers, namedHost: namedHost)) {
        onRetry(APIError($0))
      }
    } catch {
      throw APIError(error)
    }
    do throws(ContentFault) {
      return try MusicAnswer.decode(Data(response.body), folder: "").filter {
        // A server must not choose which of the user's files are shown.
        if case .web = $0.artwork { true } else { false }
      }
    } catch {
      let server = URL(string: base)?.host ?? base
      if WebMarkup.begins(response.body) { throw .serverFault(server: server, .webPage(insteadOf: .searchResults)) }
      throw .serverFault(server: server, .unreadable(error))
    }
  }

  /// Percent-encodes all bytes except the unreserved characters of RFC 3986.
  private static func encoded(_ text: String) -> String {
    let unreserved = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
    return text.utf8.map { byte in
      unreserved.contains(byte)
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
