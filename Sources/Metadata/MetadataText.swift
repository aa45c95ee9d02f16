/// Texts in metadata, which programs write in different ways.
enum MetadataText {
  /// The longest text in bytes. The rest of a longer one is cut off.
  private static let longest = 1 << 16

  /// Returns a text from UTF-8, or from Latin-1 if the bytes are not valid UTF-8. The text has no white space around it. Nil
  /// is returned for an empty text.
  static func decode(_ bytes: some BidirectionalCollection<UInt8>) -> String? {
    let bytes = bytes.prefix(longest)
    let isEnd = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    var rest = bytes[...].drop(while: isEnd)
    while let last = rest.last, isEnd(last) || last == 0 { rest = rest.dropLast() }
    guard let first = rest.first, let last = rest.last else { return nil }
    let text =
      String(validating: rest, as: UTF8.self) ?? String(String.UnicodeScalarView(rest.map { Unicode.Scalar($0) }))
    // Other white space is not ASCII. Looking for it takes longer than all else.
    return first < 0x80 && last < 0x80 ? text : trim(text)
  }

  /// Removes the white space around a text. Returns nil if nothing is left.
  static func trim(_ text: some StringProtocol) -> String? {
    var rest = text[...]
    while let last = rest.last, last.isWhitespace || last == "\0" { rest.removeLast() }
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    return rest.isEmpty ? nil : String(rest)
  }
}
