import Foundation
import Testing

extension String {
  /// The text as one word of a shell's command, whatever characters are in it.
  var shellWord: String { "'" + replacing("'", with: #"'\''"#) + "'" }
}

extension TerminalSession {
  /// A shell with control of jobs, at its prompt.
  static func shell(answersQueries: Bool = true) async throws -> TerminalSession {
    let session = try TerminalSession(
      "/bin/bash", ["--norc", "--noprofile", "-i"], size: Size(columns: 120, rows: 36),
      environment: Program.environment.merging(["PS1": "shell> "]) { $1 }, answersQueries: answersQueries)
    try await session.waitForPrompt()
    return session
  }

  /// Waits until the shell asks for a command: what is typed before is thrown away with the last answers for the
  /// program that gives the terminal back.
  func waitForPrompt() async throws {
    try await wait(for: "the shell's prompt") { screen in
      !screen.isAlternateScreen && screen.cursor.visible && screen.lines[screen.cursor.row] == "shell>"
    }
  }

  /// Expects the terminal as it was before the program.
  func expectGivenBack(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await wait(for: "the main screen with its cursor") { !$0.isAlternateScreen && $0.cursor.visible }
    #expect(attributes == initialAttributes, sourceLocation: sourceLocation)
    for mode in [1000, 1006, 1049, 2004, 2026] {
      #expect(!screen.isModeSet(mode), "mode \(mode)", sourceLocation: sourceLocation)
    }
  }
}

/// Runs scripts of the shell to their ends, with `$0` for the program.
///
/// Foundation's `Process` blocks a thread while it waits, and waits for ever if another test starts a program meanwhile,
/// which inherits its pipes.
struct Script {
  let code: Int32
  let output: String
  let errors: String

  /// - Parameters:
  ///   - arguments: `$1` and so on.
  ///   - folder: Where it runs.
  static func run(
    _ script: String, _ arguments: String..., in folder: URL, changes: [String: String] = [:]
  ) async throws -> Script {
    let base = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path
    let files = ["\(base).output", "\(base).errors"]
    defer { for file in files { unlink(file) } }
    let session = try TerminalSession(
      "/bin/sh", ["-c", "{ \(script)\n} < /dev/null > \(files[0]) 2> \(files[1])", Program.path] + arguments,
      size: Size(columns: 80, rows: 24), environment: Program.environment.merging(changes) { $1 },
      workingDirectory: folder.path)
    defer { session.close() }
    guard case .exited(let code) = try await session.waitForExit() else { throw CancellationError() }
    let texts = try files.map { String(decoding: try Data(contentsOf: URL(filePath: $0)), as: UTF8.self) }
    return Script(code: code, output: texts[0], errors: texts[1])
  }
}
