import Foundation

/// The folder of the checkout.
let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// What a command wrote, to its output and to its errors together, and how it ended.
struct CommandResult {
  let status: Int32
  let text: String
}

/// Runs a command in the checkout, and waits for its end. It gets no environment but this one.
func run(_ executable: String, _ arguments: [String], environment: [String: String]) throws -> CommandResult {
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(filePath: executable)
  process.arguments = arguments
  process.currentDirectoryURL = checkout
  process.environment = environment
  process.standardInput = FileHandle.nullDevice
  (process.standardOutput, process.standardError) = (pipe, pipe)
  try process.run()
  let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return CommandResult(status: process.terminationStatus, text: text)
}

/// A folder that is gone after the test. Its name would break a command that does not quote it.
final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: "tintype \(UUID().uuidString) ü")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func write(_ name: String, _ data: Data, permissions: Int = 0o644) throws {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path)
  }
}
