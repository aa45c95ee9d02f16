import Foundation

/// A line of the terminal that shows how far the command has come.
enum ProgressLine {
  /// Whether the standard error is a terminal, which shows the line.
  static let isShown = isatty(STDERR_FILENO) != 0

  static func show(_ text: String) {
    guard isShown else { return }
    try? FileHandle.standardError.write(contentsOf: Data("\r\(text)\u{1B}[K".utf8))
  }

  static func clear() { show("") }
}
