import Foundation
import Gallery
import Synchronization
import Torture

/// Disks of which one after the other gets into trouble.
///
/// - `base` has the photos, and `base/disk` is the mount point of another disk.
/// - `state` is the disk of the journal.
final class HostileDisks: Sendable {
  /// What may happen to a disk or a folder.
  enum Trouble: CaseIterable {
    case fullBase, fullDisk, fullState, readOnlyBase, readOnlyDisk, readOnlyFolder, link, unmount

    /// Whether the user would see other files at the same paths. What is requested there is not what is tested.
    var hidesPhotos: Bool { self == .link || self == .unmount }
  }

  let root: FilePath
  var base: FilePath { root.appending("base".utf8) }
  var state: FilePath { root.appending("state".utf8) }
  var disk: FilePath { base.appending("disk".utf8) }
  /// The same disks where they are always seen: the base with what is below the mount point, and the disk.
  var bases: (bare: FilePath, disk: FilePath) { (root.appending("bare".utf8), root.appending("lost".utf8)) }
  var elsewhere: FilePath { base.appending("elsewhere".utf8) }

  /// A trouble, and the folder that it concerns.
  private struct Strike {
    let trouble: Trouble
    let folder: FilePath
  }

  private let strike = Mutex<Strike?>(nil)

  init(root: FilePath) throws {
    self.root = root
    for folder in [root, base, state, bases.bare, bases.disk] {
      try FileManager.default.createDirectory(atPath: folder.printable, withIntermediateDirectories: true)
    }
    for folder in [base, bases.disk, state] { try Self.mount("none", folder, "tmpfs", data: "size=1m") }
    try Self.mount(base.printable, bases.bare, flags: MS_BIND)
    mkdir(disk.printable, 0o755)
    try Self.mount(bases.disk.printable, disk, flags: MS_BIND)
  }

  func remove() {
    end()
    for folder in [disk, bases.disk, bases.bare, state, base] { umount2(folder.printable, Int32(MNT_DETACH)) }
    try? FileManager.default.removeItem(atPath: root.printable)
  }

  private struct MountError: Error { let number = errno }

  private static func mount(
    _ source: String, _ folder: FilePath, _ type: String = "none", flags: Int = 0, data: String = ""
  ) throws {
    if Glibc.mount(source, folder.printable, type, UInt(flags), data) != 0 { throw MountError() }
  }

  /// Begins a trouble. Returns whether it has; a disk whose files are being written can't become read-only.
  /// - Parameters:
  ///   - folder: The folder that becomes read-only, or a link to another one.
  ///   - room: The number of bytes that are left on a full disk.
  func begin(_ trouble: Trouble, in folder: FilePath, room: Int) -> Bool {
    strike.withLock { strike in
      guard strike == nil, isPossible(trouble, in: folder, room) else { return false }
      strike = Strike(trouble: trouble, folder: folder)
      return true
    }
  }

  private func isPossible(_ trouble: Trouble, in folder: FilePath, _ room: Int) -> Bool {
    switch trouble {
    case .fullBase: fill(base, room)
    case .fullDisk: fill(bases.disk, room)
    case .fullState: fill(state, room)
    case .readOnlyBase: setReadOnly(base, true)
    case .readOnlyDisk: setReadOnly(bases.disk, true)
    case .readOnlyFolder: chmod(folder.printable, 0o555) == 0
    case .link:
      folder.isFolder && rename(folder.printable, folder.printable + ".aside") == 0
        && symlink(elsewhere.printable, folder.printable) == 0
    case .unmount: umount2(disk.printable, Int32(MNT_DETACH)) == 0
    }
  }

  /// Ends the trouble.
  func end() {
    guard let strike = strike.withLock({ $0.take() }) else { return }
    let folder = strike.folder.printable
    switch strike.trouble {
    case .fullBase, .fullDisk, .fullState: for folder in [base, bases.disk, state] { unlink(filling(folder)) }
    case .readOnlyBase: _ = setReadOnly(base, false)
    case .readOnlyDisk: _ = setReadOnly(bases.disk, false)
    case .readOnlyFolder: chmod(folder, 0o755)
    case .link:
      unlink(folder)
      rename(folder + ".aside", folder)
    case .unmount: try? Self.mount(bases.disk.printable, disk, flags: MS_BIND)
    }
  }

  private func filling(_ folder: FilePath) -> String { folder.printable + "/filling" }

  private func fill(_ folder: FilePath, _ room: Int) -> Bool {
    let file = open(filling(folder), O_WRONLY | O_CREAT, 0o600)
    defer { close(file) }
    let bytes = [UInt8](repeating: 0, count: 4096)
    while write(file, bytes, bytes.count) > 0 {}
    return ftruncate(file, max(0, lseek(file, 0, SEEK_CUR) - room)) == 0
  }

  private func setReadOnly(_ folder: FilePath, _ isReadOnly: Bool) -> Bool {
    Glibc.mount("none", folder.printable, "tmpfs", UInt(MS_REMOUNT | (isReadOnly ? MS_RDONLY : 0)), "size=1m") == 0
  }
}
