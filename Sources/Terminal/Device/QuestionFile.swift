import CTerminalGuard
import Foundation

/// An image of one pixel in a file, by which a terminal shows whether it reads this machine's files. A signal that ends
/// the program deletes the file, too.
enum QuestionFile {
  /// Makes the file and returns its path; nil if the terminal can't be on this machine, or the file can't be written.
  static func make(environment: [String: String]) -> String? {
    guard environment["SSH_CONNECTION"] == nil, environment["SSH_TTY"] == nil else { return nil }
    let path = "/dev/shm/tintype-tty-graphics-protocol-\(getpid())"
    // A process that had the same number may have left one.
    unlink(path)
    terminal_guard_set_leftover(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return write(descriptor, "\0\0\0", 3) == 3 ? path : nil
  }

  /// Removes the file at `path`.
  static func remove(_ path: String) {
    unlink(path)
    terminal_guard_set_leftover("")
  }
}
