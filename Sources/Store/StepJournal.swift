import Foundation
import GRDB
import Gallery

/// The steps by which the user has changed sidecars. They can be undone and made again, also in a later session.
///
/// A part of a step waits from before its sidecar is written until it is written, so that neither a crash nor a full disk
/// loses it. The changes themselves are opaque to the journal.
public struct StepJournal: Sendable {
  /// The part of a step that concerns one photo.
  public struct Part: Hashable, Sendable {
    /// The path of the photo.
    public let photo: FilePath
    /// The change that undoes the part. Empty while the part waits behind another one, because it is not known yet what the
    /// part will change.
    public var undo: Data
    /// The change that makes the part, or makes it again.
    public var redo: Data

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
    /// The number of the session in which the user made the step. Steps of an older version have 0.
    public let session: Int64
    /// Whether the step is undone.
    public let isUndone: Bool
  }

  private let file: StoreFile
  private let folder: String?

  /// The number of steps that are kept.
  private static let mostSteps = 10_000

  /// Creates a journal.
  ///
  /// - Parameters:
  ///   - folder: ``XDGFolders/state``, or nil to keep everything in memory.
  ///   - onProblem: Called at most once, on any thread, if nothing can be stored.
  public init(folder: String?, onProblem: @escaping @Sendable (StoreProblem) -> Void) {
    self.folder = folder
    file = StoreFile(
      folder: folder, name: Self.name, contents: .journal, migrator: Self.migrator,
      check: { _ = try Self.steps($0, most: Self.mostSteps) }, onProblem: onProblem)
  }

  private static let name = "journal.sqlite"

  /// Whether there may be steps. Without a file, none is created to look for them.
  public var mayHaveSteps: Bool { folder.map { FileManager.default.fileExists(atPath: "\($0)/\(Self.name)") } ?? true }

  /// Returns steps, the latest first.
  public func steps(most count: Int) async throws(APIError) -> [Step] {
    try await file.read { try Self.steps($0, most: count) }
  }

  /// Begins a step, which has no parts yet. The steps that are undone and have changed photos of its folder can no longer be
  /// made again.
  ///
  /// - Parameter root: The folder that contains all photos of the step.
  /// - Returns: The number of the step.
  public func begin(
    _ title: String, session: Int64, date: Date, in root: FilePath
  ) async throws(APIError) -> Step.ID {
    try await file.write { db in
      let (isInside, bounds) = Self.isInside(root)
      try db.execute(
        sql: """
          UPDATE step SET isFinal = 1
          WHERE isUndone AND EXISTS (SELECT 1 FROM part WHERE stepID = step.id AND \(isInside))
          """,
        arguments: bounds)
      // An undone part that waits still has to be undone.
      let settled = "id NOT IN (SELECT stepID FROM part WHERE isWaiting)"
      try db.execute(sql: "DELETE FROM step WHERE isUndone AND isFinal AND \(settled)")
      try db.execute(
        sql: "INSERT INTO step (title, madeAt, session) VALUES (?, ?, ?)",
        arguments: [title, date.timeIntervalSince1970, session])
      let id = db.lastInsertedRowID
      try db.execute(
        sql: "DELETE FROM step WHERE id <= ? AND \(settled)", arguments: [id - Int64(Self.mostSteps)])
      return id
    }
  }

  /// Adds parts to a step. They wait.
  ///
  /// - Returns: The photos of which parts of earlier steps wait.
  public func add(_ parts: [Part], to step: Step.ID) async throws(APIError) -> Set<FilePath> {
    try await file.write { db in
      let waiting = try Data.fetchSet(
        db, sql: "SELECT DISTINCT photo FROM part WHERE isWaiting AND stepID < ?", arguments: [step])
      var later: Set<FilePath> = []
      for part in parts {
        let photo = Data(part.photo.bytes)
        let isLater = waiting.contains(photo)
        if isLater { later.insert(part.photo) }
        try db.execute(
          sql: "INSERT INTO part (stepID, photo, undo, redo, isWaiting) VALUES (?, ?, ?, ?, 1)",
          arguments: [step, photo, isLater ? Data() : part.undo, part.redo])
      }
      return later
    }
  }

  /// Takes note of the changes that parts of a step have turned out to be.
  ///
  /// - Parameter areWritten: Whether the sidecars are written, so that the parts wait no longer.
  public func settle(_ parts: [Part], of step: Step.ID, areWritten: Bool = true) async throws(APIError) {
    if parts.isEmpty { return }
    try await file.write { db in
      for part in parts {
        try db.execute(
          sql: "UPDATE part SET undo = ?, redo = ?, isWaiting = ? WHERE stepID = ? AND photo = ?",
          arguments: [part.undo, part.redo, !areWritten, step, Data(part.photo.bytes)])
      }
    }
  }

  /// Returns the last step in a folder that is not undone.
  ///
  /// - Parameter root: The folder. Steps with a photo outside of it are skipped.
  /// - Returns: nil if there is no such step, or if a skipped step has changed one of its photos since.
  public func lastStep(in root: FilePath) async throws(APIError) -> Step? {
    try await step(in: root, where: "NOT step.isUndone", isBehind: ">", order: "DESC")
  }

  /// Returns the step in a folder that was undone last and can be made again.
  ///
  /// - Parameter root: The folder. Steps with a photo outside of it are skipped.
  /// - Returns: nil if there is no such step, or if a skipped step with one of its photos has to be made again first.
  public func lastUndoneStep(in root: FilePath) async throws(APIError) -> Step? {
    try await step(in: root, where: "step.isUndone AND NOT step.isFinal", isBehind: "<", order: "ASC")
  }

  private func step(
    in root: FilePath, where condition: String, isBehind: String, order: String
  ) async throws(APIError) -> Step? {
    try await file.read { db in
      let (isInside, bounds) = Self.isInside(root)
      let step = try Row.fetchOne(
        db,
        sql: """
          SELECT * FROM step WHERE \(condition) AND EXISTS (SELECT 1 FROM part WHERE stepID = step.id)
          AND NOT EXISTS (SELECT 1 FROM part WHERE stepID = step.id AND NOT (\(isInside))) ORDER BY id \(order) LIMIT 1
          """, arguments: bounds
      ).map(Step.init)
      guard let step else { return nil }
      let isBlocked = try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM step JOIN part ON stepID = step.id WHERE step.id \(isBehind) ? AND \(condition)
            AND photo IN (SELECT photo FROM part WHERE stepID = ?))
          """, arguments: [step.id, step.id])
      return isBlocked == true ? nil : step
    }
  }

  /// Returns the condition of SQL that a part's photo is in a folder or below it, and its arguments.
  private static func isInside(_ root: FilePath) -> (condition: String, bounds: StatementArguments) {
    let slash = UInt8(ascii: "/")
    let start = Data(root.bytes.last == slash ? root.bytes : root.bytes + [slash])
    // The character after the slash begins what follows all paths in the folder.
    return ("photo >= ? AND photo < ?", [start, start.dropLast() + [slash + 1]])
  }

  /// Takes note that a step is undone or made again.
  ///
  /// - Returns: The parts that wait for this, and those whose sidecars were never written, so that they are canceled.
  public func setUndone(_ isUndone: Bool, _ step: Step.ID) async throws(APIError) -> (open: [Part], canceled: [Part]) {
    try await file.write { db in
      try db.execute(sql: "UPDATE step SET isUndone = ? WHERE id = ?", arguments: [isUndone, step])
      try db.execute(sql: "UPDATE part SET isWaiting = NOT isWaiting WHERE stepID = ?", arguments: [step])
      // Several photos may share a sidecar, so they are undone in reverse.
      func parts(isWaiting: Bool) throws -> [Part] {
        try Row.fetchAll(
          db,
          sql: """
            SELECT * FROM part WHERE stepID = ? AND isWaiting = ?
            ORDER BY CASE WHEN ? THEN -rowid ELSE rowid END
            """,
          arguments: [step, isWaiting, isUndone]
        ).map(Part.init)
      }
      return (try parts(isWaiting: true), try parts(isWaiting: false))
    }
  }

  /// Returns all parts that wait, with their steps, in the order in which they have to be written.
  public func waitingParts() async throws(APIError) -> [(step: Step, part: Part)] {
    try await file.read { db in
      // A part can only wait to be made if no later step has changed its photo.
      try Row.fetchAll(
        db,
        sql: """
          SELECT step.*, photo, undo, redo FROM part JOIN step ON step.id = stepID WHERE isWaiting
          ORDER BY isUndone DESC, CASE WHEN isUndone THEN -step.id ELSE step.id END
          """
      ).map { (try Step($0), try Part($0)) }
    }
  }

  private static func steps(_ db: Database, most count: Int) throws -> [Step] {
    try Row.fetchAll(db, sql: "SELECT * FROM step ORDER BY id DESC LIMIT ?", arguments: [count]).map(Step.init)
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
    migrator.registerMigration("sessions and waiting parts") { db in
      try db.execute(
        sql: """
          ALTER TABLE step ADD COLUMN session INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE part ADD COLUMN isWaiting BOOLEAN NOT NULL DEFAULT 0;
          DROP INDEX partOfStep;
          CREATE INDEX partOfStep ON part (stepID, photo);
          CREATE INDEX waitingPart ON part (stepID) WHERE isWaiting;
          """)
    }
    migrator.registerMigration("final steps") { db in
      // An undone step is final if it can't be made again, because the user has made another one since.
      try db.execute(
        sql: """
          ALTER TABLE step ADD COLUMN isFinal BOOLEAN NOT NULL DEFAULT 0;
          UPDATE step SET isFinal = 1
            WHERE isUndone AND id < (SELECT coalesce(max(id), 0) FROM step WHERE NOT isUndone);
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
    session = try row.decode(forColumn: "session")
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
