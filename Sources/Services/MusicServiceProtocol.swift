import Gallery

/// A service that searches for music tracks and their album covers.
public protocol MusicServiceProtocol: Sendable {
  /// Returns the tracks that match a term.
  ///
  /// With an empty term, a bundled collection returns all of its tracks. A remote service returns no tracks and sends
  /// no request.
  ///
  /// - Parameter onRetry: Called with the error of an attempt before the service tries again.
  func search(_ term: String, onRetry: @escaping @Sendable (APIError) -> Void) async throws(APIError) -> [Track]
}

extension MusicServiceProtocol {
  /// Returns the tracks that match a term.
  public func search(_ term: String) async throws(APIError) -> [Track] { try await search(term) { _ in } }
}
