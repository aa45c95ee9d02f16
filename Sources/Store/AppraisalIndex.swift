import Foundation
import GRDB
import Gallery

/// The appraisals of photos as they were made last, so that only changed files are decoded again.
///
/// The index can be rebuilt at any time, so a damaged one is removed.
public struct AppraisalIndex: Sendable {
  /// A file in the index.
  public struct Entry: Hashable, Sendable {
    /// The path of the file.
    public var path: FilePath
    /// The size and the time of the file when it was appraised. The time of a sidecar does not matter.
    public var stamp: PhotoIndex.Stamp
    /// The appraisal.
    public var appraisal: ImageAppraisal

    /// Creates an entry.
    public init(path: FilePath, stamp: PhotoIndex.Stamp, appraisal: ImageAppraisal) {
      (self.path, self.stamp, self.appraisal) = (path, stamp, appraisal)
    }
  }

  private let file: StoreFile

  /// The most entries that are kept. An entry takes about 600 bytes.
  private static let mostEntries = 200_000
  /// The entries that are removed at once if there are too many, the ones that were stored first.
  private static let removedEntries = 20_000

  /// Creates an index.
  ///
  /// - Parameters:
  ///   - folder: ``XDGFolders/cache``, or nil to keep everything in memory.
  ///   - onProblem: Called at most once, on any thread, if nothing can be stored.
  public init(folder: String?, onProblem: @escaping @Sendable (StoreProblem) -> Void = { _ in }) {
    file = StoreFile(
      folder: folder, name: "appraisals.sqlite", migrator: Self.migrator, canBeMadeAgain: true, onProblem: onProblem)
  }

  /// Returns the entries of files.
  public func appraisals(of paths: [FilePath]) async throws(APIError) -> [FilePath: Entry] {
    try await file.read { db in
      let statement = try db.makeStatement(
        sql: "SELECT size, modifiedAt, hash, sharpness FROM appraisal WHERE path = ?")
      var entries: [FilePath: Entry] = [:]
      for path in paths {
        guard let row = try Row.fetchOne(statement, arguments: [Data(path.bytes)]) else { continue }
        entries[path] = try Entry(row, path: path)
      }
      return entries
    }
  }

  /// Stores entries, replacing those of the same files.
  public func add(_ entries: [Entry]) async throws(APIError) {
    guard !entries.isEmpty else { return }
    try await file.write { db in
      let statement = try db.makeStatement(
        sql: "INSERT OR REPLACE INTO appraisal (path, size, modifiedAt, hash, sharpness) VALUES (?, ?, ?, ?, ?)")
      for entry in entries { try statement.execute(arguments: entry.arguments) }
      guard try Int.fetchOne(db, sql: "SELECT count(*) FROM appraisal") ?? 0 > Self.mostEntries else { return }
      try db.execute(
        sql: "DELETE FROM appraisal WHERE rowid IN (SELECT rowid FROM appraisal ORDER BY rowid LIMIT ?)",
        arguments: [Self.removedEntries])
    }
  }

  /// The migrations of the file. A released migration is never changed; a change is a further one.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("2026-11-24") { db in
      // Units as in Stamp and ImageAppraisal. The values of sharpness have two bytes each, the lower one first.
      try db.execute(
        sql: """
          CREATE TABLE appraisal (
            path BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, modifiedAt INTEGER NOT NULL, hash INTEGER NOT NULL,
            sharpness BLOB NOT NULL
          )
          """)
    }
    return migrator
  }()
}

extension AppraisalIndex.Entry {
  fileprivate init(_ row: Row, path: FilePath) throws {
    let bytes = Array(try row.decode(Data.self, atIndex: 3))
    let hash: Int64 = try row.decode(Int64.self, atIndex: 2)
    self.init(
      path: path,
      stamp: PhotoIndex.Stamp(
        size: try row.decode(Int.self, atIndex: 0), modifiedAt: try row.decode(Int.self, atIndex: 1)),
      appraisal: ImageAppraisal(
        hash: UInt64(bitPattern: hash),
        sharpness: stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }))
  }

  fileprivate var arguments: StatementArguments {
    let bytes = appraisal.sharpness.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    return [
      Data(path.bytes), stamp.size, stamp.modifiedAt, Int64(bitPattern: appraisal.hash), Data(bytes),
    ]
  }
}
