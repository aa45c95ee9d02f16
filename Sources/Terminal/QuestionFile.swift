import Foundation

/// The pixel of a picture in a file, by which a terminal shows whether it reads this machine's files.
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
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return write(descriptor, "\0\0\0", 3) == 3 ? path : nil
  }
}
