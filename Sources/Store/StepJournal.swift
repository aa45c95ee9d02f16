import Foundation
import GRDB
import Gallery

/// The steps by which the user has changed photos. They can be undone and made again, also in a later session.
///
/// A part of a step waits from the user's request until it is written, so that neither a crash nor a full disk loses it. The
/// operations themselves are opaque to the journal.
public struct StepJournal: Sendable {
  /// The part of a step that concerns one photo.
  public struct Part: Hashable, Sendable {
    /// The location of the photo, which identifies it.
    public let photo: ImageLocation
    /// The operation that undoes the part. Empty until the part is prepared, and while it waits behind another one, because it is
    /// not known yet what the part will change.
    public var undo: Data
    /// The operation that makes the part, or makes it again.
    public var redo: Data

    /// Creates a part.
    public init(photo: ImageLocation, undo: Data, redo: Data) {
      self.photo = photo
      self.undo = undo
      self.redo = redo
    }
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
    /// The place in the order in which the steps are made. What was left of a step that was stopped has its place and a later number.
    public let place: Int64
  }

  let file: StoreFile
  /// The absolute path of the journal's folder, or nil if everything is kept in memory.
  public let folder: String?

  /// The number of steps that are kept.
  static let mostSteps = 10_000

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

  /// The condition of SQL that no part of a step waits.
  static let isSettled = "id NOT IN (SELECT stepID FROM part WHERE isWaiting)"

  /// The parts of a step that has been kept.
  public struct Parts: Sendable {
    /// The parts that wait to be made, in their order.
    public let waiting: [Part]
    /// The other parts, for instance because another copy of the program has written them.
    public let settled: [Part]
    /// The parts of earlier steps about the same photos that wait.
    public let earlier: [(step: Step, part: Part)]
  }

  /// Returns the parts of a step that has been kept.
  public func parts(of step: Step.ID) async throws(APIError) -> Parts {
    try await file.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT part.*, isWaiting AND NOT isUndone AS isToBeMade FROM part JOIN step ON step.id = stepID
          WHERE stepID = ? ORDER BY part.rowid
          """, arguments: [step])
      let earlier = try Row.fetchAll(
        db,
        sql: """
          SELECT step.*, photo, undo, redo FROM part JOIN step ON step.id = stepID
          WHERE isWaiting AND place < (SELECT place FROM step WHERE id = ?)
            AND photo IN (SELECT photo FROM part WHERE stepID = ?)
          """, arguments: [step, step])
      let parts = try rows.map { (part: try Part($0), isToBeMade: try $0.decode(Bool.self, forColumn: "isToBeMade")) }
      return Parts(
        waiting: parts.filter(\.isToBeMade).map(\.part), settled: parts.filter { !$0.isToBeMade }.map(\.part),
        earlier: try earlier.map { (try Step($0), try Part($0)) })
    }
  }

  /// Takes note of what undoes parts, before they are written. The steps that are undone and have changed photos of the folder can
  /// no longer be made again. Later ones that were never planned can: this one may be made again itself. A part that another
  /// copy of the program has prepared in the meantime stays as that copy has left it.
  ///
  /// - Parameters:
  ///   - needless: The photos whose parts change nothing. These parts are removed, and the step with its last part.
  ///   - root: The folder that contains all photos of the step; nil if the step is made again, which leaves the others as they are.
  /// - Returns: The parts as the journal has them now. Those that no longer wait are left out.
  public func prepare(
    _ parts: [Part], removing needless: [ImageLocation], of step: Step.ID, in root: FilePath?
  ) async throws(APIError) -> [Part] {
    try await file.write { db in
      for photo in needless {
        try db.execute(
          sql: "DELETE FROM part WHERE stepID = ? AND photo = ? AND isWaiting AND undo = x''",
          arguments: [step, Data(photo.bytes)])
      }
      guard !parts.isEmpty else {
        try Self.removeIfEmpty(step, db)
        return []
      }
      let update = try db.cachedStatement(
        sql: "UPDATE part SET undo = ?, redo = ? WHERE stepID = ? AND photo = ? AND isWaiting AND undo = x''")
      let selection = try db.cachedStatement(sql: "SELECT * FROM part WHERE stepID = ? AND photo = ? AND isWaiting")
      let current = try parts.compactMap { part -> Part? in
        let photo = Data(part.photo.bytes)
        try update.execute(arguments: [part.undo, part.redo, step, photo])
        if db.changesCount == 1 { return part }
        return try Row.fetchOne(selection, arguments: [step, photo]).map(Part.init)
      }
      guard let root else { return current }
      // Steps are undone in the order in which they were written: another copy of the program may have been faster. A step
      // that others wait for is written before them, although some of their parts may be written.
      try db.execute(
        sql: """
          UPDATE step SET place = (SELECT max(place) + 1 FROM step)
          WHERE id = ? AND place < (SELECT max(place) FROM step WHERE NOT isUndone)
            AND NOT EXISTS (SELECT 1 FROM part WHERE stepID = step.id AND NOT isWaiting)
            AND NOT EXISTS (
              SELECT 1 FROM part JOIN step AS later ON later.id = stepID
              WHERE isWaiting AND NOT later.isUndone AND later.place > step.place
                AND photo IN (SELECT photo FROM part WHERE stepID = step.id))
          """, arguments: [step])
      let (isInside, bounds) = Self.isInside(root)
      try db.execute(
        sql: """
          UPDATE step SET isFinal = 1
          WHERE isUndone AND id <> ? AND EXISTS (SELECT 1 FROM part WHERE stepID = step.id AND \(isInside))
            AND (
              place < (SELECT place FROM step WHERE id = ?)
                OR EXISTS (SELECT 1 FROM part WHERE stepID = step.id AND undo <> x'')
            )
          """,
        arguments: [step] + bounds + [step])
      // An undone part that waits still has to be undone.
      try db.execute(sql: "DELETE FROM step WHERE isUndone AND isFinal AND \(Self.isSettled)")
      return current
    }
  }

  /// Takes note of other operations for a part that waits, before these are written.
  public func note(_ part: Part, of step: Step.ID) async throws(APIError) {
    try await file.write { db in
      try db.execute(
        sql: "UPDATE part SET undo = ?, redo = ? WHERE stepID = ? AND photo = ? AND isWaiting",
        arguments: [part.undo, part.redo, step, Data(part.photo.bytes)])
    }
  }

  /// Takes note that parts are written, and of the operations that they have turned out to be.
  ///
  /// - Parameter contents: The contents that parts of imports have imported, or none if they were undone.
  public func settle(
    _ parts: [Part], of step: Step.ID, imported contents: [ImageLocation: [ImportedContent]] = [:]
  ) async throws(APIError) {
    if parts.isEmpty { return }
    try await file.write { db in
      let update = try db.cachedStatement(
        sql: "UPDATE part SET undo = ?, redo = ?, isWaiting = 0 WHERE stepID = ? AND photo = ?")
      for part in parts {
        try update.execute(arguments: [part.undo, part.redo, step, Data(part.photo.bytes)])
        if let contents = contents[part.photo] { try Self.setImported(contents, by: part.photo, of: step, db) }
      }
    }
  }

  /// Makes a step of parts that wait, which do so no longer: one that is undone if the others are made, and one that is made if they
  /// are undone. So what was left of a step, as when the user stopped it, can be done later.
  /// - Parameter photos: The photos of the parts; nil for all parts that wait.
  public func turnWaitingParts(of step: Step.ID, only photos: [ImageLocation]? = nil) async throws(APIError) {
    try await file.write { db in
      var waiting = try Data.fetchSet(
        db, sql: "SELECT photo FROM part WHERE stepID = ? AND isWaiting", arguments: [step])
      if let photos { waiting.formIntersection(photos.map { Data($0.bytes) }) }
      if waiting.isEmpty { return }
      let new = try Self.counterpart(of: step, db)
      let update = try db.cachedStatement(
        sql: "UPDATE part SET stepID = ?, isWaiting = 0 WHERE stepID = ? AND photo = ?")
      for photo in waiting { try update.execute(arguments: [new, step, photo]) }
      try db.execute(
        sql: "UPDATE imported SET stepID = ? WHERE stepID = ? AND photo IN (SELECT photo FROM part WHERE stepID = ?)",
        arguments: [new, step, new])
      try Self.removeIfEmpty(step, db)
    }
  }

  /// Returns the step that has been parted from another one, or a new one: it is undone if the other one is made.
  private static func counterpart(of step: Step.ID, _ db: Database) throws -> Step.ID {
    let known = try Step.ID.fetchOne(
      db,
      sql: """
        SELECT other.id FROM step JOIN step AS other ON other.place = step.place AND other.isUndone <> step.isUndone
        WHERE step.id = ? AND NOT other.isFinal
        """, arguments: [step])
    if let known { return known }
    try db.execute(
      sql: """
        INSERT INTO step (title, madeAt, session, isUndone, place)
        SELECT title, madeAt, session, NOT isUndone, place FROM step WHERE id = ?
        """, arguments: [step])
    return db.lastInsertedRowID
  }

  /// Removes parts that were given up before they changed anything, and the step with its last part.
  public func discard(_ photos: [ImageLocation], of step: Step.ID) async throws(APIError) {
    if photos.isEmpty { return }
    try await file.write { db in
      for photo in photos {
        try db.execute(sql: "DELETE FROM part WHERE stepID = ? AND photo = ?", arguments: [step, Data(photo.bytes)])
      }
      try Self.removeIfEmpty(step, db)
    }
  }

  private static func removeIfEmpty(_ step: Step.ID, _ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM step WHERE id = ? AND NOT EXISTS (SELECT 1 FROM part WHERE stepID = step.id)",
      arguments: [step])
  }

  /// Returns the last step in a folder that is not undone.
  ///
  /// - Parameters:
  ///   - root: The folder. Steps with a photo outside of it are skipped.
  ///   - later: Returns steps that are left out, as those that the user has requested after the undo of the last one.
  /// - Returns: nil if there is no such step, or if a skipped step or one that was left out has changed one of its photos since.
  public func lastStep(
    in root: FilePath, before later: @Sendable () -> Set<Step.ID> = { [] }
  ) async throws(APIError) -> Step? {
    try await step(in: root, where: "NOT step.isUndone", isBehind: ">", order: "DESC", before: later)
  }

  /// Returns the step in a folder that was undone last and can be made again.
  ///
  /// - Parameter root: The folder. Steps with a photo outside of it are skipped.
  /// - Returns: nil if there is no such step, or if a skipped step with one of its photos has to be made again first.
  public func lastUndoneStep(in root: FilePath) async throws(APIError) -> Step? {
    try await step(in: root, where: "step.isUndone AND NOT step.isFinal", isBehind: "<", order: "ASC") { [] }
  }

  private func step(
    in root: FilePath, where condition: String, isBehind: String, order: String,
    before later: @Sendable () -> Set<Step.ID>
  ) async throws(APIError) -> Step? {
    try await file.read { db in
      // A step that is kept meanwhile is one of the later ones before the journal has it.
      let isEarlier = "step.id NOT IN (\(later().map(String.init).joined(separator: ",")))"
      let (isInside, bounds) = Self.isInside(root)
      let step = try Row.fetchOne(
        db,
        sql: """
          SELECT * FROM step WHERE \(condition) AND \(isEarlier) AND EXISTS (SELECT 1 FROM part WHERE stepID = step.id)
          AND NOT EXISTS (SELECT 1 FROM part WHERE stepID = step.id AND NOT (\(isInside)))
          ORDER BY place \(order), (SELECT min(rowid) FROM part WHERE stepID = step.id) \(order) LIMIT 1
          """, arguments: bounds
      ).map(Step.init)
      guard let step else { return nil }
      let isBlocked = try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM step JOIN part ON stepID = step.id WHERE \(condition) AND (\(isEarlier) OR NOT isWaiting)
            AND place \(isBehind) (SELECT place FROM step WHERE id = ?)
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
  /// - Parameters:
  ///   - photos: The photos of parts that wait and have been made for some of their files. They wait for the way back.
  ///   - token: What identifies the call if it is repeated; nil if it is not.
  /// - Returns: The parts that wait for this, and those that were never written, so that they are canceled; nil if another copy of the
  ///   program has undone or made the step already, or if the call has been carried out.
  public func setUndone(
    _ isUndone: Bool, _ step: Step.ID, split photos: [ImageLocation] = [], token: String? = nil
  ) async throws(APIError) -> (open: [Part], canceled: [Part])? {
    try await file.write { db in
      if let token, try Self.numbers(ofCall: token, db) != nil { return nil }
      try db.execute(
        sql: "UPDATE step SET isUndone = ? WHERE id = ? AND isUndone != ?", arguments: [isUndone, step, isUndone])
      if db.changesCount == 0 { return nil }
      if let token { try Self.note(call: token, [step], db) }
      try db.execute(sql: "UPDATE part SET isWaiting = NOT isWaiting WHERE stepID = ?", arguments: [step])
      for photo in photos {
        try db.execute(
          sql: "UPDATE part SET isWaiting = 1 WHERE stepID = ? AND photo = ?", arguments: [step, Data(photo.bytes)])
      }
      // Several photos may share a file, so they are undone in reverse.
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
          ORDER BY isUndone DESC, CASE WHEN isUndone THEN -place ELSE place END,
            CASE WHEN isUndone THEN -part.rowid ELSE part.rowid END
          """
      ).map { (try Step($0), try Part($0)) }
    }
  }

  private static func steps(_ db: Database, most count: Int) throws -> [Step] {
    try Row.fetchAll(db, sql: "SELECT * FROM step ORDER BY id DESC LIMIT ?", arguments: [count]).map(Step.init)
  }
}

extension StepJournal.Step: Identifiable {
  fileprivate init(_ row: Row) throws {
    id = try row.decode(forColumn: "id")
    title = try row.decode(String.self, forColumn: "title").printable
    date = try row.date(forColumn: "madeAt")
    session = try row.decode(forColumn: "session")
    isUndone = try row.decode(forColumn: "isUndone")
    place = try row.decode(forColumn: "place")
  }
}

extension StepJournal.Part {
  fileprivate init(_ row: Row) throws {
    photo = ImageLocation(bytes: Array(try row.decode(Data.self, forColumn: "photo")))
    undo = try row.decode(forColumn: "undo")
    redo = try row.decode(forColumn: "redo")
  }
}
