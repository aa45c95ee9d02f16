import Gallery

/// A service that searches for music tracks and their album covers.
public protocol MusicServiceProtocol: Sendable {
  /// Returns the tracks that match a term.
  ///
  /// With an empty term, a bundled collection returns all of its tracks. A remote service returns no tracks and sends
  /// no request.
  func search(_ term: String) async throws(APIError) -> [Track]
}
