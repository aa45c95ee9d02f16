import CSystem
import Foundation
import Gallery

/// A new file while an export writes it. It gets its name when it is complete and on the disk, and never replaces another file.
///
/// Until then it has no name, so it is gone if the program is killed. On file systems that know no files without names, such as
/// FAT, it is hidden, and is left then.
public final class ExportDestination: Sendable {
  /// The path by which a worker opens the file.
  public let path: FilePath
  private let folder: FilePath
  private let descriptor: Int32
  private let isNameless: Bool

  /// Creates a file in a folder.
  ///
  /// - Parameter isNameless: Whether the file has no name until it is complete, if the file system allows that.
  public init(in folder: FilePath, isNameless: Bool = true) throws(ImageFault) {
    self.folder = folder
    let nameless = isNameless ? folder.withCString { create_nameless_file($0, 0o666) } : -1
    self.isNameless = nameless >= 0
    if nameless >= 0 {
      descriptor = nameless
      path = FilePath("/proc/\(getpid())/fd/\(nameless)")
    } else {
      path = folder.appending(".tintype-\(UInt64.random(in: .min ... .max)).tmp".utf8)
      descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    }
    if descriptor < 0 { throw Self.fault }
  }

  deinit { close(descriptor) }

  /// Flushes the file to the disk and names it.
  ///
  /// - Parameter target: A path in the folder. If another file is there and `isNumbering`, the name gets a number.
  /// - Returns: The path of the file, or nil if the name is taken.
  @concurrent
  public func finish(as target: FilePath, isNumbering: Bool) async throws(ImageFault) -> FilePath? {
    guard fsync(descriptor) == 0 else { throw Self.fault }
    for number in 1...Self.mostNumbers {
      let target = target.numbered(number)
      if target.withCString(name) == 0 {
        AtomicFile.syncNames(in: folder)
        return target
      }
      guard errno == EEXIST else { throw Self.fault }
      if !isNumbering { return nil }
    }
    throw Self.fault
  }

  private static let mostNumbers = 9999

  private func name(_ target: UnsafePointer<CChar>) -> Int32 {
    isNameless ? name_file(descriptor, target) : path.withCString { move_without_replacing($0, target) }
  }

  /// Appends bytes to the file.
  @concurrent
  public func append(_ bytes: [UInt8]) async throws(ImageFault) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.fault }
      rest = rest.dropFirst(count)
    }
  }

  /// Returns the bytes that are in the file so far.
  @concurrent
  func contents() async throws(ImageFault) -> [UInt8] {
    let bytes = path.head(.max)
    if bytes.isEmpty { throw Self.fault }
    return bytes
  }

  /// Removes the file, unless it has got its name.
  public func discard() {
    if !isNameless { path.withCString { _ = unlink($0) } }
  }

  private static var fault: ImageFault { .notExported(.unwritable(reason: String(cString: strerror(errno)))) }
}
