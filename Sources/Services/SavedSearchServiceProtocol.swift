import Gallery

/// A service that keeps the searches that the user has given names.
///
/// Each method returns all searches as they are after the call, including changes that were made elsewhere.
public protocol SavedSearchServiceProtocol: Sendable {
  /// Returns the saved searches.
  func searches() async throws(APIError) -> [SavedSearch]
  /// Adds a search, or replaces the one with the same name.
  func save(_ search: SavedSearch) async throws(APIError) -> [SavedSearch]
  /// Removes the search with a name, if there is one.
  func removeSearch(named name: String) async throws(APIError) -> [SavedSearch]
}
