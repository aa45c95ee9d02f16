/// Reads big-endian numbers and texts from bytes in memory, one after another.
struct ByteReader {
  /// The bytes that have not been read yet.
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Reads a number of `count` bytes. Returns nil, and reads nothing, if fewer are left.
  mutating func number(_ count: Int) -> Int? { bytes(count)?.number(.bigEndian) }

  /// Reads `count` bytes. Returns nil, and reads nothing, if fewer are left.
  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Reads the bytes before the next zero byte, and that byte. Returns nil, and reads nothing, if there is none.
  mutating func bytesBeforeZero() -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: 0) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return rest[..<end]
  }

  /// Reads a text that ends with a zero byte.
  mutating func text() -> String? { bytesBeforeZero().map { String(decoding: $0, as: UTF8.self) } }

  /// Skips `count` bytes, or all that are left.
  mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }
}
