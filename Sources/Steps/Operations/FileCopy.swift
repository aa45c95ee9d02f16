import CSystem
import Gallery
import Services

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Copies of files, with their times, permissions and extended attributes.
///
/// A copy is written under a temporary name beside its place, flushed to the disk, read back and compared, and gets its name
/// only then. So a file of the name is a whole one, and none is replaced.
enum FileCopy {
  /// Copies a file, or a symbolic link as such.
  /// - Parameter work: The work that gets the number of copied bytes.
  /// - Throws: The number of the error, `EEXIST` if there is a file of the name, `EIO` if the copy differs.
  static func copy(_ source: FilePath, to target: FilePath, _ work: StepWork) throws(SystemError) {
    if let link = source.linkTarget {
      let result = link.withUnsafeBufferPointer { link in target.withCString { symlink(link.baseAddress!, $0) } }
      guard result == 0 else { throw SystemError(errno) }
      // By its time, a copy is known to be nobody's work. A disk without times of links is compared.
      var status = stat()
      guard source.withCString({ lstat($0, &status) }) == 0 else { return }
      let times = [status.st_atim, status.st_mtim]
      _ = target.withCString { utimensat(AT_FDCWD, $0, times, AT_SYMLINK_NOFOLLOW) }
      return
    }
    let folder = try HeldFolder(target.folder)
    let (path, target) = (target, folder.path.appending(target.name))
    let temporary = temporary(for: target)
    // What an attempt that was interrupted has left.
    _ = temporary.withCString { unlink($0) }
    let new = try create(temporary)
    defer { close(new) }
    do throws(SystemError) {
      try write(source, to: new, work)
      guard hasSameContent(source, temporary) else { throw SystemError(EIO) }
      let result = temporary.withCString { from in target.withCString { move_without_replacing(from, $0) } }
      guard result == 0 else { throw SystemError(errno) }
    } catch {
      _ = temporary.withCString { unlink($0) }
      throw error
    }
    guard isOpen(new, at: target) else { throw SystemError(EEXIST) }
    // The folder may have been replaced meanwhile, or its disk taken away. The user would not find the copy there.
    guard isOpen(new, at: path) else {
      _ = target.withCString { unlink($0) }
      throw SystemError(ENOENT)
    }
    folder.flush()
  }

  /// Returns whether the file at a path is an open one. Another copy of the program that makes the same copy may have replaced it while
  /// it had its temporary name.
  static func isOpen(_ file: Int32, at path: FilePath) -> Bool {
    var (open, named) = (stat(), stat())
    return fstat(file, &open) == 0 && path.withCString { lstat($0, &named) } == 0
      && open.st_dev == named.st_dev && open.st_ino == named.st_ino
  }

  /// Returns the path of a copy that is not complete. It is hidden, and the same at each attempt.
  static func temporary(for target: FilePath) -> FilePath {
    target.folder.appending(Array(".".utf8) + target.name.prefix(200) + Array(".tintype-part".utf8))
  }

  /// The number of bytes after which the progress is reported.
  private static let bytesAtOnce = 8 << 20

  private static func write(_ source: FilePath, to: Int32, _ work: StepWork) throws(SystemError) {
    let from = source.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    let status = try status(of: from)
    defer { close(from) }
    if share_contents(from, to) == 0 {
      work.update { $0.copiedSize += Int64(status.st_size) }
    } else {
      try copyContents(from, to, work)
    }
    try complete(to, like: from, status, permissions: status.st_mode & 0o7777)
  }

  /// Returns the status of a regular file that was opened.
  static func status(of descriptor: Int32) throws(SystemError) -> stat {
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw SystemError(errno) }
    if status.st_mode & S_IFMT == S_IFREG { return status }
    close(descriptor)
    throw SystemError(EINVAL)
  }

  /// Creates a file, and returns its descriptor.
  static func create(_ path: FilePath, permissions: mode_t = 0o600) throws(SystemError) -> Int32 {
    let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions) }
    if descriptor < 0 { throw SystemError(errno) }
    return descriptor
  }

  /// Gives a copy the attributes and times of its original, and flushes it to the disk, from which it is read next.
  static func complete(
    _ to: Int32, like from: Int32, _ status: stat, permissions: mode_t
  ) throws(SystemError) {
    copy_attributes(from, to)
    // A disk without permissions, such as a memory card, keeps its own.
    fchmod(to, permissions)
    let times = [status.st_atim, status.st_mtim]
    guard futimens(to, times) == 0, fsync(to) == 0 else { throw SystemError(errno) }
    forget_contents(to)
  }

  private static func copyContents(_ from: Int32, _ to: Int32, _ work: StepWork) throws(SystemError) {
    while true {
      let count = copy_some(from, to, bytesAtOnce)
      if count < 0 { throw SystemError(errno) }
      if count == 0 { return }
      work.update { $0.copiedSize += Int64(count) }
    }
  }

  /// Returns whether two files have the same bytes.
  static func hasSameContent(_ one: FilePath, _ other: FilePath) -> Bool {
    if let link = one.linkTarget { return link == other.linkTarget }
    let files = [one, other].map { path in path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    }
    defer { for file in files where file >= 0 { close(file) } }
    var status = [stat(), stat()]
    guard files.allSatisfy({ $0 >= 0 }), fstat(files[0], &status[0]) == 0, fstat(files[1], &status[1]) == 0,
      status[0].st_size == status[1].st_size, status.allSatisfy({ $0.st_mode & S_IFMT == S_IFREG })
    else { return false }
    let size = 1 << 20
    return withUnsafeTemporaryAllocation(byteCount: 2 * size, alignment: 16) { block in
      var offset: off_t = 0
      while offset < status[0].st_size {
        let count = pread(files[0], block.baseAddress, size, offset)
        guard count > 0, pread(files[1], block.baseAddress! + size, count, offset) == count,
          memcmp(block.baseAddress!, block.baseAddress! + size, count) == 0
        else { return false }
        offset += off_t(count)
      }
      return true
    }
  }
}

extension FilePath {
  /// The bytes of the path to which a symbolic link leads, with the zero at the end; nil for another file.
  fileprivate var linkTarget: [CChar]? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = withCString { readlink($0, &target, Int(PATH_MAX)) }
    return count > 0 ? Array(target[...count]) : nil
  }
}
