/// Bytes at numbered places: a file, or bytes in memory.
public protocol ByteSource {
  /// Returns `count` bytes from `offset` on, or fewer if the source ends before.
  func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8>
  /// Returns the number that is stored in `count` bytes at `offset`, or nil if the source ends before.
  func wholeNumber(at offset: Int, count: Int, _ order: ByteOrder) -> Int?
}

extension ByteSource {
  /// Returns the number that is stored in `count` bytes at `offset`, or 0 if the source ends before.
  public func number(at offset: Int, count: Int, _ order: ByteOrder) -> Int {
    wholeNumber(at: offset, count: count, order) ?? 0
  }

  /// Returns the four ASCII characters by which PNG, RIFF, and ISO BMFF name their parts, or fewer if the source ends
  /// before.
  func typeName(at offset: Int) -> String { String(decoding: bytes(at: offset, count: 4), as: UTF8.self) }
}

extension ImageFile: ByteSource {}

/// Bytes in memory, such as a profile that was compressed in its file.
struct UnpackedBytes: ByteSource {
  let content: [UInt8]

  func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
    guard offset >= 0, offset < content.count, count > 0 else { return [] }
    // The indices of the result start at 0, as those of bytes from a file do.
    return Array(content[offset..<min(content.count, offset + min(count, content.count))])[...]
  }

  func wholeNumber(at offset: Int, count: Int, _ order: ByteOrder) -> Int? {
    let bytes = bytes(at: offset, count: count)
    return bytes.count == count ? bytes.number(order) : nil
  }
}
