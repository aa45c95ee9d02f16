import Foundation
import Gallery

/// A folder of files that can be fetched again, which only the user can read.
///
/// Each file is written under a temporary name and then renamed, so every reader finds the whole file or none. Several
/// copies of the program share the folder without a lock.
public struct CacheFolder: Sendable {
  private let folder: String
  private let budget: Int
  private let sync: @Sendable (Int32) -> Int32

  /// The age in seconds from which a temporary file counts as left behind by a program that was killed.
  private static let longestWriting = 86_400

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - folder: An absolute path. The folder is created when it is needed.
  ///   - budget: The largest size of all files together, in bytes.
  ///   - isLasting: Whether a file is kept only once its bytes are on the disk, for which the caller waits some milliseconds. If it is
  ///     not, the file may be empty after a crash of the system.
  public init(_ folder: String, budget: Int, isLasting: Bool = true) {
    self.init(folder, budget: budget, sync: { isLasting ? fsync($0) : 0 })
  }

  /// - Parameter sync: `fsync(2)`, or a replacement for a test.
  init(_ folder: String, budget: Int, sync: @escaping @Sendable (Int32) -> Int32) {
    self.folder = folder
    self.budget = budget
    self.sync = sync
  }

  /// Returns the path of the file of this name.
  public func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// Returns the status of the file of this name, or nil if there is none.
  public func status(_ name: String) -> stat? {
    var status = stat()
    return stat(path(name), &status) == 0 ? status : nil
  }

  /// Marks a file as just used.
  public func touch(_ name: String) { utimensat(AT_FDCWD, path(name), nil, 0) }

  /// Creates a temporary file in the folder.
  public func makeFile() throws(WriteFault) -> TemporaryFile { try TemporaryFile(in: folder, sync: sync) }

  /// Writes a file of this name.
  public func write(_ data: Data, as name: String) throws(WriteFault) {
    let file = try makeFile()
    do {
      try FileHandle(fileDescriptor: file.descriptor).write(contentsOf: data)
    } catch {
      throw .noRoom(folder: folder)
    }
    try file.keep(as: name)
  }

  /// Returns the bytes that are left of the budget. Files that are being written do not count.
  public func countRoom() -> Int {
    budget - files().reduce(0) { $0 + ($1.name.hasPrefix(".") ? 0 : Int($1.status.st_size)) }
  }

  /// Returns the files of the folder, also those that are being written.
  private func files() -> [(name: String, status: stat)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { name in status(name).map { (name, $0) } }
  }

  /// Removes the least recently used files if the budget is exceeded, until a tenth of it is free.
  ///
  /// - Parameter newest: The name of a file that stays.
  public func makeRoom(keeping newest: String) {
    var files = files()
    let now = Int(Date.now.timeIntervalSince1970)
    for (name, status) in files where name.hasPrefix(".") && now - status.st_mtim.tv_sec > Self.longestWriting {
      unlink(path(name))
    }
    files.removeAll { $0.0.hasPrefix(".") }
    var total = files.reduce(0) { $0 + Int($1.1.st_size) }
    guard total > budget else { return }
    for (name, status) in files.sorted(by: { $0.1.isOlder(than: $1.1) }) where name != newest {
      guard total > budget / 10 * 9 else { return }
      unlink(path(name))
      total -= Int(status.st_size)
    }
  }

  /// A file under a temporary name, which is removed with this object unless it is kept.
  public final class TemporaryFile: Sendable {
    /// The temporary path.
    public let path: String
    /// The descriptor of the file, which is open for reading and writing.
    public let descriptor: Int32
    private let folder: String
    private let sync: @Sendable (Int32) -> Int32

    fileprivate init(in folder: String, sync: @escaping @Sendable (Int32) -> Int32) throws(WriteFault) {
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      self.folder = folder
      self.sync = sync
      path = "\(folder)/.\(UUID().uuidString)"
      descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor < 0 { throw .noFile(folder: folder, reason: String(cString: strerror(errno))) }
    }

    deinit {
      close(descriptor)
      unlink(path)
    }

    /// Renames the file, once its bytes are on the disk.
    public func keep(as name: String) throws(WriteFault) {
      guard sync(descriptor) == 0, rename(path, "\(folder)/\(name)") == 0 else {
        throw .system(reason: String(cString: strerror(errno)))
      }
    }
  }
}

extension stat {
  fileprivate func isOlder(than other: stat) -> Bool {
    (st_mtim.tv_sec, st_mtim.tv_nsec) < (other.st_mtim.tv_sec, other.st_mtim.tv_nsec)
  }
}
