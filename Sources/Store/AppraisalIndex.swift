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
      self.path = path
      self.stamp = stamp
      self.appraisal = appraisal
    }
  }

  /// The most entries that are kept. The least recently stored ones are removed first.
  struct Limits {
    /// An entry takes about 200 bytes without its sharpness. The cells of one that may have a duplicate take 256 more.
    var entries = 2_000_000
    /// The sharpness takes 600 bytes more. Entries beyond this limit lose only that.
    var sharpEntries = 200_000
  }

  private let file: StoreFile
  private let limits: Limits

  /// Creates an index.
  ///
  /// - Parameters:
  ///   - folder: ``XDGFolders/cache``, or nil to keep everything in memory.
  ///   - onProblem: Called at most once, on any thread, if nothing can be stored.
  public init(folder: String?, onProblem: @escaping @Sendable (StoreProblem) -> Void = { _ in }) {
    self.init(folder: folder, limits: Limits(), onProblem: onProblem)
  }

  init(folder: String?, limits: Limits, onProblem: @escaping @Sendable (StoreProblem) -> Void = { _ in }) {
    self.limits = limits
    file = StoreFile(
      folder: folder, name: "appraisals.sqlite", migrator: Self.migrator, canBeMadeAgain: true, onProblem: onProblem)
  }

  /// Returns the entries of files.
  public func appraisals(of paths: [FilePath]) async throws(APIError) -> [FilePath: Entry] {
    try await file.read { db in
      let statement = try db.makeStatement(
        sql: "SELECT size, modifiedAt, hash, sharpness, cells FROM appraisal WHERE path = ?")
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
    try await file.write { [limits] db in
      let statement = try db.makeStatement(
        sql: """
          INSERT OR REPLACE INTO appraisal (path, size, modifiedAt, hash, sharpness, cells, sharpNumber)
          VALUES (?, ?, ?, ?, ?5, ?, iif(?5 = x'', NULL, (SELECT ifnull(max(sharpNumber), 0) + 1 FROM appraisal)))
          """)
      for entry in entries { try statement.execute(arguments: entry.arguments) }
      // A row that is replaced gets new numbers. So they follow the order of writing, and the distance from the highest one
      // shows which rows are beyond a limit, without counting them.
      try db.execute(
        sql: """
          UPDATE appraisal SET sharpness = x'', sharpNumber = NULL
          WHERE sharpNumber <= (SELECT max(sharpNumber) FROM appraisal) - ?
          """, arguments: [limits.sharpEntries])
      try db.execute(
        sql: "DELETE FROM appraisal WHERE rowid <= (SELECT max(rowid) FROM appraisal) - ?", arguments: [limits.entries])
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
    migrator.registerMigration("2026-11-24 sharpNumber") { db in
      // The order in which rows with a sharpness were written; null without one.
      try db.execute(
        sql: """
          ALTER TABLE appraisal ADD COLUMN sharpNumber INTEGER;
          UPDATE appraisal SET sharpNumber = rowid WHERE sharpness <> x'';
          CREATE INDEX appraisalOnSharpNumber ON appraisal (sharpNumber);
          """)
    }
    migrator.registerMigration("2026-11-26 cells") { db in
      try db.execute(sql: "ALTER TABLE appraisal ADD COLUMN cells BLOB NOT NULL DEFAULT x''")
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
        sharpness: stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 },
        cells: Array(try row.decode(Data.self, atIndex: 4))))
  }

  fileprivate var arguments: StatementArguments {
    let bytes = appraisal.sharpness.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    return [
      Data(path.bytes), stamp.size, stamp.modifiedAt, Int64(bitPattern: appraisal.hash), Data(bytes),
      Data(appraisal.cells),
    ]
  }
}
