import Foundation
import Harness

/// A user's folders, which several copies of the program share.
final class Home {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Returns the folder of a file of the state or of the data, such as `state.sqlite`.
  var state: URL { folder.appending(path: "state/tintype") }
  var data: URL { folder.appending(path: "data/tintype") }

  /// Starts the program in a room of the bundled gallery, or of a gallery with other contents.
  func enter(
    _ room: String, delay: String = "0", columns: Int = 80, rows: Int = 24, contents: Contents? = nil,
    options: [String] = [], locale: String? = nil, changes: [String: String?] = [:]
  ) throws -> TerminalSession {
    try Program.start(
      contents?.executable ?? Program.path, ["--delay", delay, "--room", room] + options,
      size: Size(columns: columns, rows: rows),
      changes: [
        "XDG_STATE_HOME": folder.appending(path: "state").path, "XDG_DATA_HOME": folder.appending(path: "data").path,
        "LANG": locale ?? Program.environment["LANG"],
      ].merging(changes) { $1 })
  }
}

/// The program with other files in place of the bundled ones.
final class Contents {
  private let folder: URL

  /// - Parameter files: The contents of the files by their names. Other files are missing.
  init(_ files: [String: String] = [:]) throws {
    let program = URL(filePath: Program.path)
    folder = program.deletingLastPathComponent().appending(path: "contents-\(UUID().uuidString)")
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    // Without it, the footer would say so.
    let places = program.deletingLastPathComponent().appending(path: "tintype_Resources.resources/places")
    try FileManager.default.createSymbolicLink(at: bundle.appending(path: "places"), withDestinationURL: places)
    // The program finds its files next to itself, through symbolic links. A copy could not be run while a process that
    // another test has just forked holds it open for writing.
    try FileManager.default.linkItem(at: program, to: URL(filePath: executable))
    for (name, text) in files { try write(text, to: name) }
  }

  var executable: String { folder.appending(path: "tintype").path }

  func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: bundle.appending(path: name))
  }

  private var bundle: URL { folder.appending(path: "tintype_Resources.resources") }
}
