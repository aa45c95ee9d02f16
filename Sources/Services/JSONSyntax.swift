import FoundationEssentials

/// Finds the place where a text stops being JSON (RFC 8259).
struct JSONSyntax {
  struct Fault: Error, Equatable {
    /// In bytes from the start of the text.
    var offset: Int
    var reason: String
    /// Counted from 1; the column in bytes.
    var line = 1
    var column = 1
  }

  /// The deepest nesting that is accepted, in arrays and objects.
  static let deepestNesting = 512

  private let bytes: [UInt8]
  private var offset = 0
  private var depth = 0

  static func firstFault(in json: Data) -> Fault? {
    var syntax = JSONSyntax(bytes: [UInt8](json))
    do {
      try syntax.document()
      return nil
    } catch {
      let before = syntax.bytes[..<min(error.offset, syntax.bytes.count)]
      var fault = error
      fault.line = before.count { $0 == newline } + 1
      fault.column = before.count - (before.lastIndex(of: newline).map { $0 + 1 } ?? 0) + 1
      return fault
    }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }
}

private let digitBytes = UInt8(ascii: "0")...UInt8(ascii: "9")
private let newline = UInt8(ascii: "\n")

extension JSONSyntax {
  private mutating func document() throws(Fault) {
    if let bad = bytes.firstInvalidUTF8 { throw Fault(offset: bad, reason: "this is not UTF-8") }
    try value()
    if let extra = next() { throw unexpected(extra, wanted: "the end of the text") }
  }

  private mutating func value() throws(Fault) {
    switch next() {
    case UInt8(ascii: "{"): try members(closedBy: UInt8(ascii: "}")) { syntax throws(Fault) in try syntax.member() }
    case UInt8(ascii: "["): try members(closedBy: UInt8(ascii: "]")) { syntax throws(Fault) in try syntax.value() }
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    case let byte? where byte == UInt8(ascii: "-") || digitBytes.contains(byte): try number()
    case let other: throw unexpected(other, wanted: "a value")
    }
  }

  /// Values parted by commas, from the opening bracket to the closing one.
  private mutating func members(
    closedBy end: UInt8, _ member: (inout JSONSyntax) throws(Fault) -> Void
  ) throws(Fault) {
    depth += 1
    guard depth <= Self.deepestNesting else { throw Fault(offset: offset, reason: "nested too deeply") }
    defer { depth -= 1 }
    offset += 1
    if next() == end {
      offset += 1
      return
    }
    while true {
      try member(&self)
      switch next() {
      case UInt8(ascii: ","): offset += 1
      case end:
        offset += 1
        return
      case let other: throw unexpected(other, wanted: "a comma or “\(Character(Unicode.Scalar(end)))”")
      }
    }
  }

  private mutating func member() throws(Fault) {
    guard next() == UInt8(ascii: "\"") else { throw unexpected(next(), wanted: "a key in quotes") }
    try string()
    guard next() == UInt8(ascii: ":") else { throw unexpected(next(), wanted: "a colon") }
    offset += 1
    try value()
  }

  private mutating func string() throws(Fault) {
    let start = offset
    offset += 1
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return
      case UInt8(ascii: "\\"): try escape()
      case ..<0x20: throw Fault(offset: offset, reason: "a control character stands in a text")
      default: offset += 1
      }
    }
    throw Fault(offset: start, reason: "the text that starts here has no end")
  }

  private mutating func escape() throws(Fault) {
    let start = offset
    offset += 1
    switch current {
    case UInt8(ascii: "u"):
      let digits = bytes.dropFirst(offset + 1).prefix(4)
      guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
        throw Fault(offset: start, reason: "\\u wants four hexadecimal digits")
      }
      offset += 5
      try surrogate(UInt16(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0, from: start)
    case let byte? where "\"\\/bfnrt".utf8.contains(byte): offset += 1
    default: throw Fault(offset: start, reason: "there is no such escape")
    }
  }

  /// Of two surrogates, the second must follow the first.
  private mutating func surrogate(_ unit: UInt16, from start: Int) throws(Fault) {
    guard UTF16.isSurrogate(unit) else { return }
    let second = bytes[offset...].prefix(6)
    guard UTF16.isLeadSurrogate(unit), second.starts(with: #"\u"#.utf8),
      let trail = UInt16(String(decoding: second.dropFirst(2), as: UTF8.self), radix: 16),
      UTF16.isTrailSurrogate(trail)
    else { throw Fault(offset: start, reason: "half of a surrogate pair") }
    offset += 6
  }

  private mutating func number() throws(Fault) {
    let start = offset
    if current == UInt8(ascii: "-") { offset += 1 }
    if current == UInt8(ascii: "0") { offset += 1 } else { try digits(from: start) }
    if current == UInt8(ascii: ".") {
      offset += 1
      try digits(from: start)
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      offset += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { offset += 1 }
      try digits(from: start)
    }
    if let byte = current, digitBytes.contains(byte) {
      throw Fault(offset: start, reason: "a number starts with 0")
    }
  }

  private mutating func digits(from start: Int) throws(Fault) {
    let first = offset
    while let byte = current, digitBytes.contains(byte) { offset += 1 }
    if offset == first { throw Fault(offset: start, reason: "this is no number") }
  }

  private mutating func word(_ word: String) throws(Fault) {
    guard bytes[offset...].starts(with: word.utf8) else { throw unexpected(current, wanted: "a value") }
    offset += word.utf8.count
  }

  private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Moves past white space and looks at the byte behind it.
  private mutating func next() -> UInt8? {
    while let byte = current, " \t\n\r".utf8.contains(byte) { offset += 1 }
    return current
  }

  private func unexpected(_ byte: UInt8?, wanted: String) -> Fault {
    guard let byte else { return Fault(offset: offset, reason: "the text ends where \(wanted) should stand") }
    let found = byte < 0x80 ? "“\(Character(Unicode.Scalar(byte)))”" : "another character"
    return Fault(offset: offset, reason: "\(found) stands where \(wanted) should")
  }
}

extension [UInt8] {
  /// The offset of the first byte that is not part of well-formed UTF-8.
  fileprivate var firstInvalidUTF8: Int? {
    var decoder = UTF8()
    var bytes = makeIterator()
    var offset = 0
    while true {
      switch decoder.decode(&bytes) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return offset
      }
    }
  }
}
