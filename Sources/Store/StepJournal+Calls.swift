import Foundation
import GRDB
import Gallery

// Calls over a line that may break. If it breaks before the answer, the caller can't know whether the call was carried out, and
// repeats it with the same token.
extension StepJournal {
  /// The number of calls that are remembered.
  private static let mostCalls = 1000

  /// Returns the steps that a call has kept or turned, or the session that it has undone; nil if it has not come before.
  public func numbers(ofCall token: String) async throws(APIError) -> [Int64]? {
    try await file.read { try Self.numbers(ofCall: token, $0) }
  }

  /// Takes note of a call.
  public func note(call token: String, _ numbers: [Int64]) async throws(APIError) {
    try await file.write { try Self.note(call: token, numbers, $0) }
  }

  static func numbers(ofCall token: String, _ db: Database) throws -> [Int64]? {
    try String.fetchOne(db, sql: "SELECT numbers FROM call WHERE token = ?", arguments: [token]).map {
      $0.split(separator: " ").compactMap { Int64($0) }
    }
  }

  static func note(call token: String, _ numbers: [Int64], _ db: Database) throws {
    try db.execute(
      sql: "INSERT OR IGNORE INTO call (token, numbers) VALUES (?, ?)",
      arguments: [token, numbers.map(String.init).joined(separator: " ")])
    try db.execute(
      sql: "DELETE FROM call WHERE id <= (SELECT max(id) FROM call) - ?", arguments: [mostCalls])
  }

  /// A call that another machine has not answered yet.
  public struct OutgoingCall: Hashable, Sendable {
    /// What identifies the call.
    public let token: String
    /// What is to be sent.
    public let content: Data

    /// Creates a call.
    public init(token: String, content: Data) {
      self.token = token
      self.content = content
    }
  }

  /// Keeps a call until the other machine has answered it, so that neither a broken line nor a crash loses it.
  public func keep(_ call: OutgoingCall, to machine: String) async throws(APIError) {
    try await file.write { db in
      try db.execute(
        sql: "INSERT INTO outgoingCall (token, machine, content) VALUES (?, ?, ?)",
        arguments: [call.token, machine, call.content])
    }
  }

  /// Forgets a call that was answered.
  public func forget(_ call: OutgoingCall) async throws(APIError) {
    try await file.write { try $0.execute(sql: "DELETE FROM outgoingCall WHERE token = ?", arguments: [call.token]) }
  }

  /// Returns the calls that a machine has not answered, in their order.
  public func outgoingCalls(to machine: String) async throws(APIError) -> [OutgoingCall] {
    try await file.read { db in
      try Row.fetchAll(
        db, sql: "SELECT token, content FROM outgoingCall WHERE machine = ? ORDER BY id", arguments: [machine]
      ).map { OutgoingCall(token: try $0.decode(forColumn: "token"), content: try $0.decode(forColumn: "content")) }
    }
  }
}
