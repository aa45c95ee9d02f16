/// Bytes that metadata are read from: a file, or a part of one that was packed.
protocol ByteSource {
  /// Returns at most `count` bytes from `offset` on; fewer where the bytes end.
  func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8>
}

extension ImageFile: ByteSource {}

/// Bytes in memory.
struct UnpackedBytes: ByteSource {
  let content: [UInt8]

  func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
    guard offset >= 0, offset < content.count, count > 0 else { return [] }
    // Counted from 0, as those of a file.
    return Array(content[offset..<min(content.count, offset + min(count, content.count))])[...]
  }
}
