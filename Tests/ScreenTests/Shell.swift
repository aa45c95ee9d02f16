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
