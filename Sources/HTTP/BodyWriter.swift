import Foundation
import Gallery

/// The destination of a body. Each try writes from the offset at which the first one did.
///
/// The class is unchecked because the compiler cannot see that only the current transfer uses it.
final class BodyWriter: @unchecked Sendable {
  private let descriptor: Int32?
  private let start: off_t
  /// The number of bytes that have arrived.
  private(set) var size = 0
  private var bytes: [UInt8] = []
  /// Called once, when the first ``HTTPRequest/startSize`` bytes are there.
  private var onStart: (@Sendable () -> Void)?

  init(_ destination: HTTPRequest.Destination, onStart: (@Sendable () -> Void)? = nil) {
    self.onStart = onStart
    if case .file(let descriptor) = destination {
      self.descriptor = descriptor
      start = lseek(descriptor, 0, SEEK_CUR)
    } else {
      descriptor = nil
      start = 0
    }
  }

  /// Discards what has arrived.
  func rewind() throws(HTTPError) {
    size = 0
    bytes = []
    guard let descriptor else { return }
    guard start >= 0, lseek(descriptor, start, SEEK_SET) == start, ftruncate(descriptor, start) == 0 else {
      throw .unwritable(.system(reason: String(cString: strerror(errno))))
    }
  }

  func append(_ chunk: UnsafeRawBufferPointer) throws(HTTPError) {
    size += chunk.count
    defer {
      if size >= HTTPRequest.startSize {
        onStart?()
        onStart = nil
      }
    }
    guard let descriptor else { return bytes.append(contentsOf: chunk) }
    var rest = chunk[...]
    while !rest.isEmpty {
      let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .unwritable(.system(reason: String(cString: strerror(errno)))) }
      rest = rest.dropFirst(count)
    }
  }

  /// Removes and returns the bytes in memory.
  func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}
