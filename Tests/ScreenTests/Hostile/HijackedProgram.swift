import Foundation
import Harness
import TestPhotos

@testable import hostile_worker

/// The program with an image worker that a hostile file takes over, and a folder of photos for it.
final class HijackedProgram {
  let photos: URL
  private let folder: URL
  private let home: URL
  private let attack: String

  init(_ attack: String, photos names: [String]) throws {
    self.attack = attack
    // The program finds its worker beside itself, and a hard link is a program of its own.
    let built = URL(filePath: Program.path).deletingLastPathComponent()
    folder = built.appending(path: "hijacked-\(UUID().uuidString)")
    home = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    photos = home.appending(path: "photos")
    for folder in [folder, home] { Leftovers.removeAtEnd(folder) }
    for folder in [folder, photos] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try FileManager.default.linkItem(
      atPath: Program.path, toPath: folder.appending(path: "tintype").path)
    let resources = "tintype_Resources.resources"
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: resources), withDestinationURL: built.appending(path: resources))
    try FileManager.default.linkItem(
      at: built.appending(path: "hostile-worker"), to: folder.appending(path: "tintype-pictures"))
    for name in names {
      try FileManager.default.copyItem(
        at: URL(filePath: TestPhotos.path("chelsea.jpg")), to: photos.appending(path: name))
    }
  }

  private var started: URL { home.appending(path: "started") }

  /// The number of processes that the worker has had.
  var startedCount: Int {
    ((try? String(contentsOf: started, encoding: .utf8)) ?? "").split(separator: "\n").count
  }

  func start(_ arguments: [String]) throws -> TerminalSession {
    let changes = Program.changes(home: home).merging(["HOSTILE_ATTACK": attack, "HOSTILE_STARTS": started.path]) { $1 }
    return try TerminalSession(
      folder.appending(path: "tintype").path, arguments + [photos.path], size: Size(columns: 100, rows: 30),
      environment: Program.environment.merging(changes.compactMapValues { $0 }) { $1 })
  }
}
