import Foundation
import GRDB

/// A database that is damaged, which the person may still want to see to.
struct DamagedFile {
  let path: String

  /// Renames it, so that a new one can be begun. Nothing is ever overwritten or deleted.
  ///
  /// - Returns: Its new path.
  func setAside() throws -> String {
    let place = freePlace()
    try whileNobodyWrites {
      // Without the journal first, SQLite would take that for the new file's.
      for suffix in ["-journal", ""] where rename(path + suffix, place + suffix) != 0 && errno != ENOENT {
        throw StoreFault.damaged
      }
    }
    return place
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

  /// Holds SQLite's lock meanwhile. Where that cannot even read the file's first page, nobody can write to it.
  private func whileNobodyWrites(_ body: () throws -> Void) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return try body() }
    try queue.inDatabase { db in
      do {
        try db.beginTransaction(.exclusive)
      } catch let error as DatabaseError where error.resultCode != .SQLITE_BUSY {
        return try body()
      }
      defer { try? db.rollback() }
      try body()
    }
  }
}

/// A lock on the folder of a file, between the copies of the program. Where the file system has no locks, there is none.
struct FolderLock {
  private let descriptor: Int32

  /// Waits until nobody else has it.
  init(of path: String) {
    descriptor = open(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]), O_RDONLY | O_CLOEXEC)
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  func unlock() { close(descriptor) }
}
