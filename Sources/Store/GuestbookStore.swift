import Foundation
import GRDB
import Gallery

/// The entries of the guestbook, which are the user's own data.
public struct GuestbookStore: Sendable {
  private let file: StoreFile

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - folder: ``XDGFolders/data``, or nil to keep everything in memory.
  ///   - onProblem: Called at most once, on any thread, if nothing can be stored.
  public init(folder: String?, onProblem: @escaping @Sendable (StoreProblem) -> Void) {
    file = StoreFile(
      folder: folder, name: "guestbook.sqlite", contents: .guestbook, migrator: Self.migrator,
      check: { _ = try Self.entries($0) }, onProblem: onProblem)
  }

  /// Returns the entries, the newest first.
  public func entries() async throws(APIError) -> [GuestbookEntry] {
    try await file.read(Self.entries)
  }

  private static func entries(_ db: Database) throws -> [GuestbookEntry] {
    try Row.fetchAll(db, sql: "SELECT id, name, signedAt FROM entry ORDER BY signedAt DESC, id DESC").map { row in
      return GuestbookEntry(
        id: try row.decode(forColumn: "id"), name: try row.decode(String.self, forColumn: "name").printable,
        date: try row.date(forColumn: "signedAt"))
    }
  }

  /// Adds an entry, and returns it with its number.
  public func add(_ name: String, date: Date) async throws(APIError) -> GuestbookEntry {
    try await file.write { db in
      try db.execute(
        sql: "INSERT INTO entry (name, signedAt) VALUES (?, ?)", arguments: [name, date.timeIntervalSince1970])
      return GuestbookEntry(id: db.lastInsertedRowID, name: name, date: date)
    }
  }

  /// The versions of the schema. A released version is never changed: each change is a new one.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
      // Seconds since 1970, in UTC.
      try db.execute(
        sql: "CREATE TABLE entry (id INTEGER PRIMARY KEY, name TEXT NOT NULL, signedAt REAL NOT NULL)")
    }
    return migrator
  }()
}
