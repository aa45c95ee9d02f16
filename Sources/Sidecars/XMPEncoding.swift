/// The encodings of XMP (XMP Specification, part 1, "Character encoding"): UTF-8, and UTF-16 with or without a byte order mark.
enum XMPEncoding {
  /// Returns a document in UTF-8. One in UTF-16 gets another XML declaration.
  static func utf8(_ content: [UInt8]) throws(SidecarFault.Damage) -> [UInt8] {
    if let isBigEndian = isBigEndianUTF16(content) { return try utf8(content, isBigEndian: isBigEndian) }
    guard content.contains(where: { $0 > 0x20 }) else { throw .empty }
    guard String(validating: content, as: UTF8.self) != nil else { throw .encoding }
    guard !content.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) }) else { throw .notXML }
    if let declaration = declaration(of: content), let encoding = encoding(in: content[declaration]) {
      guard ["UTF-8", "US-ASCII"].contains(encoding.uppercased()) else { throw .encoding }
    }
    return content
  }

  /// Returns the order of the bytes of a document in UTF-16, or nil for another encoding.
  private static func isBigEndianUTF16(_ content: [UInt8]) -> Bool? {
    switch content.first {
    case 0xFE where content.starts(with: [0xFE, 0xFF]): true
    case 0x00 where content.starts(with: [0x00, 0x3C, 0x00]): true
    case 0xFF where content.starts(with: [0xFF, 0xFE]) && !content.starts(with: [0xFF, 0xFE, 0, 0]): false
    case 0x3C where content.starts(with: [0x3C, 0x00]) && !content.starts(with: [0x3C, 0x00, 0, 0]): false
    default: nil
    }
  }

  private static func utf8(_ content: [UInt8], isBigEndian: Bool) throws(SidecarFault.Damage) -> [UInt8] {
    guard content.count.isMultiple(of: 2) else { throw .encoding }
    let units = stride(from: 0, to: content.count, by: 2).map { index in
      let (one, other) = (UInt16(content[index]), UInt16(content[index + 1]))
      return isBigEndian ? one << 8 | other : other << 8 | one
    }
    guard let text = String(validating: units.drop { $0 == 0xFEFF }, as: UTF16.self) else { throw .encoding }
    var bytes = Array(text.utf8)
    if let declaration = declaration(of: bytes) {
      bytes.replaceSubrange(declaration, with: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".utf8)
    }
    return try utf8(bytes)
  }

  /// Returns the place of the XML declaration, or nil if there is none.
  private static func declaration(of bytes: [UInt8]) -> Range<Int>? {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard bytes[start...].starts(with: "<?xml ".utf8) else { return nil }
    return bytes[start...].firstIndex(of: UInt8(ascii: ">")).map { start..<$0 + 1 }
  }

  /// Returns the encoding that an XML declaration names, or nil if it names none.
  private static func encoding(in declaration: ArraySlice<UInt8>) -> Substring? {
    let text = String(decoding: declaration, as: UTF8.self)
    guard let start = text.firstRange(of: "encoding")?.upperBound else { return nil }
    let parts = text[start...].split(maxSplits: 2, omittingEmptySubsequences: false) { $0 == "\"" || $0 == "'" }
    return parts.count > 1 ? parts[1] : ""
  }
}
