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
    public var metadata: PhotoMetadata

    /// Creates an entry.
    public init(path: FilePath, stamp: Stamp, metadata: PhotoMetadata) {
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

  /// Returns the entries of files, and of all files in and below folders.
  public func entries(in paths: [FilePath]) async throws(APIError) -> [FilePath: Entry] {
    try await file.read { db in
      let statement = try db.makeStatement(
        sql: "SELECT \(Self.columns) FROM photo WHERE path = ? OR path >= ? AND path < ?")
      var entries: [FilePath: Entry] = [:]
      for path in paths {
        // The paths below a folder are those between "folder/" and "folder0".
        let first = Data(path.appending([]).bytes)
        let end = Data(first.dropLast() + [UInt8(ascii: "/") + 1])
        let rows = try Row.fetchCursor(statement, arguments: [Data(path.bytes), first, end])
        while let row = try rows.next() {
          let entry = try Entry(row)
          entries[entry.path] = entry
        }
      }
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

  /// The columns, in the order of the arguments of ``Entry``.
  fileprivate static let columns = """
    path, size, modifiedAt, sidecarModifiedAt, clock, offset, width, height, camera, lens, exposureTime, fNumber, \
    focalLength, iso, latitude, longitude, altitude, title, caption, keywords, rating, label, isCutOff
    """

  /// The versions of the schema. A released version is never changed: each change is a new one.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
      // The units are those of PhotoMetadata and Stamp. Line feeds separate keywords, which contain none.
      try db.execute(
        sql: """
          CREATE TABLE photo (
            path BLOB PRIMARY KEY, size INTEGER NOT NULL, modifiedAt INTEGER NOT NULL,
            sidecarModifiedAt INTEGER NOT NULL, clock REAL, offset INTEGER, width INTEGER NOT NULL,
            height INTEGER NOT NULL, camera TEXT, lens TEXT, exposureTime REAL, fNumber REAL, focalLength REAL,
            iso INTEGER, latitude REAL, longitude REAL, altitude REAL, title TEXT, caption TEXT, keywords TEXT,
            rating INTEGER, label TEXT, isCutOff INTEGER NOT NULL
          ) WITHOUT ROWID
          """)
    }
    migrator.registerMigration("HEIF and JPEG XL are read") { db in
      // Earlier versions could not read these files, not even their sizes.
      try db.execute(sql: "DELETE FROM photo WHERE width = 0")
    }
    migrator.registerMigration("GPS tags are checked and PNG's raw profiles are read") { db in
      // Stored places may be wrong, and the metadata of PNG files is missing.
      try db.execute(sql: "DELETE FROM photo")
    }
    return migrator
  }()
}

/// The range of an image's width and height, in pixels.
private let sides = 0...Int(Int32.max)

extension PhotoIndex.Entry {
  /// Reads an entry. Columns have numbers here, since looking up their names doubles the time for 10,000 photos.
  ///
  /// - Throws: An error if a value is invalid, which SQLite does not check.
  fileprivate init(_ row: Row) throws {
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value {
      try row.decode(Value.self, atIndex: index)
    }
    func known<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value? {
      try row.decode(Value?.self, atIndex: index)
    }
    // Texts were printable when they were stored, but the file may have been damaged since.
    func text(_ index: Int) throws -> String? { try known(index).map(\String.printable) }
    var metadata = PhotoMetadata()
    let offset: Int? = try known(5)
    if let clock: Double = try known(4) {
      guard CaptureTime.clocks.contains(clock) else { throw StoreFault.damaged }
      metadata.takenAt = CaptureTime(clock: clock, offset: offset)
    }
    (metadata.width, metadata.height) = (try value(6), try value(7))
    guard sides.contains(metadata.width), sides.contains(metadata.height) else { throw StoreFault.damaged }
    (metadata.camera, metadata.lens) = (try text(8), try text(9))
    (metadata.exposureTime, metadata.fNumber) = (try known(10), try known(11))
    (metadata.focalLength, metadata.iso) = (try known(12), try known(13))
    if let latitude: Double = try known(14), let longitude: Double = try known(15) {
      metadata.place = PhotoMetadata.Place(latitude: latitude, longitude: longitude, altitude: try known(16))
    }
    (metadata.title, metadata.caption) = (try text(17), try known(18).map(\String.printableLines))
    let keywords: String? = try known(19)
    metadata.keywords = keywords?.split(separator: "\n").map { String($0).printable } ?? []
    (metadata.rating, metadata.label, metadata.isCutOff) = (try known(20), try text(21), try value(22))
    self.init(
      path: FilePath(Array(try value(0) as Data)),
      stamp: PhotoIndex.Stamp(size: try value(1), modifiedAt: try value(2), sidecarModifiedAt: try value(3)),
      metadata: metadata)
  }

  fileprivate var arguments: StatementArguments {
    let place = metadata.place
    let keywords = metadata.keywords.isEmpty ? nil : metadata.keywords.joined(separator: "\n")
    let values: [(any DatabaseValueConvertible)?] = [
      Data(path.bytes), stamp.size, stamp.modifiedAt, stamp.sidecarModifiedAt, metadata.takenAt?.clock,
      metadata.takenAt?.offset, metadata.width, metadata.height, metadata.camera, metadata.lens, metadata.exposureTime,
      metadata.fNumber,
      metadata.focalLength, metadata.iso, place?.latitude, place?.longitude, place?.altitude, metadata.title,
      metadata.caption,
      keywords, metadata.rating, metadata.label, metadata.isCutOff,
    ]
    return StatementArguments(values)
  }
}
