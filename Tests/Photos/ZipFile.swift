/// A ZIP file whose entries are stored as they are (PKWARE, APPNOTE.TXT, section 4.3).
public struct ZipFile {
  /// The bytes of the file.
  public private(set) var bytes: [UInt8] = []

  /// Creates a file of entries.
  /// - Parameter isEncrypted: Whether the entries claim to be encrypted.
  public init(_ entries: [(name: String, contents: [UInt8])], isEncrypted: Bool = false) {
    var directory: [UInt8] = []
    for (name, contents) in entries {
      let (name, offset) = (Array(name.utf8), bytes.count)
      // Version 2.0, a name in UTF-8, no compression, and 1980-01-01.
      var head = Self.number(20, 2) + Self.number(isEncrypted ? 0x801 : 0x800, 2) + Self.number(0, 4)
      head += Self.number(0x21, 2) + Self.number(CRC32.checksum(of: contents), 4)
      for _ in 0..<2 { head += Self.number(contents.count, 4) }
      head += Self.number(name.count, 2) + Self.number(0, 2)
      bytes += [0x50, 0x4B, 3, 4] + head + name + contents
      directory += [0x50, 0x4B, 1, 2] + Self.number(20, 2) + head + Self.number(0, 10) + Self.number(offset, 4) + name
    }
    let count = Self.number(entries.count, 2)
    let end = Self.number(0, 4) + count + count + Self.number(directory.count, 4) + Self.number(bytes.count, 4)
    bytes += directory + [0x50, 0x4B, 5, 6] + end + Self.number(0, 2)
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
  }
}
