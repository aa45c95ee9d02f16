import Foundation
import GRDB
import Gallery

extension StateStore {
  /// The number of places that are kept.
  static let mostPlaces = 200

  /// Returns the places that were visited before, the last one first.
  public func recentPlaces() async throws(APIError) -> [Place] { try await file.read(Self.places) }

  /// Takes note that the user visits a place, and forgets the one that was not visited for the longest time if there are too
  /// many.
  ///
  /// - Returns: How the user has left the place.
  public func visit(_ place: Place) async throws(APIError) -> PlaceState {
    try await file.write { db in
      try db.execute(
        sql: """
          INSERT INTO place (arguments, name, useNumber)
          VALUES (:arguments, :name, (SELECT coalesce(max(useNumber), 0) + 1 FROM place))
          ON CONFLICT (arguments) DO UPDATE SET name = excluded.name, useNumber = excluded.useNumber
          """, arguments: ["arguments": Self.bytes(of: place), "name": place.name])
      try db.execute(
        sql:
          "DELETE FROM place WHERE arguments IN (SELECT arguments FROM place ORDER BY useNumber DESC LIMIT -1 OFFSET ?)",
        arguments: [Self.mostPlaces])
      let row = try Row.fetchOne(
        db, sql: "SELECT sortOrder, photo FROM place WHERE arguments = ?", arguments: [Self.bytes(of: place)])
      let photo: Data? = row?["photo"]
      return PlaceState(order: row?["sortOrder"], photo: photo.map { ImageLocation(bytes: Array($0)) })
    }
  }

  /// Keeps the order in which the photos of a visited place are sorted.
  public func setOrder(_ order: String, of place: Place) async throws(APIError) {
    try await file.write { db in
      try db.execute(
        sql: "UPDATE place SET sortOrder = ? WHERE arguments = ?", arguments: [order, Self.bytes(of: place)])
    }
  }

  /// Keeps the photo that is highlighted in a visited place; nil for the first one.
  public func setPhoto(_ photo: ImageLocation?, of place: Place) async throws(APIError) {
    try await file.write { db in
      try db.execute(
        sql: "UPDATE place SET photo = ? WHERE arguments = ?",
        arguments: [photo.map { Data($0.bytes) }, Self.bytes(of: place)])
    }
  }

  /// The number of destinations that are kept.
  static let mostDestinations = 10

  /// Returns the folders to which photos were moved or copied, the last one first.
  public func recentDestinations() async throws(APIError) -> [FilePath] {
    try await file.read { db in
      try Data.fetchAll(db, sql: "SELECT path FROM destination ORDER BY useNumber DESC").map { FilePath(Array($0)) }
    }
  }

  /// Takes note that photos are moved or copied to a folder.
  public func use(destination: FilePath) async throws(APIError) {
    try await file.write { db in
      try db.execute(
        sql: """
          INSERT INTO destination (path, useNumber)
          VALUES (?, (SELECT coalesce(max(useNumber), 0) + 1 FROM destination))
          ON CONFLICT (path) DO UPDATE SET useNumber = excluded.useNumber
          """, arguments: [Data(destination.bytes)])
      try db.execute(
        sql:
          "DELETE FROM destination WHERE path IN (SELECT path FROM destination ORDER BY useNumber DESC LIMIT -1 OFFSET ?)",
        arguments: [Self.mostDestinations])
    }
  }

  static func places(_ db: Database) throws -> [Place] {
    try Row.fetchAll(db, sql: "SELECT arguments, name FROM place ORDER BY useNumber DESC").map { row in
      let bytes = [UInt8](try row.decode(Data.self, forColumn: "arguments"))
      return Place(
        arguments: bytes.split(separator: 0).map(Array.init),
        name: try row.decode(String.self, forColumn: "name").printable)
    }
  }

  /// The arguments with a zero byte behind each, which no argument contains.
  private static func bytes(of place: Place) -> Data { Data(place.arguments.flatMap { $0 + [0] }) }
}
