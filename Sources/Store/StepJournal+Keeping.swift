import Foundation
import GRDB
import Gallery

extension StepJournal {
  /// A step that the user has requested.
  public struct Request: Sendable {
    /// The step in words.
    public let title: String
    /// The time of the request.
    public let date: Date
    /// The number of the session.
    public let session: Int64
    /// The photos, and the operation on each.
    public let operations: [(photo: ImageLocation, redo: Data)]

    /// Creates a request.
    public init(title: String, date: Date, session: Int64, operations: [(photo: ImageLocation, redo: Data)]) {
      self.title = title
      self.date = date
      self.session = session
      self.operations = operations
    }
  }

  /// Keeps steps as soon as the user has requested them, in one transaction. Nothing has to be read for that, so it takes as
  /// long as one write to the disk. The parts wait, and what undoes them is not known yet.
  ///
  /// - Parameters:
  ///   - token: What identifies the call if it is repeated; nil if it is not. A repeated call keeps nothing again.
  ///   - willKeep: Called with the numbers of the steps before other copies of the program can see them.
  /// - Returns: The numbers of the steps.
  public func keep(
    _ steps: [Request], token: String? = nil, willKeep: @Sendable ([Step.ID]) -> Void = { _ in }
  ) async throws(APIError) -> [Step.ID] {
    try await file.write { db in
      if let token, let known = try Self.numbers(ofCall: token, db), known.count == steps.count { return known }
      // Places run ahead of the numbers, as steps that are written late get new ones.
      var place = try Int64.fetchOne(db, sql: "SELECT max(place) FROM step") ?? 0
      let ids = try steps.map { step in
        place += 1
        try db.execute(
          sql: "INSERT INTO step (title, madeAt, session, place) VALUES (?, ?, ?, ?)",
          arguments: [step.title, step.date.timeIntervalSince1970, step.session, place])
        let id = db.lastInsertedRowID
        let insertion = try db.cachedStatement(
          sql: "INSERT INTO part (stepID, photo, undo, redo, isWaiting) VALUES (?, ?, x'', ?, 1)")
        for part in step.operations { try insertion.execute(arguments: [id, Data(part.photo.bytes), part.redo]) }
        return id
      }
      if let token { try Self.note(call: token, ids, db) }
      willKeep(ids)
      guard let last = ids.last else { return ids }
      try db.execute(
        sql: "DELETE FROM step WHERE id <= ? AND \(Self.isSettled)", arguments: [last - Int64(Self.mostSteps)])
      return ids
    }
  }
}
