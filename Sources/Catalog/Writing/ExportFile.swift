import Foundation
import Gallery
import Synchronization

/// The writing of an exported catalog, which either replaces a file completely or leaves it unchanged (``AtomicFile``).
///
/// If a signal, such as that of Ctrl-C, arrives meanwhile, the temporary file is deleted before the program ends.
public enum ExportFile {
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  /// The last signal that arrived while a file was being written, or 0.
  private static let arrived = Atomic<Int32>(0)

  /// Writes a catalog atomically.
  ///
  /// An old catalog at the path is replaced, and the new one gets its permissions. A symbolic link is followed. Other
  /// files are never replaced.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - write: A closure that produces the content. It receives a function that writes bytes.
  /// - Throws: `ExportError`, or the error that `write` throws. In both cases, an old file is unchanged.
  public static func write(to path: FilePath, _ write: (([UInt8]) throws -> Void) throws -> Void) throws {
    try self.write(to: path, sync: fsync, write)
  }

  /// Writes a catalog atomically.
  ///
  /// - Parameter sync: The function that flushes a file to the disk: `fsync(2)`, or a substitute in tests.
  static func write(
    to path: FilePath, sync: (Int32) -> Int32, _ write: (([UInt8]) throws -> Void) throws -> Void
  ) throws {
    let target = try target(path)
    let handlers = takeSignals()
    defer { giveBack(handlers) }
    do {
      try AtomicFile.replace(target, sync: sync) { send in
        try write { bytes in
          try send(bytes)
          if arrived.load(ordering: .relaxed) != 0 { throw ExportError.stopped }
        }
      }
    } catch let failure as AtomicFile.Failure where failure.stage == .create && failure.code == ENOENT {
      throw ExportError.noFolder(path: target.folder)
    } catch let failure as AtomicFile.Failure {
      throw ExportError.failed(failure.stage, path: path, reason: failure.reason)
    }
  }

  /// Returns the path to be replaced, which is `path` itself or the target of a symbolic link.
  ///
  /// - Throws: An error if there is something at the path that must not be replaced.
  private static func target(_ path: FilePath) throws(ExportError) -> FilePath {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return path }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    guard isCatalog(path, status.st_size) else { throw .notACatalog(path: path) }
    guard let resolved = path.resolved else {
      throw .failed(.follow, path: path, reason: String(cString: strerror(errno)))
    }
    return resolved
  }

  /// Returns whether the file may be replaced, which means that it is empty or starts like a catalog. Photos are never
  /// replaced.
  private static func isCatalog(_ path: FilePath, _ size: Int) -> Bool {
    if size == 0 { return true }
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    let first = bytes.prefix(max(0, count)).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }.first
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || bytes.starts(with: [0x1F, 0x8B])
  }

  /// Installs handlers that only record signals, and returns the previous handlers.
  private static func takeSignals() -> [(Int32, sigaction)] {
    arrived.store(0, ordering: .relaxed)
    var taking = sigaction()
    taking.__sigaction_handler.sa_handler = { ExportFile.arrived.store($0, ordering: .relaxed) }
    var ignoring = sigaction()
    ignoring.__sigaction_handler.sa_handler = SIG_IGN
    // If this signal is ignored, exceeding the limit on file sizes is an error of write() and does not end the program.
    return [(SIGXFSZ, ignoring)]
      + signals.map { ($0, taking) }
      .map { number, action in
        var (action, old) = (action, sigaction())
        sigaction(number, &action, &old)
        return (number, old)
      }
  }

  /// Restores the previous handlers, and sends a signal that arrived meanwhile again.
  private static func giveBack(_ handlers: [(Int32, sigaction)]) {
    for (number, handler) in handlers {
      var handler = handler
      sigaction(number, &handler, nil)
    }
    // This thread may block signals, as those of tasks do. Then another one takes it.
    let number = arrived.load(ordering: .relaxed)
    if number != 0 { kill(getpid(), number) }
  }
}
