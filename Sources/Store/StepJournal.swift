import Foundation
import GRDB
import Gallery

/// The steps by which the user has changed sidecars. They can be undone and made again, also in a later session.
///
/// The changes themselves are opaque to the journal.
public struct StepJournal: Sendable {
  /// The part of a step that concerns one photo.
  public struct Part: Hashable, Sendable {
    /// The path of the photo.
    public let photo: FilePath
    /// The change that undoes the part.
    public let undo: Data
    /// The change that makes the part again.
    public let redo: Data

    /// Creates a part.
    public init(photo: FilePath, undo: Data, redo: Data) { (self.photo, self.undo, self.redo) = (photo, undo, redo) }
  }

  /// A step.
  public struct Step: Hashable, Sendable {
    /// The number of the step; later steps have larger numbers.
    public let id: Int64
    /// The step in words.
    public let title: String
    /// The time at which the user made the step.
    public let date: Date
    /// Whether the step is undone.
    public let isUndone: Bool
  }

  private let file: StoreFile

  /// The number of steps that are kept.
  private static let mostSteps = 10_000

  /// Creates a journal.
  ///
  /// - Parameters:
  ///   - folder: ``XDGFolders/state``, or nil to keep everything in memory.
  ///   - onProblem: Called at most once, on any thread, if nothing can be stored.
  public init(folder: String?, onProblem: @escaping @Sendable (StoreProblem) -> Void) {
    file = StoreFile(
      folder: folder, name: "journal.sqlite", contents: .journal, migrator: Self.migrator,
      check: { _ = try Self.steps($0, most: Self.mostSteps) }, onProblem: onProblem)
  }

  /// Returns steps, the latest first.
  public func steps(most count: Int) async throws(APIError) -> [Step] {
    try await file.read { try Self.steps($0, most: count) }
  }

  /// Adds a step. The steps that are undone can no longer be made again.
  public func add(_ title: String, _ parts: [Part], date: Date) async throws(APIError) {
    try await file.write { db in
      try db.execute(sql: "DELETE FROM step WHERE isUndone")
      try db.execute(
        sql: "INSERT INTO step (title, madeAt) VALUES (?, ?)", arguments: [title, date.timeIntervalSince1970])
      let id = db.lastInsertedRowID
      try Self.insert(parts, ofStep: id, db)
      try db.execute(sql: "DELETE FROM step WHERE id <= ?", arguments: [id - Int64(Self.mostSteps)])
    }
  }

  /// Returns the last step that is not undone with its parts, or nil if there is none.
  public func lastStep() async throws(APIError) -> (step: Step, parts: [Part])? {
    try await step(where: "NOT isUndone ORDER BY id DESC")
  }

  /// Returns the step that was undone last with its parts, or nil if there is none.
  public func lastUndoneStep() async throws(APIError) -> (step: Step, parts: [Part])? {
    try await step(where: "isUndone ORDER BY id")
  }

  /// Takes note that a step was undone or made again.
  ///
  /// - Parameter parts: The parts that have changed.
  public func setUndone(_ isUndone: Bool, step: Step.ID, _ parts: [Part]) async throws(APIError) {
    try await file.write { db in
      try db.execute(sql: "UPDATE step SET isUndone = ? WHERE id = ?", arguments: [isUndone, step])
      for part in parts {
        try db.execute(
          sql: "DELETE FROM part WHERE stepID = ? AND photo = ?", arguments: [step, Data(part.photo.bytes)])
      }
      try Self.insert(parts, ofStep: step, db)
    }
  }

  private func step(where condition: String) async throws(APIError) -> (step: Step, parts: [Part])? {
    try await file.read { db in
      let sql = "SELECT * FROM step WHERE \(condition) LIMIT 1"
      guard let step = try Row.fetchOne(db, sql: sql).map(Step.init) else { return nil }
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM part WHERE stepID = ?", arguments: [step.id])
      return (step, try rows.map(Part.init))
    }
  }

  private static func steps(_ db: Database, most count: Int) throws -> [Step] {
    try Row.fetchAll(db, sql: "SELECT * FROM step ORDER BY id DESC LIMIT ?", arguments: [count]).map(Step.init)
  }

  private static func insert(_ parts: [Part], ofStep id: Step.ID, _ db: Database) throws {
    for part in parts {
      try db.execute(
        sql: "INSERT INTO part (stepID, photo, undo, redo) VALUES (?, ?, ?, ?)",
        arguments: [id, Data(part.photo.bytes), part.undo, part.redo])
    }
  }

  /// The versions of the schema. A released version is never changed: each change is a new one.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
      // Seconds since 1970, in UTC.
      try db.execute(
        sql: """
          CREATE TABLE step (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            title TEXT NOT NULL,
            madeAt REAL NOT NULL,
            isUndone BOOLEAN NOT NULL DEFAULT 0
          );
          CREATE TABLE part (
            stepID INTEGER NOT NULL REFERENCES step ON DELETE CASCADE,
            photo BLOB NOT NULL,
            undo BLOB NOT NULL,
            redo BLOB NOT NULL
          );
          CREATE INDEX partOfStep ON part (stepID);
          """)
    }
    return migrator
  }()
}

extension StepJournal.Step: Identifiable {
  fileprivate init(_ row: Row) throws {
    id = try row.decode(forColumn: "id")
    title = try row.decode(String.self, forColumn: "title").printable
    date = try row.date(forColumn: "madeAt")
    isUndone = try row.decode(forColumn: "isUndone")
  }
}

extension StepJournal.Part {
  fileprivate init(_ row: Row) throws {
    photo = FilePath(Array(try row.decode(Data.self, forColumn: "photo")))
    undo = try row.decode(forColumn: "undo")
    redo = try row.decode(forColumn: "redo")
  }
}
