import Foundation

/// The folder of the checkout.
let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

/// Runs a command in the checkout.
///
/// - Parameter changes: Made to the environment of ``Program``.
/// - Returns: Its exit code, and its output and its errors together.
func run(_ words: [String], changes: [String: String] = [:]) async throws -> (status: Int32, text: String) {
  let script = "exec 2>&1; " + words.map(\.shellWord).joined(separator: " ")
  let result = try await Script.run(script, in: checkout, changes: changes)
  return (result.code, result.output)
}

/// A folder that is gone after the test. Its name would break a command that does not quote it.
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
