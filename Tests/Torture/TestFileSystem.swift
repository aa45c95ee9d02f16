import Foundation

/// A file system in memory that a test can make full or read-only. Only root can create one.
public final class TestFileSystem {
  public static let canBeMade = TestFileSystem() != nil

  public let folder = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)").path

  /// - Parameter size: The size in KiB.
  public init?(size: Int = 128) {
    mkdir(folder, 0o700)
    guard mount("none", folder, "tmpfs", 0, "size=\(size)k") == 0 else {
      rmdir(folder)
      return nil
    }
  }

  deinit {
    umount2(folder, Int32(MNT_DETACH))
    rmdir(folder)
  }

  private var filling: String { folder + "/large" }

  public func fill() {
    let file = open(filling, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let bytes = [UInt8](repeating: 0, count: 4096)
    while write(file, bytes, bytes.count) > 0 {}
    close(file)
  }

  /// Removes the file that fills it.
  public func makeRoom() {
    // A process that another test forks meanwhile keeps an open file, and with it the room that the file takes.
    truncate(filling, 0)
    unlink(filling)
  }

  public func becomeReadOnly() -> Bool {
    // A process that another test forks keeps every file open until it executes its program.
    let deadline = ContinuousClock.now + .seconds(20)
    while mount("none", folder, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) != 0 {
      guard errno == EBUSY, ContinuousClock.now < deadline else { return false }
      sched_yield()
    }
    return true
  }
}
