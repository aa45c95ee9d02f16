import FoundationEssentials
import Gallery
import Services

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The original file of a photo on a server, in a hidden file beside a new one. It is deleted with this object.
///
/// The name is the same at each attempt, so nothing is left of one that was interrupted.
package final class DownloadedFile: Sendable {
  /// A reason why there is no such file.
  package enum Fault: Error {
    /// The file could not be written.
    case unwritable(reason: String)
    /// The server did not send it.
    case server(PhotoServerFault)
  }

  /// The path of the file.
  package let path: FilePath
  /// The open file, which can be written.
  let descriptor: Int32

  /// Downloads the original of a photo.
  /// - Parameter target: The path of the new file that is made of the original.
  package init(
    of photo: ImageLocation, from server: any PhotoServerProtocol, for target: FilePath
  ) async throws(Fault) {
    path = FileCopy.temporary(for: target)
    _ = path.withCString { unlink($0) }
    do throws(SystemError) { descriptor = try FileCopy.create(path, permissions: 0o666) } catch {
      throw .unwritable(reason: error.reason)
    }
    do throws(PhotoServerFault) { try await server.download(photo, to: descriptor) } catch { throw .server(error) }
  }

  deinit {
    _ = path.withCString { unlink($0) }
    close(descriptor)
  }
}

extension DownloadedFile.Fault {
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
