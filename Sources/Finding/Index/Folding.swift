import Foundation

/// The form in which texts are compared: without case or accents, and cut into words.
///
/// Letters are split by Unicode's canonical decomposition (UAX #15) and lose the marks from U+0300 to U+036F. Letters
/// that do not decompose (ø, ß, ł) get their usual spelling. The marks of other scripts stay, because they are letters
/// of their own.
enum Folding {
  /// The folded byte of each ASCII byte, or 0 if it separates words.
  private static let ascii: [UInt8] = (0..<128).map { byte in
    switch UInt8(byte) {
    case 0...0x20, 0x7F: 0
    case let byte where Array(",;:!?\"()[]{}/\\|<>".utf8).contains(byte): 0
    case let byte where byte.isUppercase: byte | 0x20
    case let byte: byte
    }
  }

  /// Calls `body` with each byte of the folded text, and with 0 for every word separator.
  ///
  /// - Parameter text: The text in UTF-8. Invalid bytes separate words.
  @inline(__always)
  static func fold(_ text: UnsafeBufferPointer<UInt8>, _ body: (UInt8) -> Void) {
    ascii.withUnsafeBufferPointer { ascii in
      var index = 0
      while index < text.count {
        let byte = text[index]
        if byte < 0x80 {
          index += 1
          body(ascii[Int(byte)])
        } else {
          fold(scalarOf: text, at: &index, body)
        }
      }
    }
  }

  private static func fold(
    scalarOf text: UnsafeBufferPointer<UInt8>, at index: inout Int, _ body: (UInt8) -> Void
  ) {
    let length = text[index] & 0x40 == 0 ? 1 : (~text[index]).leadingZeroBitCount
    let bytes = text[index..<min(text.count, index + length)]
    index += 1
    guard let scalar = Unicode.Scalar(utf8: bytes) else { return body(0) }
    index += length - 1
    let value = Int(scalar.value)
    if value < table.starts.count - 1 {
      for place in table.starts[value]..<table.starts[value + 1] { body(table.bytes[Int(place)]) }
    } else {
      (letters(of: scalar) ?? [0]).forEach(body)
    }
  }

  /// Calls `body` with each folded word of a text in UTF-8, without the punctuation at its ends.
  @inline(__always)
  static func forEachWord(
    of text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    // Decomposition makes UTF-8 at most three times as long (Unicode's FAQ on normalization).
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count * 3) { word in
      var count = 0
      func end() {
        let whole = UnsafeBufferPointer(rebasing: word[..<count])
        let range = whole.withoutSigns
        if !range.isEmpty { body(UnsafeBufferPointer(rebasing: whole[range])) }
        count = 0
      }
      fold(text) { byte in
        if byte == 0 {
          if count > 0 { end() }
        } else if count < word.count {
          word[count] = byte
          count += 1
        }
      }
      if count > 0 { end() }
    }
  }

  /// Returns the folded words of a text.
  static func words(of text: String) -> [[UInt8]] {
    var text = text
    var words: [[UInt8]] = []
    text.withUTF8 { forEachWord(of: $0) { words.append(Array($0)) } }
    return words
  }

  /// The folded UTF-8 of every scalar in Unicode's plane 0, computed once because nearly all texts consist of these.
  ///
  /// The bytes of a scalar begin at its start. A zero byte separates words.
  private static let table: (bytes: [UInt8], starts: [UInt32]) = {
    var bytes: [UInt8] = []
    var starts: [UInt32] = [0]
    for value in 0..<UInt32(0x10000) {
      if let scalar = Unicode.Scalar(value) { bytes += letters(of: scalar) ?? [0] }
      starts.append(UInt32(bytes.count))
    }
    return (bytes, starts)
  }()

  /// Returns the folded UTF-8 of a scalar, or nil if the scalar separates words.
  private static func letters(of scalar: Unicode.Scalar) -> [UInt8]? {
    if scalar.isASCII {
      let byte = ascii[Int(scalar.value)]
      return byte == 0 ? nil : [byte]
    }
    if let spelling = spellings[scalar] { return Array(spelling.utf8) }
    // Han characters (CJK Unified Ideographs), emoji, and private-use characters stay as they are.
    if [0x3400..<0xA000, 0xE000..<0xF900, 0x1F000..<0x2F800].contains(where: { $0.contains(scalar.value) }) {
      return Array(String(scalar).utf8)
    }
    if scalar.separatesWords { return nil }
    let decomposed = scalar.properties.lowercaseMapping.decomposedStringWithCanonicalMapping
    return decomposed.unicodeScalars.filter { !(0x300...0x36F).contains($0.value) }.flatMap { scalar in
      Array((spellings[scalar] ?? String(scalar)).utf8)
    }
  }

  /// The usual spellings of characters that do not decompose.
  private static let spellings: [Unicode.Scalar: String] = [
    "ß": "ss", "ẞ": "ss", "ø": "o", "Ø": "o", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ł": "l", "Ł": "l", "đ": "d",
    "Đ": "d", "ð": "d", "Ð": "d", "þ": "th", "Þ": "th", "ı": "i", "ς": "σ", "’": "'", "‘": "'", "‐": "-", "‑": "-",
  ]
}

extension UInt8 {
  fileprivate var isUppercase: Bool { self &- 0x41 < 26 }

  /// Whether the byte is an ASCII letter or digit, or part of a character outside of ASCII.
  var isLetterOrDigit: Bool { self >= 0x80 || (self | 0x20) &- 0x61 < 26 || self &- 0x30 < 10 }
}

extension UnsafeBufferPointer<UInt8> {
  /// The range of a folded word without the punctuation at its ends (`"hour."`).
  var withoutSigns: Range<Int> {
    var (start, end) = (0, count)
    while start < end, !self[start].isLetterOrDigit { start += 1 }
    while start < end, !self[end - 1].isLetterOrDigit { end -= 1 }
    return start..<end
  }
}

extension Unicode.Scalar {
  /// Decodes one scalar. Returns nil if the bytes are not valid UTF-8 (Unicode, table 3-7).
  fileprivate init?(utf8 bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    self = scalar
  }

  fileprivate var separatesWords: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator, .dashPunctuation, .openPunctuation,
      .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation:
      return true
    default: return self == "\u{FFFD}"
    }
  }
}
