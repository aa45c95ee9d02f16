import CSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The atomic replacement of files: a file is replaced completely, or it is left unchanged.
///
/// The bytes go to a temporary file in the same folder. When all of them are on the disk, the temporary file is
/// renamed. It has a name only for that moment, or none if the file is a new one, so that it disappears if the program is killed. On
/// file systems that know no files without names, such as FAT, it stays.
public enum AtomicFile {
  /// A stage of replacing a file.
  public enum Stage: Hashable, Sendable {
    /// Finding the target of a symbolic link.
    case follow
    /// Creating a temporary file in the same folder.
    case create
    case write
    /// Flushing the temporary file to the disk.
    case flush
    /// Renaming the temporary file.
    case replace
  }

  /// A stage failed.
  public struct Failure: Error, Hashable, Sendable {
    /// The stage that failed.
    public let stage: Stage
    /// The number of the system's error (errno).
    public let code: Int32

    /// The system's words for the error.
    public var reason: String { String(cString: strerror(code)) }

    init(_ stage: Stage) {
      self.stage = stage
      code = errno
    }
  }

  /// A condition under which a file gets its place.
  public enum Condition {
    /// The file replaces what is at the path, or is new.
    case always
    /// The file must be new. One that another program creates in the same instant stays.
    case missing
    /// The function must return true for the old file, given a path of it. ``AtomicFile`` asks about the file at the path, and about the
    /// one that it has taken from there. So a version that another program writes in the same instant is put back.
    case current((FilePath) -> Bool)
  }

  /// Replaces a file, or creates it.
  ///
  /// The new file gets the permissions and extended attributes of the old one, and its owner as far as the system allows that. Other
  /// names of the old file (hard links) keep its content. A symbolic link at the path would be replaced itself: pass its target
  /// (``FilePath/resolved``).
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - sync: The function that flushes a file to the disk: `fsync(2)`, or a substitute in tests.
  ///   - condition: What may be replaced.
  ///   - write: A closure that produces the content. It receives a function that writes bytes.
  /// - Returns: Whether the file was replaced. It was not if something else is at the path.
  /// - Throws: ``Failure``, or the error that `write` throws. In both cases, the old file is unchanged.
  @discardableResult
  public static func replace(
    _ path: FilePath, sync: (Int32) -> Int32 = fsync, if condition: Condition = .always,
    _ write: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws -> Bool {
    let temporary = temporary(for: path)
    var descriptor = path.folder.withCString { create_nameless_file($0, 0o666) }
    let isNameless = descriptor >= 0
    if !isNameless { descriptor = temporary.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) } }
    guard descriptor >= 0 else { throw Failure(.create) }
    var isReady = false
    defer {
      if descriptor >= 0 { close(descriptor) }
      if !isReady, !isNameless { temporary.withCString { _ = unlink($0) } }
    }
    keepAttributes(of: path, for: descriptor)
    try write { [descriptor] in try send($0, to: descriptor) }
    guard sync(descriptor) == 0 else { throw Failure(.flush) }
    if isNameless, case .missing = condition {
      guard path.withCString({ name_file(descriptor, $0) }) != 0 else {
        syncNames(in: path.folder, sync)
        return true
      }
      guard errno == EEXIST else { throw Failure(.replace) }
      return false
    }
    if isNameless, temporary.withCString({ name_file(descriptor, $0) }) != 0 { throw Failure(.replace) }
    isReady = true
    // Otherwise, the new file would be one that a program is writing.
    close(descriptor)
    descriptor = -1
    guard try place(temporary, at: path, if: condition) else { return false }
    syncNames(in: path.folder, sync)
    return true
  }

  /// Deletes a file.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - sync: The function that flushes a file to the disk: `fsync(2)`, or a substitute in tests.
  ///   - hidden: The path that the file has until it is deleted, at which a program that is killed leaves it (``putBack(_:from:)``); nil for
  ///     any.
  ///   - other: A function that returns another path for a file that was taken by mistake and whose place another program has
  ///     filled since, given a number from 2. Without it, only the newest version counts.
  ///   - isCurrent: A function that returns whether the file at a path may be deleted (``Condition/current(_:)``).
  /// - Returns: Whether the file was deleted.
  public static func delete(
    _ path: FilePath, sync: (Int32) -> Int32 = fsync, at hidden: FilePath? = nil,
    otherwise other: ((_ number: Int) -> FilePath)? = nil, if isCurrent: (FilePath) -> Bool
  ) throws(Failure) -> Bool {
    // What is at the path may be another program's.
    let temporary = hidden.flatMap { $0.isThere ? nil : $0 } ?? temporary(for: path)
    guard try delete(path, at: temporary, otherwise: other, if: isCurrent) else { return false }
    syncNames(in: path.folder, sync)
    return true
  }

  private static func temporary(for path: FilePath) -> FilePath {
    path.folder.appending(".tintype-\(UInt64.random(in: .min ... .max)).tmp".utf8)
  }

  /// Flushes a folder, so that the new name of a file, or the lack of a file, survives a loss of power. Errors are
  /// ignored, because the change has been made already and the system will write it later.
  public static func syncNames(in folder: FilePath, _ sync: (Int32) -> Int32 = fsync) {
    let descriptor = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { return }
    _ = sync(descriptor)
    close(descriptor)
  }

  private static func keepAttributes(of path: FilePath, for descriptor: Int32) {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return }
    // Only root may give a file to another user. Changing the owner clears bits of the permissions.
    if fchown(descriptor, status.st_uid, status.st_gid) != 0 { _ = fchown(descriptor, uid_t.max, status.st_gid) }
    let old = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    if old >= 0 {
      copy_attributes(old, descriptor)
      close(old)
    }
    fchmod(descriptor, status.st_mode & 0o7777)
  }

  private static func send(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(.write) }
      rest = rest.dropFirst(count)
    }
  }
}
