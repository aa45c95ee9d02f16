import Foundation
import GRDB
import Gallery

extension StateStore {
  /// The number of sets of marks that are kept. A source has up to two: marked photos, and shots kept of stacks.
  static let mostSources = 200

  /// Returns the locations of a source's marked photos.
  public func marks(of source: [UInt8]) async throws(APIError) -> MarkedLocations {
    let marks = try await file.read { db in try Self.marks(of: source, db) }
    guard let marks else { return MarkedLocations() }
    // The marks are restored even if the file cannot be written. Then the source only counts as used earlier.
    try? await file.write { db in
      try db.execute(
        sql: """
          UPDATE marks SET useNumber = (SELECT max(useNumber) FROM marks) + 1
          WHERE source = ? AND useNumber < (SELECT max(useNumber) FROM marks)
          """, arguments: [Data(source)])
    }
    return marks
  }

  /// Replaces the marks of a source, and forgets those of the source that has not been used for the longest time if there
  /// are too many.
  ///
  /// - Parameter former: The marks that the caller has read or stored last. If another copy of the program has stored
  ///   others since, its changes stay.
  public func setMarks(
    _ marks: MarkedLocations, insteadOf former: MarkedLocations, of source: [UInt8]
  ) async throws(APIError) {
    try await file.write { db in
      // If nothing is stored, the marks may have been forgotten, so all of them are stored.
      let stored = try Self.marks(of: source, db)
      let merged = stored.map { marks.merged(into: $0, former: former) } ?? marks
      try db.execute(sql: "DELETE FROM marks WHERE source = ?", arguments: [Data(source)])
      guard !merged.isEmpty else { return }
      try db.execute(
        sql: """
          INSERT INTO marks (source, locations, useNumber)
          VALUES (?, ?, (SELECT coalesce(max(useNumber), 0) + 1 FROM marks))
          """, arguments: [Data(source), Data(merged.bytes)])
      try db.execute(
        sql: "DELETE FROM marks WHERE source IN (SELECT source FROM marks ORDER BY useNumber DESC LIMIT -1 OFFSET ?)",
        arguments: [Self.mostSources])
    }
  }

  /// Returns the stored marks of a source, or nil if there are none.
  private static func marks(of source: [UInt8], _ db: Database) throws -> MarkedLocations? {
    try Data.fetchOne(db, sql: "SELECT locations FROM marks WHERE source = ?", arguments: [Data(source)])
      .map { MarkedLocations(bytes: [UInt8]($0)) }
  }

  /// Checks the types of the values. The locations are arbitrary bytes.
  static func checkMarks(_ db: Database) throws {
    let types = "typeof(source) = 'blob' AND typeof(locations) = 'blob' AND typeof(useNumber) = 'integer'"
    guard try Int.fetchOne(db, sql: "SELECT count(*) FROM marks WHERE NOT (\(types))") == 0 else {
      throw StoreFault.damaged
    }
  }
}
