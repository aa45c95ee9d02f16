import Foundation
import GRDB
import Gallery

/// The guestbook's entries, which are the person's own data.
public struct GuestbookStore: Sendable {
  private let file: StoreFile

  /// - Parameters:
  ///   - folder: See ``StoreFolders/data``; nil keeps everything in memory.
  ///   - onProblem: Called at most once, on any thread, if nothing can be kept.
  public init(folder: String?, onProblem: @escaping @Sendable (StoreProblem) -> Void) {
    file = StoreFile(folder: folder, name: "guestbook.sqlite", migrator: Self.migrator, onProblem: onProblem)
  }

  /// Newest first.
  public func entries() async throws(APIError) -> [GuestbookEntry] {
    try await file.read { db in
      try Row.fetchAll(db, sql: "SELECT id, name, signedAt FROM entry ORDER BY signedAt DESC, id DESC").map {
        GuestbookEntry(id: $0["id"], name: $0["name"], date: Date(timeIntervalSince1970: $0["signedAt"]))
      }
    }
  }

  public func add(_ name: String, date: Date) async throws(APIError) -> GuestbookEntry {
    try await file.write { db in
      try db.execute(
        sql: "INSERT INTO entry (name, signedAt) VALUES (?, ?)", arguments: [name, date.timeIntervalSince1970])
      return GuestbookEntry(id: db.lastInsertedRowID, name: name, date: date)
    }
  }

  /// A version that was released is never changed; a change is a further one.
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
