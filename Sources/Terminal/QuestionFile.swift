import CTerminalGuard
import Foundation

/// The pixel of an image in a file, by which a terminal shows whether it reads this machine's files. A signal that ends
/// the program deletes it, too.
enum QuestionFile {
  /// Whether the terminal may be on this machine at all.
  static func makesSense(_ environment: [String: String]) -> Bool {
    environment["SSH_CONNECTION"] == nil && environment["SSH_TTY"] == nil
  }

  /// - Returns: Its path; nil where it cannot be written.
  static func make() -> String? {
    let path = "/dev/shm/tintype-tty-graphics-protocol-\(getpid())"
    // Left by a process that had the same number.
    unlink(path)
    terminal_guard_set_leftover(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return write(descriptor, "\0\0\0", 3) == 3 ? path : nil
  }

  static func remove(_ path: String) {
    unlink(path)
    terminal_guard_set_leftover("")
  }
}
