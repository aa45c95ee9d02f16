import Foundation
import Harness

/// A private tmux, which ends when its only terminal is closed.
enum Tmux {
  static let path = "/usr/bin/tmux"
  static let isInstalled = FileManager.default.fileExists(atPath: path)

  /// Writes a configuration into a folder, and returns the command that starts tmux with it. Its socket is `tmux` in the
  /// folder.
  static func command(in folder: URL, passesThrough: Bool = true) throws -> [String] {
    let configuration = folder.appending(path: "tmux.conf")
    let settings = """
      set -g status off
      set -g destroy-unattached on
      set -g default-terminal tmux-256color
      set -as terminal-features ',xterm-256color:RGB'
      set -g allow-passthrough \(passesThrough ? "on" : "off")

      """
    try Data(settings.utf8).write(to: configuration)
    return [path, "-u", "-S", folder.appending(path: "tmux").path, "-f", configuration.path]
  }
}

/// The only pane of a tmux, in which a program runs.
final class TmuxPane {
  /// The process of the program.
  let processID: Int32

  private let socket: String
  private let folder: URL
  /// What the program has written to the pane.
  private var output: URL { folder.appending(path: "pane") }
  /// The size of ``output`` before the last paste, in bytes.
  private var start: UInt64 = 0

  /// Waits for the pane of the tmux whose socket is in a folder.
  init(in folder: URL) throws {
    self.folder = folder
    let socket = folder.appending(path: "tmux").path
    self.socket = socket
    var answer = ""
    try waitForFiles(in: folder, "a pane of tmux") {
      answer = (try? Self.run(["list-panes", "-F", "#{pane_pid}"], at: socket)) ?? ""
      return Int32(answer) != nil
    }
    processID = Int32(answer) ?? 0
    try Self.run(["pipe-pane", "-O", "exec /bin/cat > '\(folder.appending(path: "pane").path)'"], at: socket)
    try waitForFiles(in: folder, "the output of the pane") { FileManager.default.fileExists(atPath: output.path) }
  }

  /// Sends keys to the program as they are. tmux, which reads keys as a terminal sends them, changes some.
  func type(_ keys: String) throws {
    start = try FileManager.default.attributesOfItem(atPath: output.path)[.size] as? UInt64 ?? 0
    try Self.run(["load-buffer", "-", ";", "paste-buffer", "-d", "-r"], at: socket, input: keys)
  }

  /// Waits until the program has written one of the sequences after the last keys.
  func waitForOutput(_ description: @autoclosure () -> String, of sequences: [String]) throws {
    try waitForFiles(in: folder, description()) {
      let file = try FileHandle(forReadingFrom: output)
      try file.seek(toOffset: start)
      let bytes = try file.readToEnd() ?? Data()
      return sequences.contains { bytes.firstRange(of: Data($0.utf8)) != nil }
    }
  }

  @discardableResult
  private static func run(_ arguments: [String], at socket: String, input: String = "") throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: Tmux.path)
    process.arguments = ["-S", socket] + arguments
    let answer = Pipe()
    let keys = Pipe()
    process.standardInput = keys
    process.standardOutput = answer
    process.standardError = FileHandle.nullDevice
    try process.run()
    try keys.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try keys.fileHandleForWriting.close()
    let text = String(decoding: try answer.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
