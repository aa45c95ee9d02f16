import CSystem
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
  private let isNew: Bool

  /// Creates a sidecar that does not exist yet.
  init(missing path: FilePath) {
    self.path = path
    content = []
    isNew = true
  }

  /// Reads a sidecar.
  init(_ link: FilePath) throws(SidecarFault) {
    guard let path = link.resolved else { throw SidecarFault(reading: errno) }
    // A pipe would wait for a writer.
    let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else { throw SidecarFault(reading: errno) }
    defer { close(descriptor) }
    AtomicFile.waitForWriters(descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SidecarFault(reading: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    guard status.st_size <= Self.largestSize else { throw .tooLarge }
    self.path = path
    isNew = false
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

  /// Returns whether a file has the content that was read, and no program is writing it.
  private func isCurrent(at path: FilePath) -> Bool {
    let descriptor = path.withCString { open($0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return is_being_written(descriptor) == 0 && (try? Self.readAll(descriptor)) == content
  }

  /// Replaces the file, or deletes it if `content` is nil. What other programs write in the same instant stays:
  ///
  /// - A version that takes the place of the file, or that was written before and closed, is put back, always.
  /// - A program that has the file open for writing is noticed if the file is the user's own. It is missed if it has looked up the
  ///   path before the file was replaced, and opens what it has found after the last look: microseconds later.
  /// - File systems that can't exchange files (NFS, CIFS, exFAT, some of FUSE) leave an instant between the last look and the change.
  ///
  /// - Returns: Whether the file was replaced. It was not if it is no longer current.
  func replace(with content: [UInt8]?, _ system: SidecarSystem) throws(SidecarFault) -> Bool {
    if !isNew, path.withCString({ access($0, W_OK) }) != 0 { throw SidecarFault(writing: errno, stage: .replace) }
    func mayBeReplaced(_ file: FilePath) -> Bool {
      let isCurrent = isCurrent(at: file)
      if file == path { system.hasLooked() }
      return isCurrent
    }
    do {
      guard let content else {
        system.willReplace()
        return try isNew || AtomicFile.delete(path, sync: system.sync, if: mayBeReplaced)
      }
      return try AtomicFile.replace(path, sync: system.sync, if: isNew ? .missing : .current(mayBeReplaced)) {
        try $0(content)
        system.willReplace()
      }
    } catch let failure as AtomicFile.Failure {
      throw SidecarFault(failure)
    } catch {
      // The closures throw nothing else.
      return false
    }
  }
}

/// The functions of the system that sidecars need. Tests use substitutes.
struct SidecarSystem: Sendable {
  /// Returns the seconds since 1970-01-01 00:00:00 UTC.
  var now: @Sendable () -> time_t = { time(nil) }
  /// Flushes a file to the disk.
  var sync: @Sendable (Int32) -> Int32 = { fsync($0) }
  /// Is called when the new content has been written, before the last look at the file that it is to replace.
  var willReplace: @Sendable () -> Void = {}
  /// Is called after that look, right before the file is replaced. Other copies of the program wait meanwhile.
  var hasLooked: @Sendable () -> Void = {}

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
