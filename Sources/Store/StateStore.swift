import Foundation
import GRDB
import Gallery

/// The state that the program keeps for the user: the members they follow, their basket, the name they signed with, their
/// searches, the photos they have marked, their collections, and the places they have visited.
///
/// Several copies of the program may use it at once. When a call returns, its change is on the disk.
public struct StateStore: Sendable {
  let file: StoreFile

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - folder: ``XDGFolders/state``, or nil to keep everything in memory.
  ///   - onProblem: Called at most once, on any thread, if nothing can be stored.
  public init(folder: String?, onProblem: @escaping @Sendable (StoreProblem) -> Void) {
    file = StoreFile(
      folder: folder, name: "state.sqlite", contents: .state,
      migrator: Self.migrator,
      check: { db in
        _ = try Int.fetchSet(db, sql: "SELECT memberID FROM follow")
        _ = try Self.basket(db)
        _ = try String.fetchOne(db, sql: "SELECT name FROM visitor")
        _ = try Self.searches(db)
        try Self.checkMarks(db)
        _ = try Self.places(db)
        _ = try Self.collections(db)
      }, onProblem: onProblem)
  }

  // MARK: Following

  /// Returns the ids of the members whom the user follows.
  public func followed() async throws(APIError) -> Set<Member.ID> {
    try await file.read { db in try Int.fetchSet(db, sql: "SELECT memberID FROM follow") }
  }

  /// Follows a member, or stops following them.
  public func setFollowing(_ isFollowing: Bool, member: Member.ID) async throws(APIError) {
    let sql =
      isFollowing ? "INSERT OR IGNORE INTO follow (memberID) VALUES (?)" : "DELETE FROM follow WHERE memberID = ?"
    try await file.write { db in try db.execute(sql: sql, arguments: [member]) }
  }

  // MARK: The basket

  /// Returns the basket.
  public func basket() async throws(APIError) -> Basket {
    try await file.read(Self.basket)
  }

  /// Adds a copy of a print at its present price.
  ///
  /// - Returns: The new basket, or nil if it already contains all copies that are left.
  public func put(_ print: Print) async throws(APIError) -> Basket? {
    try await file.write { db in
      try db.execute(
        sql: """
          INSERT INTO basket (printID, title, minorUnits, currency, quantity)
          SELECT :id, :title, :minorUnits, :currency, 1 WHERE :left > 0
          ON CONFLICT (printID) DO UPDATE SET
            title = excluded.title, minorUnits = excluded.minorUnits, currency = excluded.currency,
            quantity = quantity + 1
            WHERE quantity < :left
          """,
        arguments: [
          "id": print.id, "title": print.title, "minorUnits": print.price.minorUnits,
          "currency": print.price.currency, "left": print.left,
        ])
      return db.changesCount == 0 ? nil : try Self.basket(db)
    }
  }

  /// Removes a copy of a print, if the basket has one, and returns the new basket.
  public func takeOut(_ print: Print.ID) async throws(APIError) -> Basket {
    try await file.write { db in
      try db.execute(sql: "DELETE FROM basket WHERE printID = ? AND quantity = 1", arguments: [print])
      try db.execute(sql: "UPDATE basket SET quantity = quantity - 1 WHERE printID = ?", arguments: [print])
      return try Self.basket(db)
    }
  }

  private static func basket(_ db: Database) throws -> Basket {
    let rows = try Row.fetchAll(
      db, sql: "SELECT printID, title, minorUnits, currency, quantity FROM basket ORDER BY printID")
    return Basket(
      lines: try rows.map { row in
        let (price, quantity) = try (
          row.decode(Int.self, forColumn: "minorUnits"), row.decode(Int.self, forColumn: "quantity")
        )
        guard Self.prices.contains(price), Self.quantities.contains(quantity) else { throw StoreFault.damaged }
        return Basket.Line(
          printID: try row.decode(forColumn: "printID"),
          title: try row.decode(String.self, forColumn: "title").printable,
          price: Money(minorUnits: price, currency: try row.decode(String.self, forColumn: "currency").printable),
          quantity: quantity)
      })
  }

  /// The valid prices of a print, in minor units, and its valid quantities.
  private static let (prices, quantities) = (-1_000_000_000...1_000_000_000, 1...1_000_000)

  // MARK: The visitor

  /// Returns the name with which the user last signed.
  public func visitor() async throws(APIError) -> String? {
    try await file.read { db in try String.fetchOne(db, sql: "SELECT name FROM visitor")?.printable }
  }

  /// Stores the name with which the user signed.
  public func setVisitor(_ name: String) async throws(APIError) {
    try await file.write { db in
      try db.execute(sql: "INSERT OR REPLACE INTO visitor (id, name) VALUES (1, ?)", arguments: [name])
    }
  }

  // MARK: The schema

  /// The versions of the schema. A released version is never changed: each change is a new one.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
      try db.execute(
        sql: """
          CREATE TABLE follow (memberID INTEGER PRIMARY KEY);
          CREATE TABLE basket (
            printID INTEGER PRIMARY KEY,
            title TEXT NOT NULL,
            minorUnits INTEGER NOT NULL,
            currency TEXT NOT NULL,
            quantity INTEGER NOT NULL CHECK (quantity > 0)
          );
          CREATE TABLE visitor (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL);
          """)
    }
    migrator.registerMigration("saved searches") { db in
      try db.execute(sql: "CREATE TABLE search (name TEXT PRIMARY KEY NOT NULL, query TEXT NOT NULL) WITHOUT ROWID")
    }
    migrator.registerMigration("marks") { db in
      // The locations of the marked images, each with a zero byte behind it. The source used last has the highest number.
      try db.execute(
        sql: """
          CREATE TABLE marks (
            id INTEGER PRIMARY KEY, source BLOB NOT NULL UNIQUE, locations BLOB NOT NULL, useNumber INTEGER NOT NULL
          )
          """)
    }
    migrator.registerMigration("places") { db in
      // The arguments that name the source. The place visited last has the highest number.
      try db.execute(
        sql: """
          CREATE TABLE place (
            arguments BLOB PRIMARY KEY NOT NULL, name TEXT NOT NULL, sortOrder TEXT, useNumber INTEGER NOT NULL
          ) WITHOUT ROWID
          """)
    }
    migrator.registerMigration("destinations") { db in
      // The folders to which photos were moved or copied. The one used last has the highest number.
      try db.execute(
        sql: "CREATE TABLE destination (path BLOB PRIMARY KEY NOT NULL, useNumber INTEGER NOT NULL) WITHOUT ROWID")
    }
    migrator.registerMigration("positions") { db in
      // The location of the highlighted image; null for the first one.
      try db.execute(sql: "ALTER TABLE place ADD COLUMN photo BLOB")
    }
    migrator.registerMigration("collections") { db in
      // The paths of the files in their order. Names are unique without regard to the case of ASCII letters.
      try db.execute(
        sql: """
          CREATE TABLE collection (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE);
          CREATE TABLE collected (
            collectionID INTEGER NOT NULL REFERENCES collection ON DELETE CASCADE, place INTEGER NOT NULL,
            path BLOB NOT NULL, UNIQUE (path, collectionID)
          );
          CREATE INDEX collectedOrder ON collected (collectionID, place);
          """)
    }
    return migrator
  }()
}
