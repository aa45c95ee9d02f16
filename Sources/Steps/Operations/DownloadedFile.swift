import CSystem
import FoundationEssentials
import Gallery
import Services

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The original file of a photo on a server, before it gets a name or after a new file is made of it.
///
/// The file has no name, so nothing is left of it when this object is released, or when the program is killed. On file systems that know
/// no files without names, such as FAT, it is hidden, and is left in the second case.
package final class DownloadedFile: Sendable {
  /// A reason why there is no such file.
  package enum Fault: Error {
    /// The file could not be written.
    case unwritable(reason: String)
    /// The server did not send it.
    case server(PhotoServerFault)
  }

  /// The number of files that are best downloaded at once. They share the line.
  package static let atOnce = 4

  /// The path by which the file can be read.
  package let path: FilePath
  private let descriptor: Int32
  private let isNameless: Bool

  /// Downloads the original of a photo.
  /// - Parameter target: The path of the new file. Its folder need not be there: until then, the file is in the nearest one that is.
  package init(
    of photo: ImageLocation, from server: any PhotoServerProtocol, for target: FilePath
  ) async throws(Fault) {
    let folder = target.folder.nearest
    let nameless = folder.withCString { create_nameless_file($0, 0o666) }
    isNameless = nameless >= 0
    if nameless >= 0 {
      descriptor = nameless
      path = FilePath("/proc/\(getpid())/fd/\(nameless)")
    } else {
      path = folder.appending(".tintype-\(UInt64.random(in: .min ... .max)).tmp".utf8)
      do throws(SystemError) { descriptor = try FileCopy.create(path, permissions: 0o666) } catch {
        throw .unwritable(reason: error.reason)
      }
    }
    do throws(PhotoServerFault) { try await server.download(photo, to: descriptor) } catch { throw .server(error) }
  }

  deinit {
    if !isNameless { _ = path.withCString { unlink($0) } }
    close(descriptor)
  }

  /// Flushes the file to the disk and names it. No file is replaced.
  ///
  /// - Parameter time: The time that the file gets as its last change, in seconds since 1970.
  /// - Returns: Whether the name was free.
  func finish(as target: FilePath, changedAt time: Double) throws(Fault) -> Bool {
    let time = timespec(tv_sec: Int(time), tv_nsec: 0)
    _ = futimens(descriptor, [time, time])
    guard fsync(descriptor) == 0 else { throw .unwritable(reason: SystemError(errno).reason) }
    let result = target.withCString { target in
      isNameless ? name_file(descriptor, target) : path.withCString { move_without_replacing($0, target) }
    }
    if result == 0 { return true }
    if errno == EEXIST { return false }
    throw .unwritable(reason: SystemError(errno).reason)
  }
}

extension DownloadedFile.Fault {
  /// Whether the server can't be reached, so that other photos of it can't be downloaded either.
  package var isOutage: Bool { if case .server(.outage) = self { true } else { false } }

  /// Returns the fault as a sentence.
  /// - Parameter target: The path of the new file.
  package func message(for target: FilePath) -> String {
    switch self {
    case .unwritable(let reason): localized("\(target.printable) can't be written (\(reason.printable)).")
    case .server(.missing), .server(.conflict): localized("The server no longer has the photo.")
    case .server(.outage(let error)), .server(.refused(let error)): error.message
    }
  }

  /// Returns the fault of the operation that needs the file.
  ///
  /// - Parameters:
  ///   - target: The path of the new file.
  ///   - impossible: Makes a fault of a sentence, for an operation that is given up.
  ///   - later: Makes the fault of an operation that waits for the server.
  func fault(
    for target: FilePath, _ impossible: (String) -> StepFault, later: (APIError) -> StepFault
  ) -> OperationFault {
    switch self {
    case .server(.missing), .server(.conflict): .missing
    case .server(.outage(let error)): .failed(later(error))
    case .unwritable, .server(.refused): .impossible(impossible(message(for: target)))
    }
  }
}
