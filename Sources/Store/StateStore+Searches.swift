import GRDB
import Gallery

extension StateStore {
  /// Returns the saved searches in the order of their names.
  public func searches() async throws(APIError) -> [SavedSearch] { try await file.read(Self.searches) }

  /// Adds a search, or replaces the one with the same name. Returns all searches.
  public func save(_ search: SavedSearch) async throws(APIError) -> [SavedSearch] {
    try await file.write { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO search (name, query) VALUES (?, ?)", arguments: [search.name, search.query])
      return try Self.searches(db)
    }
  }

  /// Removes the search with a name, if there is one. Returns all searches.
  public func removeSearch(named name: String) async throws(APIError) -> [SavedSearch] {
    try await file.write { db in
      try db.execute(sql: "DELETE FROM search WHERE name = ?", arguments: [name])
      return try Self.searches(db)
    }
  }

  static func searches(_ db: Database) throws -> [SavedSearch] {
    try Row.fetchAll(db, sql: "SELECT name, query FROM search ORDER BY name").map { row in
      SavedSearch(
        name: try row.decode(String.self, forColumn: "name").printable,
        query: try row.decode(String.self, forColumn: "query").printable)
    }
  }
}
