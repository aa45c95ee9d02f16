import Foundation
import Harness

/// The folder of the checkout.
let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

/// Runs a command in the checkout.
///
/// - Parameter changes: The changes to the environment of ``Program``.
/// - Returns: The exit code, and the standard output and standard error as one text.
func run(_ words: [String], changes: [String: String] = [:]) async throws -> (status: Int32, text: String) {
  let script = "exec 2>&1; " + words.map(\.shellWord).joined(separator: " ")
  let result = try await Script.run(script, in: checkout, changes: changes)
  return (result.code, result.output)
}

/// A temporary folder whose name breaks commands that do not quote it. It is removed after the test.
final class UnquotableFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: "tintype \(UUID().uuidString) ü")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func write(_ name: String, _ data: Data) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }
}
