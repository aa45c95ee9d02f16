import Foundation

/// The processes above this one.
enum Ancestors {
  /// The number of processes after which the search ends, in case the kernel reports a circle.
  private static let most = 64

  /// The names of the processes above this one, nearest first; empty if the system does not list them (proc(5)).
  static let names = {
    var (names, process) = ([String](), getppid())
    while process > 0, names.count < most, let (name, parent) = read(process) {
      names.append(name)
      process = parent
    }
    return names
  }()

  private static func read(_ process: pid_t) -> (name: String, parent: pid_t)? {
    guard let file = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return nil }
    return parse(String(decoding: file, as: UTF8.self))
  }

  /// Returns the name and the parent that a file `/proc/PID/stat` contains. The name is in parentheses, and it may contain
  /// parentheses itself.
  static func parse(_ text: String) -> (name: String, parent: pid_t)? {
    guard let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")"), start < end else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 1, let parent = pid_t(fields[1]) else { return nil }
    return (String(text[text.index(after: start)..<end]), parent)
  }
}
