import Gallery

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder that is held open, so that a copy ends where it has begun: also if meanwhile the folder is replaced by a link, or its
/// disk is unmounted.
final class HeldFolder {
  /// A path of the folder while it is held.
  let path: FilePath
  private let descriptor: Int32

  init(_ folder: FilePath) throws(SystemError) {
    descriptor = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if descriptor < 0 { throw SystemError(errno) }
    let held = FilePath("/proc/self/fd/\(descriptor)")
    // Only Linux has such paths.
    path = held.isFolder ? held : folder
  }

  deinit { close(descriptor) }

  /// Flushes the names in the folder to its disk.
  func flush() { fsync(descriptor) }
}
