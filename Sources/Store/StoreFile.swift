import CSystem
import Foundation
import GRDB
import Gallery

/// A SQLite file that is opened when it is first needed, never on the main thread.
///
/// A file that cannot be used (read-only, full, or written by a newer program) stays unchanged. It is reported once,
/// and a database in memory replaces it. A damaged file is set aside, which is reported once, and a new one is created.
///
/// GRDB's synchronous calls run on the calling thread. Its asynchronous ones would start Dispatch's threads.
actor StoreFile {
  /// The name of the file, for messages if there is no folder for it.
  private let name: String
  private let path: String?
  private let contents: StoreProblem.Contents
  /// Makes the migrator, which takes time that a launch does not have.
  private let migrator: @Sendable () -> DatabaseMigrator
  /// An empty database with the current schema, to compare files with. It is kept, since releasing a database starts
  /// Dispatch's threads, which wake the process every second.
  private var model: DatabaseQueue?
  private let check: @Sendable (Database) throws -> Void
  private let canBeMadeAgain: Bool
  private let onProblem: @Sendable (StoreProblem) -> Void
  private var opened: DatabaseQueue?
  /// The identity of the open file, or nil if the database is in memory.
  private var identity: FileIdentity?

  /// - Parameters:
  ///   - folder: The absolute path of the file's folder, which is created if necessary, or nil to keep everything in
  ///     memory.
  ///   - contents: The contents, for problems.
  ///   - canBeMadeAgain: Whether a damaged or newer file is removed and replaced by a new one.
  ///   - check: Reads the whole file, and throws if a value is invalid, which SQLite does not check.
  ///   - onProblem: Called at most once each time that the file is opened, on any thread.
  init(
    folder: String?, name: String, contents: StoreProblem.Contents = .other,
    migrator: @autoclosure @escaping @Sendable () -> DatabaseMigrator, canBeMadeAgain: Bool = false,
    check: @escaping @Sendable (Database) throws -> Void = { _ in },
    onProblem: @escaping @Sendable (StoreProblem) -> Void
  ) {
    self.contents = contents
    self.check = check
    self.name = name
    self.path = folder.map { "\($0)/\(name)" }
    self.migrator = migrator
    self.canBeMadeAgain = canBeMadeAgain
    self.onProblem = onProblem
  }

  /// Runs `body` in a read transaction.
  func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws(APIError) -> Value {
    try reporting { try queue().read(body) }
  }

  /// Runs `body` in an immediate transaction. When the call returns, the changes are on the disk.
  func write<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws(APIError) -> Value {
    try reporting { try queue().write(body) }
  }

  private func reporting<Value>(_ body: () throws -> Value) throws(APIError) -> Value {
    begin_lock()
    defer { end_lock() }
    do {
      return try body()
    } catch {
      throw .notKept(path: path ?? name, StoreFault(error))
    }
  }

  private func queue() throws -> DatabaseQueue {
    // Another copy of the program may have set the file aside, or the user may have replaced it.
    if let opened, identity == nil || identity == path.flatMap(FileIdentity.init) { return opened }
    opened = nil
    identity = nil
    let queue = try queueInFile() ?? inMemory()
    opened = queue
    return queue
  }

  /// Opens the file, or reports why it cannot be used and returns nil.
  private func queueInFile() -> DatabaseQueue? {
    guard let path else {
      onProblem(StoreProblem(contents: contents, path: nil, fault: .noPlace))
      return nil
    }
    do {
      do {
        return try openUsable(path)
      } catch  where mayBeginAnew(after: error) {
        return try openAnew(path)
      }
    } catch {
      onProblem(StoreProblem(contents: contents, path: path, fault: StoreFault(error)))
      return nil
    }
  }

  private func mayBeginAnew(after error: any Error) -> Bool {
    let fault = StoreFault(error)
    return fault == .damaged || canBeMadeAgain && fault == .newer
  }

  /// Opens the file while no other copy of the program can set it aside.
  private func openUsable(_ path: String) throws -> DatabaseQueue {
    try Self.makeFolder(of: path)
    let lock = FolderLock(of: path, isShared: true)
    defer { lock.unlock() }
    return try openChecked(path)
  }

  private func openAnew(_ path: String) throws -> DatabaseQueue {
    let lock = FolderLock(of: path, isShared: false)
    defer { lock.unlock() }
    do {
      // Another copy of the program may have replaced it meanwhile.
      return try openChecked(path)
    } catch  where mayBeginAnew(after: error) {
      guard !canBeMadeAgain else {
        try DamagedFile(path: path).throwAway()
        return try openChecked(path)
      }
    }
    let place = try DamagedFile(path: path).setAside()
    let queue = try openChecked(path)
    onProblem(StoreProblem(contents: contents, path: path, fault: .damaged, setAside: place))
    return queue
  }

  private func openChecked(_ path: String) throws -> DatabaseQueue {
    let queue = try Self.open(path, migrator: migrator())
    let model = try model ?? inMemory()
    self.model = model
    let expected = try model.read(Self.schema)
    try queue.read { db in
      // SQLite stores the schema as text, and accepts a damaged letter in it.
      guard try Self.schema(db) == expected else { throw StoreFault.damaged }
      try check(db)
    }
    identity = FileIdentity(path)
    return queue
  }

  private static func schema(_ db: Database) throws -> [String?] {
    try Optional<String>.fetchAll(db, sql: "SELECT sql FROM sqlite_master ORDER BY name")
  }

  private func inMemory() throws -> DatabaseQueue {
    let queue = try DatabaseQueue(configuration: Self.configuration)
    try migrator().migrate(queue)
    return queue
  }

  private static func makeFolder(of path: String) throws {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    // Only the user may read a folder that a program creates (XDG Base Directory Specification).
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private static func open(_ path: String, migrator: DatabaseMigrator) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.read { db in
      // The check comes before the first write, so a damaged file stays as it is.
      let findings = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
      guard findings == "ok" else { throw StoreFault.damaged }
      guard try !migrator.hasBeenSuperseded(db) else { throw StoreFault.newer }
    }
    try migrate(queue, by: migrator)
    try tryToWrite(queue)
    return queue
  }

  /// Migrates the file. GRDB chooses the migrations before it waits for another copy of the program that applies them,
  /// so the migration is repeated after such a failure.
  private static func migrate(_ queue: DatabaseQueue, by migrator: DatabaseMigrator) throws {
    while true {
      let applied = try queue.read(migrator.appliedIdentifiers)
      do {
        return try migrator.migrate(queue)
      } catch {
        guard try queue.read(migrator.appliedIdentifiers) != applied else { throw error }
      }
    }
  }

  /// Writes to the file. SQLite opens a read-only file without an error, and even begins a write transaction.
  private static func tryToWrite(_ queue: DatabaseQueue) throws {
    try queue.inDatabase { db in
      try db.inTransaction(.immediate) {
        try db.execute(sql: "CREATE TABLE attempt (a)")
        return .rollback
      }
    }
  }

  /// The configuration with a rollback journal. The write-ahead log of SQLite 3.7.0 to 3.51.2 can damage a file that
  /// two programs write at once (https://sqlite.org/wal.html, "The WAL-Reset Bug").
  private static let configuration: Configuration = {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
    return configuration
  }()
}

extension Row {
  /// The years 0 to 9999, in seconds since 1970.
  private static let years = -62_167_219_200.0...253_402_300_799

  /// Returns a date that is stored as seconds since 1970.
  ///
  /// - Throws: ``StoreFault/damaged`` if the year has more than four digits.
  func date(forColumn column: String) throws -> Date {
    let seconds = try decode(Double.self, forColumn: column)
    guard Self.years.contains(seconds) else { throw StoreFault.damaged }
    return Date(timeIntervalSince1970: seconds)
  }
}
