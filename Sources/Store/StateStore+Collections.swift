import Foundation
import GRDB
import Gallery

extension StateStore {
  /// Returns the collections in the order of their names.
  public func collections() async throws(APIError) -> [PhotoCollection] { try await file.read(Self.collections) }

  /// Returns the files of a collection in their order, or nil if there is no such collection.
  public func files(ofCollection name: String) async throws(APIError) -> [FilePath]? {
    try await file.read { db in try Self.id(of: name, db).map { try Self.files(of: $0, db) } }
  }

  /// Changes a collection, which is created if there is none.
  public func make(_ edit: CollectionEdit) async throws(APIError) {
    try await file.write { db in
      // Taking a photo out of a collection that is gone makes no new one.
      let isNew = try Self.id(of: edit.collection, db) == nil
      if isNew, edit.inserted.isEmpty { return }
      try db.execute(sql: "INSERT OR IGNORE INTO collection (name) VALUES (?)", arguments: [edit.collection])
      guard let id = try Self.id(of: edit.collection, db) else { return }
      let files = try Self.files(of: id, db)
      let new = edit.applied(to: files)
      if edit.isDeletedIfEmpty, new.isEmpty {
        return try db.execute(sql: "DELETE FROM collection WHERE id = ?", arguments: [id])
      }
      let same = zip(files, new).prefix { $0 == $1 }.count
      try db.execute(sql: "DELETE FROM collected WHERE collectionID = ? AND place >= ?", arguments: [id, same])
      let insertion = try db.cachedStatement(
        sql: "INSERT INTO collected (collectionID, place, path) VALUES (?, ?, ?)")
      for place in same..<new.count { try insertion.execute(arguments: [id, place, Data(new[place].bytes)]) }
    }
  }

  /// Gives a collection another name, unless another collection has it. Returns whether that was possible.
  public func renameCollection(_ name: String, to new: String) async throws(APIError) -> Bool {
    try await file.write { db in
      let other = try Self.id(of: new, db)
      guard let id = try Self.id(of: name, db), other == nil || other == id else { return false }
      try db.execute(sql: "UPDATE collection SET name = ? WHERE id = ?", arguments: [new, id])
      return true
    }
  }

  /// Deletes a collection.
  public func deleteCollection(_ name: String) async throws(APIError) {
    try await file.write { db in try db.execute(sql: "DELETE FROM collection WHERE name = ?", arguments: [name]) }
  }

  /// Gives the files of collections other paths.
  ///
  /// - Returns: Whether one of them is in a collection.
  public func follow(_ moves: [MovedFile]) async throws(APIError) -> Bool {
    let isCollected = try await file.read { db in
      // Most users move files that are in no collection, and many at once. A file may get several paths one after the other.
      guard try Int.fetchOne(db, sql: "SELECT 1 FROM collected LIMIT 1") != nil else { return false }
      let selection = try db.cachedStatement(sql: "SELECT 1 FROM collected WHERE path = ? LIMIT 1")
      return try moves.contains { try Int.fetchOne(selection, arguments: [Data($0.source.bytes)]) != nil }
    }
    guard isCollected else { return false }
    try await file.write { db in
      let update = try db.cachedStatement(sql: "UPDATE OR REPLACE collected SET path = ? WHERE path = ?")
      for move in moves { try update.execute(arguments: [Data(move.target.bytes), Data(move.source.bytes)]) }
    }
    return true
  }

  static func collections(_ db: Database) throws -> [PhotoCollection] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT name, (SELECT count(*) FROM collected WHERE collectionID = collection.id) AS count
        FROM collection ORDER BY name
        """
    ).map { row in
      PhotoCollection(
        name: try row.decode(String.self, forColumn: "name").printable,
        count: try row.decode(Int.self, forColumn: "count"))
    }
  }

  private static func id(of name: String, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(db, sql: "SELECT id FROM collection WHERE name = ?", arguments: [name])
  }

  private static func files(of id: Int64, _ db: Database) throws -> [FilePath] {
    try Data.fetchAll(db, sql: "SELECT path FROM collected WHERE collectionID = ? ORDER BY place", arguments: [id])
      .map { FilePath(Array($0)) }
  }
}
