import Foundation
import Store

/// The bytes of a page, which lie in a file: how much memory they take is not for a server to say.
final class PageBody: Sendable {
  private let descriptor: Int32
  private let start: Int
  /// In bytes.
  let size: Int

  private static let pieceSize = 1 << 16

  /// - Parameters:
  ///   - descriptor: Of an open file, which has the page from `start` to its end; duplicated.
  init(descriptor: Int32, start: Int = 0) {
    self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    self.start = start
    var status = stat()
    size = fstat(self.descriptor, &status) == 0 ? max(0, Int(status.st_size) - start) : 0
  }

  deinit { close(descriptor) }

  /// Its first bytes; fewer where it is shorter.
  func prefix(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      read = max(0, pread(descriptor, buffer.baseAddress, count, off_t(start)))
    }
  }

  /// Hands all of it to `body`, piece by piece, as long as that returns true.
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

  /// SHA-256, in hexadecimal.
  func digest() -> String {
    var hash = SHA256()
    forEachPiece { piece in
      hash.update([UInt8](piece))
      return true
    }
    return hash.finish()
  }
}
