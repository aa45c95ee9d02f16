import Foundation
import GRDB
import Gallery

// The contents of imported files. The journal keeps them, so that they are noted in the same moment in which an import or its undo
// is, and they stay when old steps are forgotten.
extension StepJournal {
  /// Returns the contents that were imported, of those that begin like some files.
  public func imported(
    _ beginnings: Set<ImportedContent.Beginning>
  ) async throws(APIError) -> [ImportedContent.Beginning: Set<String>] {
    if beginnings.isEmpty || !mayHaveSteps { return [:] }
    return try await file.read { db in
      let selection = try db.cachedStatement(sql: "SELECT DISTINCT digest FROM imported WHERE size = ? AND head = ?")
      return try beginnings.reduce(into: [:]) { found, beginning in
        let digests = try String.fetchSet(selection, arguments: [beginning.size, beginning.head])
        if !digests.isEmpty { found[beginning] = digests }
      }
    }
  }

  /// Replaces the contents that a part of a step has imported; without contents, by none.
  static func setImported(_ contents: [ImportedContent], by photo: ImageLocation, of step: Step.ID, _ db: Database)
    throws
  {
    let removal = try db.cachedStatement(sql: "DELETE FROM imported WHERE stepID = ? AND photo = ?")
    try removal.execute(arguments: [step, Data(photo.bytes)])
    let insertion = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO imported (size, head, digest, stepID, photo) VALUES (?, ?, ?, ?, ?)")
    for content in contents {
      try insertion.execute(
        arguments: [content.beginning.size, content.beginning.head, content.digest, step, Data(photo.bytes)])
    }
  }
}
