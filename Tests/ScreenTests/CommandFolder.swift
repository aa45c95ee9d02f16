import Foundation
import Harness
import TestPhotos

/// A folder with two photos in `in`, and a user's configuration, for commands in a shell and for the gallery.
final class CommandFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  /// - Parameter configuration: The text of `config.toml`.
  init(configuration: String = "") throws {
    let photos = url.appending(path: "in")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    for name in ["chelsea.jpg", "coffee.jpg"] {
      try FileManager.default.copyItem(at: URL(filePath: TestPhotos.path(name)), to: photos.appending(path: name))
    }
    try write(configuration, to: "config/tintype/config.toml")
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var changes: [String: String] {
    [
      "XDG_CACHE_HOME": url.appending(path: "cache").path, "XDG_STATE_HOME": url.appending(path: "state").path,
      "XDG_CONFIG_HOME": url.appending(path: "config").path,
    ]
  }

  func write(_ text: String, to path: String) throws {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func run(_ script: String) async throws -> Script { try await Script.run(script, in: url, changes: changes) }

  func sidecar(_ name: String) -> String? {
    try? String(contentsOf: url.appending(path: "in/\(name).xmp"), encoding: .utf8)
  }

  func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.appending(path: path).path).sorted()
  }

  /// Opens the photos in the gallery, and waits until they have been read.
  func start() async throws -> TerminalSession {
    let session = try Program.start(
      url.appending(path: "in").path, "--pictures", "none", columns: 120, rows: 36, changes: changes)
    for text in ["1/2", "451×300", "600×400"] { try await session.waitForText(text) }
    return session
  }
}
