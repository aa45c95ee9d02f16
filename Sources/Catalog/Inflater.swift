import CZlib

/// The reason why the bytes of a source end too soon.
public struct ReadingFailure: Error {
  public let reason: String

  public init(reason: String) { self.reason = reason }
}

/// Unpacks gzip (RFC 1952) in pieces of constant size.
public final class Inflater {
  /// The first bytes of a gzip member.
  public static let mark: [UInt8] = [0x1F, 0x8B]
  private static let pieceSize = 1 << 18

  /// Of a fixed address, which zlib remembers.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
  /// Between the members, of which a file may have several, and behind the last.
  private var isAtEnd = false

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

  /// Unpacks `input` and passes the result to `body`, piece by piece.
  public func inflate(
    _ input: UnsafeMutableRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(ReadingFailure) {
    stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(input.count)
    var isFull = false
    while stream.pointee.avail_in > 0 || isFull {
      if isAtEnd {
        // Padding, as tapes have it.
        guard stream.pointee.next_in.pointee == Self.mark[0] else { return }
        inflateReset(stream)
        isAtEnd = false
      }
      isFull = try inflatePiece(body)
    }
  }

  /// Whether the piece came out full, so that there may be more.
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

  /// Throws if the packed data is not complete.
  public func finish() throws(ReadingFailure) {
    if !isAtEnd { throw ReadingFailure(reason: "the packed data ends too soon; fetch it anew") }
  }
}
