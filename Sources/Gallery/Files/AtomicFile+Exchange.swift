import CSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Between a look at a file and its replacement, another program can write it. So the new file and the old one change places in one
// instant, and the old one is looked at again where only a program that has it open already can write it. If it is not what it was,
// the two change places once more. In these microseconds, another program may have opened the new file, too: then that is the newest
// version, and gets the place.
//
// Meanwhile, the folder is locked against other copies of this program. Any other program can see our version in these microseconds.

extension AtomicFile {
  /// Gives a temporary file its place. In any other case it is deleted.
  /// - Returns: Whether it is at its place. It is not if something else is there that may not be replaced.
  static func place(_ temporary: FilePath, at path: FilePath, if condition: Condition) throws(Failure) -> Bool {
    switch condition {
    case .always:
      guard temporary.replaces(path) else { throw failure(deleting: temporary) }
      return true
    case .missing:
      if temporary.moves(to: path) { return true }
      let failure = failure(deleting: temporary)
      guard failure.code == EEXIST else { throw failure }
      return false
    case .current(let isCurrent):
      return try exchange(temporary, with: path, if: isCurrent)
    }
  }

  private static func exchange(
    _ temporary: FilePath, with path: FilePath, if isCurrent: (FilePath) -> Bool
  ) throws(Failure) -> Bool {
    let lock = FolderLock(path.folder)
    defer { lock.release() }
    let new = Version(new: temporary)
    guard isCurrent(path) else {
      temporary.delete()
      return false
    }
    guard temporary.exchanges(with: path) else {
      // Some file systems, such as those on other machines, can't do this. There, what another program writes in this instant is lost.
      if errno == ENOTSUP, temporary.replaces(path) { return true }
      let failure = failure(deleting: temporary)
      guard failure.code == ENOENT else { throw failure }
      return false
    }
    let isOld = isCurrent(temporary)
    if isOld { temporary.delete() } else { try putBack(temporary, to: path, inPlaceOf: new) }
    return isOld
  }

  /// Deletes a file, which gets a temporary path before. Returns whether it was deleted.
  static func delete(
    _ path: FilePath, at temporary: FilePath, otherwise other: ((_ number: Int) -> FilePath)?,
    if isCurrent: (FilePath) -> Bool
  ) throws(Failure) -> Bool {
    let lock = FolderLock(path.folder)
    defer { lock.release() }
    guard isCurrent(path) else { return false }
    guard path.replaces(temporary) else {
      if errno == ENOENT { return false }
      // A full disk may have no room for another name, and some disks, as those of cameras, know no other names.
      if [ENOSPC, EDQUOT, ENOTSUP, ENOSYS].contains(errno), path.withCString({ unlink($0) }) == 0 { return true }
      throw Failure(.replace)
    }
    if isCurrent(temporary) {
      temporary.delete()
      return true
    }
    if temporary.moves(to: path) { return false }
    // Otherwise, it stays at the temporary path.
    guard errno == EEXIST else { throw Failure(.replace) }
    // Another program has made the file again.
    guard let other else {
      temporary.delete()
      return false
    }
    for number in 2... {
      if temporary.moves(to: other(number)) { break }
      guard errno == EEXIST else { throw Failure(.replace) }
    }
    return false
  }

  /// Puts a file back that a program which was killed has left at its hidden path, unless another one is at its place.
  public static func putBack(_ path: FilePath, from hidden: FilePath) {
    guard hidden.isThere else { return }
    let lock = FolderLock(path.folder)
    defer { lock.release() }
    _ = hidden.moves(to: path)
  }

  /// Puts a file back that another program has written, or the newer one that it has put in its place or written there meanwhile.
  /// - Parameter new: The file at the path. If no other program has changed it, it ends at the temporary path, and is deleted.
  private static func putBack(_ temporary: FilePath, to path: FilePath, inPlaceOf new: Version) throws(Failure) {
    var placed = new
    while true {
      let returned = Version(temporary)
      if temporary.exchanges(with: path) {
        if placed.isUnchanged(at: temporary) { return temporary.delete() }
        placed = returned
      } else if errno != ENOENT {
        // The other program's version stays at the temporary path.
        throw Failure(.replace)
      } else if temporary.moves(to: path) || errno != EEXIST {
        // The other program had deleted the file.
        return
      }
    }
  }

  /// Waits a moment for the programs that have a file open for writing. A watch would have to be set up before each reading, and the
  /// wait is rare. A process that is being started has the files of its parent open for a moment, too.
  ///
  /// - Parameter descriptor: The file, open for reading.
  public static func waitForWriters(_ descriptor: Int32) {
    let (mostPauses, pause) = (8, UInt32(20_000))
    for _ in 0..<mostPauses where is_being_written(descriptor) != 0 { usleep(pause) }
  }

  private static func failure(deleting temporary: FilePath) -> Failure {
    let failure = Failure(.replace)
    temporary.delete()
    return failure
  }
}

/// A lock that other copies of this program wait for before they replace a file of a folder. Some file systems have no locks.
private struct FolderLock {
  private let descriptor: Int32

  init(_ folder: FilePath) {
    begin_lock()
    descriptor = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  func release() {
    // A worker that is being started has every file open until it executes its program.
    flock(descriptor, LOCK_UN)
    close(descriptor)
    end_lock()
  }
}

/// The numbers by which a file system tells a file from others.
private struct FileIdentity: Equatable {
  private let device, number: UInt64

  /// Returns nil if nothing is at the path.
  init?(_ path: FilePath) {
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}

/// A file at a moment, by which a later change of it is noticed.
private struct Version {
  private let identity: FileIdentity?
  /// The first bytes, which are more than a sidecar has; nil if another program was writing them.
  private let content: [UInt8]?

  /// A file that no other program knows yet.
  init(new path: FilePath) { (identity, content) = (FileIdentity(path), Self.content(of: path)) }

  init(_ path: FilePath) {
    identity = FileIdentity(path)
    let content = Self.content(of: path)
    self.content = path.isBeingWritten ? nil : content
  }

  /// Returns whether the file at a path is this one, and no program has changed it. One that has just opened it gets time for that.
  func isUnchanged(at path: FilePath) -> Bool {
    guard FileIdentity(path) == identity else { return false }
    path.withDescriptor(AtomicFile.waitForWriters)
    return content == nil || Self.content(of: path) == content
  }

  private static func content(of path: FilePath) -> [UInt8] { path.head(16 << 20) }
}

extension FilePath {
  /// Whether a program has the file open for writing, as far as the system tells.
  fileprivate var isBeingWritten: Bool { withDescriptor { is_being_written($0) != 0 } ?? false }

  /// Calls a function with the file, which is open for reading; returns nil if it can't be opened.
  @discardableResult
  fileprivate func withDescriptor<Result>(_ body: (Int32) -> Result) -> Result? {
    let descriptor = withCString { open($0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return body(descriptor)
  }
}

// Each of these returns whether it has succeeded, and sets `errno`.
extension FilePath {
  fileprivate func replaces(_ other: FilePath) -> Bool {
    withCString { path in other.withCString { rename(path, $0) == 0 } }
  }

  fileprivate func moves(to other: FilePath) -> Bool {
    withCString { path in other.withCString { move_without_replacing(path, $0) == 0 } }
  }

  fileprivate func exchanges(with other: FilePath) -> Bool {
    withCString { path in other.withCString { exchange_files(path, $0) == 0 } }
  }

  fileprivate func delete() { withCString { _ = unlink($0) } }
}
