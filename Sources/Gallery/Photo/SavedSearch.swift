/// A search that the user has given a name.
public struct SavedSearch: Hashable, Sendable {
  /// The name, which identifies the search.
  public let name: String
  /// The text of the query.
  public let query: String

  /// Creates a search.
  public init(name: String, query: String) {
    self.name = name
    self.query = query
  }
}
