import Foundation
import Gallery

/// A damaged database that has to be moved away.
///
/// A database must not be renamed while a program has it open, since that program would use the journal of the new file
/// (https://sqlite.org/howtocorrupt.html, "Unlinking or renaming a database file while in use"). So a file is opened
/// under a ``FolderLock``, and checked before each use (``FileIdentity``).
struct DamagedFile {
  let path: String

  /// Renames the file to an unused name, and returns its new path.
  func setAside() throws -> String {
    let place = freePlace()
    try whileNobodyUsesIt {
      // The journal goes first, or SQLite would apply it to the new file.
      for suffix in ["-journal", ""] where rename(path + suffix, place + suffix) != 0 && errno != ENOENT { throw fault }
    }
    return place
  }

  /// Removes the file.
  func throwAway() throws {
    try whileNobodyUsesIt {
      for suffix in ["-journal", ""] where unlink(path + suffix) != 0 && errno != ENOENT { throw fault }
    }
  }

  private func whileNobodyUsesIt(_ body: () throws -> Void) throws {
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw fault }
    defer { close(file) }
    // These are all bytes that SQLite locks (https://sqlite.org/src/file/src/os.h, from PENDING_BYTE on).
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0x4000_0000
    lock.l_len = 512
    while fcntl(file, F_SETLKW, &lock) != 0 {
      guard errno == EINTR else { throw StoreFault.held }
    }
    try body()
  }

  /// The fault that the last error of the system means.
  private var fault: StoreFault {
    switch errno {
    case EACCES, EPERM, EROFS: .readOnly
    case ENOSPC, EDQUOT: .full
    default: .damaged
    }
  }

  /// Returns an unused path next to the file, with the date and the time.
  private func freePlace() -> String {
    var (now, parts) = (time(nil), tm())
    localtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let length = strftime(&text, text.count, "%Y%m%d-%H%M%S", &parts)
    let place = "\(path).damaged-" + String(decoding: text.prefix(length).lazy.map(UInt8.init), as: UTF8.self)
    var number = 1
    func name() -> String { number == 1 ? place : "\(place)-\(number)" }
    while ["", "-journal"].contains(where: { access(name() + $0, F_OK) == 0 }) { number += 1 }
    return name()
  }
}

/// A lock on the folder of a file, which the copies of the program share. Without support by the file system, it does
/// nothing.
struct FolderLock {
  private let descriptor: Int32

  /// Waits for the lock.
  ///
  /// - Parameter isShared: Whether other shared locks may exist at the same time.
  init(of path: String, isShared: Bool) {
    descriptor = open(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]), O_RDONLY | O_CLOEXEC)
    while flock(descriptor, isShared ? LOCK_SH : LOCK_EX) != 0, errno == EINTR {}
  }

  func unlock() { close(descriptor) }
}

/// The identity of the file that is at a path at the moment.
struct FileIdentity: Hashable {
  private let device: dev_t
  private let number: ino_t

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    number = status.st_ino
  }
}
