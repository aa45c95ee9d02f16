import Foundation

/// A database that is damaged, to be moved out of the way.
///
/// A file of SQLite's is not to be renamed while somebody has it open, who would take the new file's journal for its own
/// (https://sqlite.org/howtocorrupt.html, "Unlinking or renaming a database file while in use"): so a file is opened under
/// a ``FolderLock``, and looked after before each use (``FileIdentity``).
struct DamagedFile {
  let path: String

  /// Gives it a name that nothing has yet.
  ///
  /// - Returns: The new path.
  func setAside() throws -> String {
    let place = freePlace()
    try whileNobodyUsesIt {
      // Without the journal first, SQLite would take that for the new file's.
      for suffix in ["-journal", ""] where rename(path + suffix, place + suffix) != 0 && errno != ENOENT { throw fault }
    }
    return place
  }

  func throwAway() throws {
    try whileNobodyUsesIt {
      for suffix in ["-journal", ""] where unlink(path + suffix) != 0 && errno != ENOENT { throw fault }
    }
  }

  private func whileNobodyUsesIt(_ body: () throws -> Void) throws {
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw fault }
    defer { close(file) }
    // All the bytes that SQLite locks (https://sqlite.org/src/file/src/os.h, PENDING_BYTE and those behind it).
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    (lock.l_start, lock.l_len) = (0x4000_0000, 512)
    while fcntl(file, F_SETLKW, &lock) != 0 {
      guard errno == EINTR else { throw StoreFault.held }
    }
    try body()
  }

  /// What the system last complained of.
  private var fault: StoreFault {
    switch errno {
    case EACCES, EPERM, EROFS: .readOnly
    case ENOSPC, EDQUOT: .full
    default: .damaged
    }
  }

  /// Beside the file, with the date and time.
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

/// A lock on the folder of a file, between the copies of the program. Where the file system has no locks, there is none.
struct FolderLock {
  private let descriptor: Int32

  /// Waits until nobody has it who excludes this.
  ///
  /// - Parameter isShared: Whether others who share it may have it at the same time.
  init(of path: String, isShared: Bool) {
    descriptor = open(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]), O_RDONLY | O_CLOEXEC)
    while flock(descriptor, isShared ? LOCK_SH : LOCK_EX) != 0, errno == EINTR {}
  }

  func unlock() { close(descriptor) }
}

/// Which file a path names at the moment.
struct FileIdentity: Hashable {
  private let device: dev_t
  private let number: ino_t

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }
}
