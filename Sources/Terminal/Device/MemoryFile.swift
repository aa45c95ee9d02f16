import CSystem
import Foundation

/// A file in memory, which has no name in any folder and is gone with the process.
public struct MemoryFile: ~Copyable {
  /// The descriptor to write to. It stays open as long as the process runs.
  public let descriptor: Int32
  /// The path by which this process and its children can open the file.
  public let path: String

  /// Creates an empty file; nil with `errno` set if the system allows none.
  public init?() {
    var path = [CChar](repeating: 0, count: 1024)
    descriptor = create_shared_file(&path, path.count)
    guard descriptor >= 0 else { return nil }
    self.path = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }
}
