import Foundation
import GRDB
import Gallery

/// The metadata of photos as it was read last, so that only changed files are read again.
///
/// The index can be rebuilt at any time, so a damaged one is removed.
public struct PhotoIndex: Sendable {
  /// The size and the times of a file. If they differ, the file has changed.
  public struct Stamp: Hashable, Sendable {
    /// The size in bytes.
    public var size: Int
    /// The time of the last change, in nanoseconds since 1970.
    public var modifiedAt: Int
    /// The time of the last change of the sidecar file, or 0 if there is none.
    public var sidecarModifiedAt: Int

    /// Creates a stamp.
    public init(size: Int, modifiedAt: Int, sidecarModifiedAt: Int = 0) {
      self.size = size
      self.modifiedAt = modifiedAt
      self.sidecarModifiedAt = sidecarModifiedAt
    }
  }

  /// A photo in the index.
  public struct Entry: Hashable, Sendable {
    /// The path of the image.
    public var path: FilePath
    /// The stamp of the file when it was read.
    public var stamp: Stamp
    /// The metadata that was read.
    public var metadata: MetadataRecord

    /// Creates an entry.
    public init(path: FilePath, stamp: Stamp, metadata: MetadataRecord) {
      self.path = path
      self.stamp = stamp
      self.metadata = metadata
    }
  }

  private let file: StoreFile

  /// Creates an index.
  ///
  /// - Parameters:
  ///   - folder: ``XDGFolders/cache``, or nil to keep everything in memory.
  ///   - onProblem: Called at most once, on any thread, if nothing can be stored.
  public init(folder: String?, onProblem: @escaping @Sendable (StoreProblem) -> Void = { _ in }) {
    file = StoreFile(
      folder: folder, name: "index.sqlite", migrator: Self.migrator, canBeMadeAgain: true, onProblem: onProblem)
  }

  /// Returns the entries of files, and of all files in folders.
  /// - Parameter isRecursive: Whether the files below subfolders are included.
  public func entries(
    in paths: [FilePath], isRecursive: Bool = true
  ) async throws(APIError) -> Entries {
    try await file.read { db in
      let depth = isRecursive ? "" : " AND instr(substr(path, length(:first) + 1), x'2F') = 0"
      let statement = try db.makeStatement(
        sql: "SELECT \(Self.columns) FROM photo WHERE path = :path OR path >= :first AND path < :end\(depth)")
      var entries = Entries()
      for path in paths {
        // The paths below a folder are those between "folder/" and "folder0".
        let first = Data(path.appending([]).bytes)
        let end = Data(first.dropLast() + [UInt8(ascii: "/") + 1])
        let rows = try Row.fetchCursor(
          statement, arguments: ["path": Data(path.bytes), "first": first, "end": end])
        while let row = try rows.next() { try entries.append(row) }
      }
      entries.sort()
      return entries
    }
  }

  /// Stores entries, replacing those of the same files.
  public func add(_ entries: [Entry]) async throws(APIError) {
    guard !entries.isEmpty else { return }
    try await file.write { db in
      let marks = Array(repeating: "?", count: Self.columns.split(separator: ",").count).joined(separator: ", ")
      let statement = try db.makeStatement(sql: "INSERT OR REPLACE INTO photo (\(Self.columns)) VALUES (\(marks))")
      for entry in entries { try statement.execute(arguments: entry.arguments) }
    }
  }

  /// Removes the entries of files that no longer exist.
  public func remove(_ paths: [FilePath]) async throws(APIError) {
    guard !paths.isEmpty else { return }
    try await file.write { db in
      let statement = try db.makeStatement(sql: "DELETE FROM photo WHERE path = ?")
      for path in paths { try statement.execute(arguments: [Data(path.bytes)]) }
    }
  }

  fileprivate static let columns = "path, size, modifiedAt, sidecarModifiedAt, metadata"

  /// The migrations of the file. A released migration is never changed; a change is a further one.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    // Until 2026-11-22 there was a column for each field.
    for name in ["v1", "HEIF and JPEG XL are read", "GPS tags are checked and PNG's raw profiles are read"] {
      migrator.registerMigration(name) { _ in }
    }
    migrator.registerMigration("packed metadata") { db in
      // Units as in Stamp; see MetadataRecord for the metadata.
      try db.execute(
        sql: """
          DROP TABLE IF EXISTS photo;
          CREATE TABLE photo (
            path BLOB PRIMARY KEY, size INTEGER NOT NULL, modifiedAt INTEGER NOT NULL,
            sidecarModifiedAt INTEGER NOT NULL, metadata BLOB NOT NULL
          ) WITHOUT ROWID
          """)
    }
    migrator.registerMigration("captions of cameras are left out") { db in
      try db.execute(sql: "DELETE FROM photo")
    }
    migrator.registerMigration("labels and rejections of other programs are read") { db in
      try db.execute(sql: "DELETE FROM photo")
    }
    // If the list of fields or its order changes, the packed metadata means something else, and all files are read again.
    let fields = MetadataField.all.map { $0.names.first ?? "-" }.joined(separator: " ")
    migrator.registerMigration("fields \(fields)") { db in
      try db.execute(sql: "DELETE FROM photo")
    }
    return migrator
  }()
}

extension PhotoIndex.Entry {
  fileprivate var arguments: StatementArguments {
    [Data(path.bytes), stamp.size, stamp.modifiedAt, stamp.sidecarModifiedAt, Data(metadata.bytes)]
  }
}
