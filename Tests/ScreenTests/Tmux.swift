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
