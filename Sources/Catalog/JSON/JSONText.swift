import Gallery

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Strings.
extension JSONScanner {
  /// Moves past the string that starts here, and returns it.
  mutating func text() throws(JSONFault) -> JSONText {
    let start = offset
    var hasEscapes = false
    offset += 1
    while true {
      skipPlain()
      guard offset < bytes.count else {
        throw JSONFault(offset: start, reason: .unendedString, isAtEnd: true)
      }
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        offset += 1
        return JSONText(range: start + 1..<offset - 1, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        _ = try escape()
      case ..<0x20: throw JSONFault(offset: offset, reason: .controlCharacter)
      default: try skipCharacter()
      }
    }
  }

  /// Appends a scanned string in UTF-8, with its escapes resolved.
  func append(_ text: JSONText, to result: inout [UInt8]) {
    var scanner = self
    scanner.offset = text.range.lowerBound
    while text.hasEscapes, let escape = scanner.firstEscape(before: text.range.upperBound) {
      result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[scanner.offset..<escape]))
      scanner.offset = escape
      guard let scalar = try? scanner.escape() else { break }
      result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[scanner.offset..<text.range.upperBound]))
  }

  /// Returns the offset of the first backslash from here on, or nil if there is none before `end`.
  private func firstEscape(before end: Int) -> Int? {
    guard let base = bytes.baseAddress, let escape = memchr(base + offset, 0x5C, end - offset) else { return nil }
    return UnsafeRawPointer(escape) - UnsafeRawPointer(base)
  }

  /// Moves past ASCII characters that are neither quotes nor escapes, eight characters at a time.
  private mutating func skipPlain() {
    guard let base = UnsafeRawPointer(bytes.baseAddress) else { return }
    while offset + 8 <= bytes.count {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let marks = Self.marks(word)
      if marks != 0 {
        offset += marks.trailingZeroBitCount / 8
        return
      }
      offset += 8
    }
    while offset < bytes.count, Self.marks(UInt64(bytes[offset]) | 0x2020_2020_2020_2000) == 0 { offset += 1 }
  }

  /// Returns a word whose lowest set bit is the high bit of the first byte that is a quote, a backslash, a control
  /// character or not ASCII.
  ///
  /// The bits of later bytes are meaningless, because a borrow may reach them. (Hacker's Delight, 6-1: find the first
  /// zero byte.)
  private static func marks(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let zero = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
    let control = (word &- ones &* 0x20) & ~word
    return (zero | control | word) & (ones &* 0x80)
  }

  /// Moves past a character of more than one byte (Unicode Standard, table 3-7: well-formed UTF-8 byte sequences).
  private mutating func skipCharacter() throws(JSONFault) {
    let length: Int
    var next: ClosedRange<UInt8> = 0x80...0xBF
    switch bytes[offset] {
    case 0xC2...0xDF: length = 2
    case 0xE0:
      length = 3
      next = 0xA0...0xBF
    case 0xED:
      length = 3
      next = 0x80...0x9F
    case 0xE1...0xEF: length = 3
    case 0xF0:
      length = 4
      next = 0x90...0xBF
    case 0xF1...0xF3: length = 4
    case 0xF4:
      length = 4
      next = 0x80...0x8F
    default: throw JSONFault(offset: offset, reason: .notUTF8)
    }
    for place in offset + 1..<offset + length {
      guard place < bytes.count, next.contains(bytes[place]) else {
        throw JSONFault(offset: offset, reason: .notUTF8, isAtEnd: place >= bytes.count)
      }
      next = 0x80...0xBF
    }
    offset += length
  }

  /// Moves past the escape that starts here, and returns its character.
  private mutating func escape() throws(JSONFault) -> Unicode.Scalar {
    let start = offset
    offset += 2
    switch start + 1 < bytes.count ? bytes[start + 1] : 0 {
    case UInt8(ascii: "u"):
      let unit = try hexadecimal(from: start)
      guard UTF16.isSurrogate(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
      return try surrogatePair(unit, from: start)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case let byte where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/"):
      return Unicode.Scalar(byte)
    default: throw JSONFault(offset: start, reason: .unknownEscape, isAtEnd: start + 1 >= bytes.count)
    }
  }

  private mutating func hexadecimal(from start: Int) throws(JSONFault) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard offset < bytes.count, let digit = Character(Unicode.Scalar(bytes[offset])).hexDigitValue else {
        throw JSONFault(offset: start, reason: .incompleteEscape, isAtEnd: offset >= bytes.count)
      }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }

  /// Moves past the second surrogate, which must follow the first one, and returns the character of both.
  private mutating func surrogatePair(_ lead: UInt16, from start: Int) throws(JSONFault) -> Unicode.Scalar {
    let second = bytes[min(offset, bytes.count)...].prefix(2)
    guard UTF16.isLeadSurrogate(lead), #"\u"#.utf8.starts(with: second) else {
      throw JSONFault(offset: start, reason: .unpairedSurrogate)
    }
    offset += 2
    let trail = try hexadecimal(from: start)
    guard UTF16.isTrailSurrogate(trail) else {
      throw JSONFault(offset: start, reason: .unpairedSurrogate)
    }
    let value = 0x10000 + UInt32(lead & 0x3FF) << 10 + UInt32(trail & 0x3FF)
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}

// The values of strings and numbers that have been scanned.
extension JSONScanner {
  /// Returns the bytes between the quotes, with their escapes.
  func utf8(_ text: JSONText) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[text.range]) }

  /// Returns the value of a string, with its escapes resolved.
  func string(_ text: JSONText) -> String {
    if !text.hasEscapes { return String(decoding: utf8(text), as: UTF8.self) }
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns whether a string, with its escapes resolved, equals `other`.
  func isText(_ text: JSONText, _ other: StaticString) -> Bool {
    if text.hasEscapes {
      var resolved: [UInt8] = []
      append(text, to: &resolved)
      return resolved.elementsEqual(UnsafeBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
    }
    guard text.range.count == other.utf8CodeUnitCount, let base = bytes.baseAddress else { return false }
    return memcmp(base + text.range.lowerBound, other.utf8Start, text.range.count) == 0
  }

  /// Returns the value of a number, or nil if it is not an integer or too large. `3.0` and `-4e1` are integers, too.
  func integer(_ range: Range<Int>) -> Int? {
    let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
    var value = 0
    for byte in bytes[range].dropFirst(isNegative ? 1 : 0) {
      let digit = Int(byte) - Int(UInt8(ascii: "0"))
      // The number has a decimal point or an exponent. A Double represents up to 15 digits exactly.
      guard (0...9).contains(digit) else {
        if range.count > 15 { return nil }
        return Double(String(decoding: bytes[range], as: UTF8.self)).flatMap(Int.init(exactly:))
      }
      let (tens, tensOverflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflow) =
        isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      if tensOverflow || sumOverflow { return nil }
      value = sum
    }
    return value
  }
}
