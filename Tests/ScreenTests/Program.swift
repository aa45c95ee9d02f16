import Foundation
import Harness
import TestPhotos
import Testing

/// The program under test: the one built with the tests, or the one that `TINTYPE_EXECUTABLE` names.
enum Program {
  static let path: String = {
    if let path = ProcessInfo.processInfo.environment["TINTYPE_EXECUTABLE"] { return path }
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appending(path: "tintype").path
  }()

  /// Returns the path of a small photo of the tests.
  static func photo(_ name: String) -> String { TestPhotos.path(name) }

  /// Returns the path of a bundled photo.
  static func bundledPhoto(_ name: String) -> String {
    URL(filePath: path).deletingLastPathComponent().appending(path: "tintype_Resources.resources/photos/\(name)").path
  }

  static let environment = [
    "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "TZ": "UTC", "PATH": "/usr/bin:/bin",
  ]

  /// Returns the changes to the environment of a user whose files are in a folder: their home, and what the program keeps.
  static func changes(home folder: URL) -> [String: String?] {
    var changes: [String: String?] = ["HOME": folder.path]
    for name in ["STATE", "CACHE", "DATA"] { changes["XDG_\(name)_HOME"] = "\(folder.path)/\(name)" }
    return changes
  }

  /// Starts the program without images.
  /// - Parameter changes: Changes to the environment; nil removes a variable.
  static func start(
    _ arguments: String..., columns: Int = 120, rows: Int = 36, changes: [String: String?] = [:], line: Line? = nil
  ) throws -> TerminalSession {
    try start(path, arguments, size: Size(columns: columns, rows: rows), changes: changes, line: line)
  }

  /// Starts another executable without images.
  static func start(
    _ executable: String, _ arguments: [String], size: Size, changes: [String: String?], line: Line? = nil
  ) throws -> TerminalSession {
    var environment = environment
    for (name, value) in changes { environment[name] = value }
    return try TerminalSession(
      executable, ["--pictures", "none"] + arguments, size: size, environment: environment, line: line)
  }

  /// Starts the program and waits until its photos are there.
  static func open(
    columns: Int = 120, rows: Int = 36, changes: [String: String?] = [:]
  ) async throws -> TerminalSession {
    let session = try start("--delay", "0", columns: columns, rows: rows, changes: changes)
    try await session.waitForTexts("Dune in the wind", "1/36")
    return session
  }
}

/// A catalog that is removed with its object.
final class TemporaryCatalog {
  let path: String
  private let folder: URL

  init(_ json: String?) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "photos.json").path
    if let json { try write(json) }
  }

  func write(_ json: String) throws {
    try Data(json.utf8).write(to: URL(filePath: path))
  }

  /// Makes a catalog of photos with these names.
  static func named(_ names: [String]) throws -> TemporaryCatalog {
    let rows = names.enumerated().map { index, name in
      [
        "id": index + 1, "name": name, "description": "About \(name)", "created_at": "2017-11-06T14:48:50-05:00",
        "image_url": "photos/\(index).jpg", "for_sale": index % 2 == 0, "camera": name,
      ] as [String: Any]
    }
    let data = try JSONSerialization.data(withJSONObject: ["photos": rows])
    return try TemporaryCatalog(String(decoding: data, as: UTF8.self))
  }
}

/// The sizes in which every screen is tested.
enum ScreenSize: String, CaseIterable, CustomTestStringConvertible {
  case large = "120x36"
  case common = "80x24"
  case small = "40x12"

  var columns: Int { Int(rawValue.prefix { $0 != "x" }) ?? 0 }
  var rows: Int { Int(rawValue.drop { $0 != "x" }.dropFirst()) ?? 0 }
  var testDescription: String { rawValue }
}

/// Returns the snapshot with a name.
func snapshot(_ name: String) throws -> String {
  let folder = URL(filePath: #filePath).deletingLastPathComponent()
  return try String(contentsOf: folder.appending(path: "Snapshots/\(name).txt"), encoding: .utf8)
}

extension TerminalSession {
  /// Waits until the screen has each of these texts.
  @discardableResult
  func waitForTexts(_ texts: String...) async throws -> Screen {
    try await wait(for: "the texts \(texts)") { screen in texts.allSatisfy { screen.contains($0) } }
  }
}
