import Gallery

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A sidecar as it was read from the disk.
struct SidecarFile {
  /// The largest sidecar that is read, in bytes.
  static let largestSize = 16 << 20

  /// The path, without symbolic links.
  let path: FilePath
  let content: [UInt8]
  private let version: Version?

  /// The properties of a file that change when a program writes it.
  private struct Version: Equatable {
    private let device, inode, size, seconds, nanoseconds, changeSeconds, changeNanoseconds: Int

    init(_ status: stat) {
      device = Int(status.st_dev)
      inode = Int(status.st_ino)
      size = Int(status.st_size)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
      // Some programs set the time of the last modification back.
      changeSeconds = status.st_ctim.tv_sec
      changeNanoseconds = status.st_ctim.tv_nsec
    }
  }

  /// Creates a sidecar that does not exist yet.
  init(missing path: FilePath) {
    self.path = path
    content = []
    version = nil
  }

  /// Reads a sidecar.
  init(_ link: FilePath) throws(SidecarFault) {
    guard let path = link.resolved else { throw SidecarFault(reading: errno) }
    // A pipe would wait for a writer.
    let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else { throw SidecarFault(reading: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SidecarFault(reading: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    guard status.st_size <= Self.largestSize else { throw .tooLarge }
    self.path = path
    version = Version(status)
    content = try Self.readAll(descriptor)
  }

  private static func readAll(_ descriptor: Int32) throws(SidecarFault) -> [UInt8] {
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SidecarFault(reading: errno) }
      if count == 0 { return content }
      content += buffer[..<count]
      guard content.count <= Self.largestSize else { throw .tooLarge }
    }
  }

  /// Whether no program has written, created or deleted the file since it was read.
  var isCurrent: Bool {
    var status = stat()
    let isThere = path.withCString { lstat($0, &status) } == 0
    return isThere ? version == Version(status) : version == nil && errno == ENOENT
  }

  /// Replaces the file, or deletes it if `content` is nil.
  ///
  /// - Returns: Whether the file was replaced. It was not if it is no longer current.
  func replace(with content: [UInt8]?, _ system: SidecarSystem) throws(SidecarFault) -> Bool {
    if version != nil, path.withCString({ access($0, W_OK) }) != 0 {
      throw SidecarFault(writing: errno, stage: .replace)
    }
    func mayReplace() -> Bool {
      system.willReplace()
      return isCurrent
    }
    do {
      if let content { return try AtomicFile.replace(path, sync: system.sync, if: mayReplace) { try $0(content) } }
    } catch let failure as AtomicFile.Failure {
      throw SidecarFault(failure)
    } catch {
      // The closure throws nothing else.
      return false
    }
    guard mayReplace() else { return false }
    guard path.withCString({ unlink($0) }) == 0 else { throw SidecarFault(writing: errno, stage: .replace) }
    AtomicFile.syncNames(in: path.folder, system.sync)
    return true
  }
}

/// The functions of the system that sidecars need. Tests use substitutes.
struct SidecarSystem: Sendable {
  /// Returns the seconds since 1970-01-01 00:00:00 UTC.
  var now: @Sendable () -> time_t = { time(nil) }
  /// Flushes a file to the disk.
  var sync: @Sendable (Int32) -> Int32 = { fsync($0) }
  /// Is called right before a file is replaced.
  var willReplace: @Sendable () -> Void = {}

  /// The time now in the local time zone (ISO 8601; XMP Specification, part 1, "Date"): `2026-11-23T17:20:05+01:00`.
  var date: String {
    var (now, parts) = (now(), tm())
    localtime_r(&now, &parts)
    func digits(_ value: Int, _ count: Int = 2) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let offset = abs(parts.tm_gmtoff) / 60
    return "\(digits(Int(parts.tm_year) + 1900, 4))-\(digits(Int(parts.tm_mon) + 1))-\(digits(Int(parts.tm_mday)))"
      + "T\(digits(Int(parts.tm_hour))):\(digits(Int(parts.tm_min))):\(digits(Int(parts.tm_sec)))"
      + "\(parts.tm_gmtoff < 0 ? "-" : "+")\(digits(offset / 60)):\(digits(offset % 60))"
  }
}
