import Foundation
import GRDB
import Gallery

/// What photos' files said when they were read last, so that only those that have changed since are read again.
///
/// It can be made again at any time: one that is damaged is thrown away.
public struct PhotoIndex: Sendable {
  /// How a file looks from outside; what has another look has changed.
  public struct Stamp: Hashable, Sendable {
    /// In bytes.
    public var size: Int
    /// In nanoseconds since 1970.
    public var modifiedAt: Int
    /// Of the file beside it, 0 where there is none.
    public var sidecarModifiedAt: Int

    public init(size: Int, modifiedAt: Int, sidecarModifiedAt: Int = 0) {
      self.size = size
      self.modifiedAt = modifiedAt
      self.sidecarModifiedAt = sidecarModifiedAt
    }
  }

  public struct Entry: Hashable, Sendable {
    public var path: FilePath
    public var stamp: Stamp
    public var metadata: PhotoMetadata

    public init(path: FilePath, stamp: Stamp, metadata: PhotoMetadata) {
      self.path = path
      self.stamp = stamp
      self.metadata = metadata
    }
  }

  private let file: StoreFile

  /// - Parameters:
  ///   - folder: See ``XDGFolders/cache``; nil keeps everything in memory.
  ///   - onProblem: Called at most once, on any thread, if nothing can be kept.
  public init(folder: String?, onProblem: @escaping @Sendable (StoreProblem) -> Void = { _ in }) {
    file = StoreFile(
      folder: folder, name: "index.sqlite", migrator: Self.migrator, canBeMadeAgain: true, onProblem: onProblem)
  }

  /// All that is known of files, and of those in folders and below them.
  public func entries(in paths: [FilePath]) async throws(APIError) -> [FilePath: Entry] {
    try await file.read { db in
      let statement = try db.makeStatement(
        sql: "SELECT \(Self.columns) FROM photo WHERE path = ? OR path >= ? AND path < ?")
      var entries: [FilePath: Entry] = [:]
      for path in paths {
        // The names below a folder are those between "folder/" and "folder0".
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

  /// Keeps what was read, in place of what was known of these files.
  public func add(_ entries: [Entry]) async throws(APIError) {
    guard !entries.isEmpty else { return }
    try await file.write { db in
      let marks = Array(repeating: "?", count: Self.columns.split(separator: ",").count).joined(separator: ", ")
      let statement = try db.makeStatement(sql: "INSERT OR REPLACE INTO photo (\(Self.columns)) VALUES (\(marks))")
      for entry in entries { try statement.execute(arguments: entry.arguments) }
    }
  }

  /// Forgets files that are no more.
  public func remove(_ paths: [FilePath]) async throws(APIError) {
    guard !paths.isEmpty else { return }
    try await file.write { db in
      let statement = try db.makeStatement(sql: "DELETE FROM photo WHERE path = ?")
      for path in paths { try statement.execute(arguments: [Data(path.bytes)]) }
    }
  }

  /// In the order that ``Entry`` has them in.
  fileprivate static let columns = """
    path, size, modifiedAt, sidecarModifiedAt, clock, offset, width, height, camera, lens, exposureTime, fNumber, \
    focalLength, iso, latitude, longitude, altitude, title, caption, keywords, rating, label, isCutOff
    """

  /// A version that was released is never changed; a change is a further one.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
      // Units as in PhotoMetadata and Stamp; keywords are separated by line feeds, which no keyword has.
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
      // Of those nothing was known before, not even the size.
      try db.execute(sql: "DELETE FROM photo WHERE width = 0")
    }
    migrator.registerMigration("GPS tags are checked and PNG's raw profiles are read") { db in
      // Places may be wrong, and what PNG files say is missing.
      try db.execute(sql: "DELETE FROM photo")
    }
    return migrator
  }()
}

/// What an image's side may be, in pixels.
private let sides = 0...Int(Int32.max)

extension PhotoIndex.Entry {
  /// Columns by their numbers: by their names a folder of 10,000 takes twice as long.
  ///
  /// - Throws: Where a value makes no sense, which SQLite does not look at.
  fileprivate init(_ row: Row) throws {
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value {
      try row.decode(Value.self, atIndex: index)
    }
    func known<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) throws -> Value? {
      try row.decode(Value?.self, atIndex: index)
    }
    // They were made printable before they were kept; a file may have been damaged since.
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
