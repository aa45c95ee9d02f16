import CSystem
import Foundation

/// The processes above this one.
enum Ancestors {
  /// The number of processes after which the search ends, in case the kernel reports a circle.
  private static let most = 64

  /// The names of the processes above this one, nearest first; empty if the system does not list them.
  static let names = {
    var names: [String] = []
    var process = getppid()
    while process > 0, names.count < most, let (name, parent) = describe(process) {
      names.append(name)
      process = parent
    }
    return names
  }()

  /// Returns the name and the parent of a process, or nil if the system does not report them.
  static func describe(_ process: pid_t) -> (name: String, parent: pid_t)? {
    var name = [CChar](repeating: 0, count: 256)
    var parent: pid_t = 0
    guard describe_process(process, &name, name.count, &parent) != 0 else { return nil }
    return name.withUnsafeBufferPointer { (String(cString: $0.baseAddress!), parent) }
  }
}
