import CZlib
import Gallery

/// A decompressor for gzip (RFC 1952). Its output comes in pieces of limited size, so it needs little memory.
public final class Inflater {
  /// The signature at the start of a gzip member.
  public static let mark: [UInt8] = [0x1F, 0x8B]
  private static let pieceSize = 1 << 18

  /// The state of zlib. zlib keeps its address, so it must not move.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
  /// Whether the last gzip member is complete. A file may have several members.
  private var isAtEnd = false

  /// Creates a decompressor.
  public init() throws(ReadingFault) {
    stream.initialize(to: z_stream())
    let status = inflateInit2_(stream, 16 + MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .noMemory }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    piece.deallocate()
  }

  /// Decompresses `input` and passes the result to `body`, piece by piece.
  public func inflate(
    _ input: UnsafeMutableRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(ReadingFault) {
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(input.count)
    var isFull = false
    while stream.pointee.avail_in > 0 || isFull {
      if isAtEnd {
        // If no other member follows, the rest is padding, as on tapes. It is ignored.
        guard stream.pointee.next_in.pointee == Self.mark[0] else { return }
        inflateReset(stream)
        isAtEnd = false
      }
      isFull = try inflatePiece(body)
    }
  }

  /// Decompresses one piece. Returns whether the piece is full, so that more output may follow.
  private func inflatePiece(_ body: (UnsafeRawBufferPointer) -> Void) throws(ReadingFault) -> Bool {
    stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(piece.count)
    let status = CZlib.inflate(stream, Z_NO_FLUSH)
    body(UnsafeRawBufferPointer(rebasing: piece[..<(piece.count - Int(stream.pointee.avail_out))]))
    guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
      throw .damaged
    }
    isAtEnd = status == Z_STREAM_END
    return stream.pointee.avail_out == 0 && !isAtEnd
  }

  /// Checks that the compressed data was complete, and throws if it was not.
  public func finish() throws(ReadingFault) {
    if !isAtEnd { throw .incomplete }
  }
}
