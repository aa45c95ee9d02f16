import Foundation
import Harness
import TestLimit
import Testing

/// A shell for which the program writes completions.
enum InstalledShell: String, CaseIterable {
  case bash, zsh, fish

  /// Returns whether a program is installed.
  static func has(_ name: String) -> Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/\(name)") }

  /// Starts the shell in a folder, with the completions of the program, and waits for its prompt.
  func start(in folder: URL) async throws -> TerminalSession {
    let script = folder.deletingLastPathComponent().appending(path: "\(folder.lastPathComponent)-scripts/_tintype")
    defer { Leftovers.removeAtEnd(script.deletingLastPathComponent()) }
    let write = #"mkdir -p "${1%/*}" && "$0" --generate-completion-script \#(rawValue) > "$1""#
    try #require(try await Script.run(write, script.path, in: folder).code == 0)
    let session = try TerminalSession(
      "/usr/bin/\(rawValue)", options, size: Size(columns: 100, rows: 36),
      environment: Program.environment.merging([
        "HOME": script.deletingLastPathComponent().path,
        "PATH": "\(URL(filePath: Program.path).deletingLastPathComponent().path):/usr/bin:/bin",
      ]) { $1 },
      workingDirectory: folder.path)
    session.type(setUp(script.path.shellWord, script.deletingLastPathComponent().path.shellWord) + "; clear\r")
    try await session.wait(for: "the prompt") { $0.lines[0] == "shell>" }
    return session
  }

  private var options: [String] {
    switch self {
    case .bash: ["--norc", "--noprofile", "-i"]
    case .zsh: ["-f", "-i"]
    case .fish: ["--no-config", "-i"]
    }
  }

  private func setUp(_ script: String, _ folder: String) -> String {
    switch self {
    case .bash: "PS1='shell> '; . \(script)"
    case .zsh: "PS1='shell> '; fpath=(\(folder) $fpath); autoload -Uz compinit; compinit -u -D"
    case .fish:
      "function fish_prompt; printf 'shell> '; end; set -g fish_autosuggestion_enabled 0; source \(script)"
    }
  }
}

/// The completions, typed into shells.
@Suite(.fewAtOnce, .limited) struct CompletionTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")

  /// Lines with the end that the Tab key adds.
  private static let lines = [
    ("tintype sho", "w"), ("tintype pla", "in.png"), ("tintype --slides", "how"), ("tintype --pictures k", "itty"),
    ("tintype --pictures=k", "itty"), ("tintype my", #"\ photos/"#), ("tintype 'my photos/a", " b.jpg'"),
    ("tintype plain.png pla", "in.png"), ("tintype show --pict", "ures"), ("tintype show --fit cov", "er"),
    ("tintype show --fit cover pla", "in.png"), ("tintype show --align mid", "dle"), ("tintype catalog --out", "put"),
    ("tintype catalogue my", #"\ photos/"#), ("tintype doctor --gl", "yphs"), ("tintype history --mo", "st"),
    ("tintype --theme gru", "vbox"), ("tintype config --theme gru", "vbox"),
  ]

  init() throws {
    Leftovers.removeAtEnd(folder)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "my photos"), withIntermediateDirectories: true)
    for name in ["plain.png", "my photos/a b.jpg", "my photos/lake.jpg"] {
      try Data().write(to: folder.appending(path: name))
    }
  }

  private func expectCompletions(in shell: InstalledShell) async throws {
    let session = try await shell.start(in: folder)
    defer { session.close() }
    for (line, end) in Self.lines {
      session.type(line + "\t")
      try await session.wait(for: line + end) { $0.lines[0].hasPrefix("shell> " + line + end) }
      // Removes the line (Ctrl-u), and what is below it (Ctrl-l).
      session.type("\u{15}\u{0C}")
      try await session.wait(for: "an empty line") { $0.lines[0] == "shell>" && $0.lines[1].isEmpty }
    }
    session.type("tintype \t\t")
    try await session.wait(for: "subcommands and files") { screen in
      ["catalogue", "doctor", "history", "sheet", "show", "thumbnails", "plain.png"].allSatisfy(screen.text.contains)
    }
  }

  @Test func bashCompletes() async throws { try await expectCompletions(in: .bash) }

  @Test(.enabled(if: InstalledShell.has("zsh"), "SKIPPED: zsh is not installed"))
  func zshCompletes() async throws { try await expectCompletions(in: .zsh) }

  @Test(.enabled(if: InstalledShell.has("fish"), "SKIPPED: fish is not installed"))
  func fishCompletes() async throws { try await expectCompletions(in: .fish) }

  @Test(arguments: InstalledShell.allCases.filter { InstalledShell.has($0.rawValue) })
  func theScriptParses(shell: InstalledShell) async throws {
    let check = #""$0" --generate-completion-script \#(shell.rawValue) > script && \#(shell.rawValue) -n script"#
    let result = try await Script.run(check, in: folder)
    #expect((result.code, result.errors) == (0, ""))
  }
}
