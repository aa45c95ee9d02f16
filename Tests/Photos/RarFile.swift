/// An archive of the version 5 of RAR whose entries are stored without compression.
///
/// See "RAR 5.0 archive format" of RARLAB. Debian has no free program that writes such archives.
public struct RarFile {
  /// The bytes of the file.
  public private(set) var bytes: [UInt8] = [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 0x01, 0x00]

  /// Creates a file of entries.
  public init(_ entries: [(name: String, contents: [UInt8])]) {
    // The main header: type 1, no flags, no flags of the archive.
    addBlock([1, 0, 0])
    for (name, contents) in entries {
      let name = Array(name.utf8)
      // Type 2 with data behind it. The file has a checksum, no attributes, and is stored as by a Unix system.
      var head: [UInt8] = [2, 2] + Self.number(contents.count) + Self.number(4) + Self.number(contents.count)
      head += Self.number(0o100644) + Self.fourBytes(CRC32.checksum(of: contents)) + Self.number(0) + Self.number(1)
      addBlock(head + Self.number(name.count) + name)
      bytes += contents
    }
    // The end: type 5, no flags, no volume behind this one.
    addBlock([5, 0, 0])
  }

  /// Adds a header behind its checksum and its size.
  private mutating func addBlock(_ head: [UInt8]) {
    let sized = Self.number(head.count) + head
    bytes += Self.fourBytes(CRC32.checksum(of: sized)) + sized
  }

  private static func fourBytes(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Returns a number in groups of seven bits, the lowest one first. All but the last group have the highest bit.
  private static func number(_ value: Int) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + number(value >> 7)
  }
}
