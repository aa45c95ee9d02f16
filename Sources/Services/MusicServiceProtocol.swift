import Gallery

/// Where album covers are searched.
public protocol MusicServiceProtocol: Sendable {
  /// The tracks that have to do with a term.
  ///
  /// An empty term asks for whatever there is to see without one: all of a bundled collection; of a service far away
  /// nothing, and it is not asked.
  func search(_ term: String) async throws(APIError) -> [Track]
}
