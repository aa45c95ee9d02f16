import CZlib

/// The error that ends the reading of a source before its end.
public struct ReadingFailure: Error {
  /// The reason as a clause, such as "the packed data is damaged; pack it anew".
  public let reason: String

  /// Creates an error.
  public init(reason: String) { self.reason = reason }
}

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
  public init() throws(ReadingFailure) {
    stream.initialize(to: z_stream())
    let status = inflateInit2_(stream, 16 + MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw ReadingFailure(reason: "there is no memory to unpack it") }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    piece.deallocate()
  }

  /// Decompresses `input` and passes the result to `body`, piece by piece.
  public func inflate(
    _ input: UnsafeMutableRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(ReadingFailure) {
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(input.count)
    var isFull = false
    while stream.pointee.avail_in > 0 || isFull {
      if isAtEnd {
        // If no other member follows, the remaining bytes are padding, such as that of a tape.
        guard stream.pointee.next_in.pointee == Self.mark[0] else { return }
        inflateReset(stream)
        isAtEnd = false
      }
      isFull = try inflatePiece(body)
    }
  }

  /// Decompresses one piece. Returns whether the piece is full, so that more output may follow.
  private func inflatePiece(_ body: (UnsafeRawBufferPointer) -> Void) throws(ReadingFailure) -> Bool {
    stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(piece.count)
    let status = CZlib.inflate(stream, Z_NO_FLUSH)
    body(UnsafeRawBufferPointer(rebasing: piece[..<(piece.count - Int(stream.pointee.avail_out))]))
    guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
      throw ReadingFailure(reason: "the packed data is damaged; pack it anew")
    }
    isAtEnd = status == Z_STREAM_END
    return stream.pointee.avail_out == 0 && !isAtEnd
  }

  /// Checks that the compressed data was complete, and throws if it was not.
  public func finish() throws(ReadingFailure) {
    if !isAtEnd { throw ReadingFailure(reason: "the packed data ends too soon; fetch it anew") }
  }
}
