import Foundation
import Harness
import Testing

extension String {
  /// The text quoted as one word of a shell command.
  var shellWord: String { "'" + replacing("'", with: #"'\''"#) + "'" }
}

extension TerminalSession {
  /// Starts a shell with job control, and waits for its prompt.
  static func shell(answersQueries: Bool = true, line: Line? = nil) async throws -> TerminalSession {
    let session = try TerminalSession(
      "/bin/bash", ["--norc", "--noprofile", "-i"], size: Size(columns: 120, rows: 36),
      environment: Program.environment.merging(["PS1": "shell> "]) { $1 }, answersQueries: answersQueries,
      line: line)
    try await session.waitForPrompt()
    return session
  }

  /// Waits for the shell's prompt. Keys typed before it are discarded together with the last answers for the program that
  /// restores the terminal.
  ///
  /// - Parameter isAnywhere: Whether the prompt may be beside other text. The emulator has one cursor for both screens, so that
  ///   it can return to a line with text.
  func waitForPrompt(isAnywhere: Bool = false, timeout: Duration = defaultTimeout) async throws {
    try await wait(for: "the shell's prompt", timeout: timeout) { screen in
      guard !screen.isAlternateScreen, screen.cursor.visible else { return false }
      if !isAnywhere { return screen.lines[screen.cursor.row] == "shell>" }
      // A prompt that begins near the right edge goes on in the next line.
      let last = Array(screen.cells[screen.cursor.row].prefix(screen.cursor.column))
      let rows = screen.cells[..<screen.cursor.row] + [last]
      return rows.joined().map(\.text).joined().trimmingCharacters(in: .whitespaces).hasSuffix("shell>")
    }
  }

  /// Expects the terminal to be as it was before the program.
  func expectGivenBack(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await wait(for: "the main screen with its cursor") { !$0.isAlternateScreen && $0.cursor.visible }
    // They are restored right after the output, and no output announces it.
    let deadline = ContinuousClock.now + .seconds(30)
    while attributes != initialAttributes, ContinuousClock.now < deadline { await Task.yield() }
    #expect(attributes == initialAttributes, sourceLocation: sourceLocation)
    for mode in [1000, 1002, 1004, 1006, 1049, 2004, 2026] {
      #expect(!screen.isModeSet(mode), "mode \(mode)", sourceLocation: sourceLocation)
    }
  }
}

/// A finished shell script, in which `$0` is the program.
///
/// Foundation's `Process` blocks a thread while it waits, and waits forever if another test starts a program in the
/// meantime, which inherits its pipes.
struct Script {
  let code: Int32
  let output: String
  let errors: String

  /// - Parameters:
  ///   - arguments: The values of `$1` and so on.
  ///   - folder: The working folder.
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
