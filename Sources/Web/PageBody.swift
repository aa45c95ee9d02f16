import Foundation
import Store

/// The bytes of a page, stored in a file so that a server cannot decide how much memory they take.
final class PageBody: Sendable {
  private let descriptor: Int32
  private let start: Int
  /// The size in bytes.
  let size: Int

  private static let pieceSize = 1 << 16

  /// Creates the body from an open file.
  /// - Parameters:
  ///   - descriptor: The file that contains the page. The descriptor is duplicated.
  ///   - start: The offset of the page, which extends to the end of the file.
  init(descriptor: Int32, start: Int = 0) {
    self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    self.start = start
    var status = stat()
    size = fstat(self.descriptor, &status) == 0 ? max(0, Int(status.st_size) - start) : 0
  }

  deinit { close(descriptor) }

  /// Returns the first bytes, or fewer if the page is shorter.
  func prefix(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      read = max(0, pread(descriptor, buffer.baseAddress, count, off_t(start)))
    }
  }

  /// Calls `body` with each piece of the page until it returns false.
  func forEachPiece<Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Bool
  ) throws(Failure) {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
    defer { piece.deallocate() }
    var offset = 0
    while offset < size {
      let count = pread(descriptor, piece.baseAddress, min(piece.count, size - offset), off_t(start + offset))
      guard count > 0, try body(UnsafeMutableRawBufferPointer(rebasing: piece[..<count])) else { return }
      offset += count
    }
  }

  /// Returns the SHA-256 of the page in hexadecimal.
  func digest() -> String {
    var hash = SHA256()
    forEachPiece { piece in
      hash.update([UInt8](piece))
      return true
    }
    return hash.finish()
  }
}
