import CNcurses
import Foundation

/// A file in memory, which has no name in any folder and is gone with the process.
public struct MemoryFile: ~Copyable {
  /// The descriptor to write to. It stays open as long as the process runs.
  public let descriptor: Int32

  /// Creates an empty file; nil with `errno` set if the kernel allows none.
  public init?() {
    guard let file = cncurses_memory_file() else { return nil }
    descriptor = fileno(file)
  }

  /// The path by which this process and its children can open the file.
  public var path: String { "/proc/\(getpid())/fd/\(descriptor)" }
}
