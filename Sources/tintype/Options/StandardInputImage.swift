import Foundation
import Gallery
import Terminal
import WorkerPool

/// An image on the standard input, which is copied into memory. The image worker reads the copy as a file that has no name
/// in any folder, so it is gone with the process.
enum StandardInputImage {
  /// The reason why there is no image.
  enum Failure: Error, CustomStringConvertible {
    case empty
    case tooLarge
    case system(reason: String)

    /// The reason, and what the user can do about it. ArgumentParser prints it.
    var description: String {
      switch self {
      case .empty: "the standard input is empty. Redirect an image, or pipe one."
      case .tooLarge:
        "the standard input has more than \(StandardInputImage.mostBytes >> 20) MB. Save it, and name the file."
      case .system(let reason): "the standard input can't be read (\(reason)). Save it, and name the file."
      }
    }
  }

  /// The most bytes that are read.
  static let mostBytes = 256 << 20

  /// Returns arguments in which a file takes the place of `-`.
  static func replace(in arguments: [FileArgument]) async throws -> [FileArgument] {
    guard let index = arguments.firstIndex(where: \.isStandardInput) else { return arguments }
    var arguments = arguments
    let copy = try await Task(executorPreference: WorkerPool.shared) { try read() }.value
    arguments[index] = FileArgument(copy.bytes, name: "standard input")
    return arguments
  }

  private static func read() throws(Failure) -> FilePath {
    guard let copy = MemoryFile() else { throw systemFailure }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var total = 0
    while true {
      let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw systemFailure }
      if count == 0 { break }
      total += count
      guard total <= mostBytes else { throw .tooLarge }
      // Only a lack of memory makes such a file take less.
      guard write(copy.descriptor, buffer, count) == count else { throw systemFailure }
    }
    guard total > 0 else { throw .empty }
    return FilePath(copy.path)
  }

  private static var systemFailure: Failure { .system(reason: String(cString: strerror(errno))) }
}
