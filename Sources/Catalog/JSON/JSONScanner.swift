import Gallery

/// A violation of the JSON grammar (RFC 8259).
struct JSONFault: Error, Equatable {
  /// The offset in the scanned bytes.
  var offset: Int
  var reason: SyntaxFault
  /// Whether the bytes only ended too soon, so that more bytes could complete the value.
  var isAtEnd = false
}

/// A JSON string that has been scanned. It is valid UTF-8 without control characters.
struct JSONText {
  /// The range between the quotes.
  var range: Range<Int>
  var hasEscapes: Bool

  /// The most bytes of a text that is shown. A longer one would be laid out with each frame.
  static let longest = 65_536

  /// Whether the text is too long to be shown.
  var isTooLong: Bool { range.count > Self.longest }
}

/// A scanner of JSON (RFC 8259) in memory. It moves past values one by one and stores none of them.
///
/// Nesting uses no stack space, so deeply nested text cannot overflow the stack.
struct JSONScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  /// Whether the text ends where the bytes end.
  let isLast: Bool
  var offset = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool = true) {
    self.bytes = bytes
    self.isLast = isLast
  }

  private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Moves past white space and returns the next byte, without moving past it.
  @inline(__always)
  mutating func next() -> UInt8? {
    while let byte = current, byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    return current
  }

  /// Moves past white space, and past the next byte if it equals `byte`. Returns whether it does.
  mutating func take(_ byte: UInt8) -> Bool {
    guard next() == byte else { return false }
    offset += 1
    return true
  }

  /// Returns the fault for an unexpected byte, or for an unexpected end, at the current offset.
  func unexpected(wanted: SyntaxFault.Expected) -> JSONFault {
    guard let byte = current else {
      return JSONFault(offset: offset, reason: .ends(wanted), isAtEnd: true)
    }
    return JSONFault(offset: offset, reason: .unexpected(byte < 0x80 ? byte : nil, wanted))
  }

  private func fault(_ reason: SyntaxFault, at place: Int? = nil) -> JSONFault {
    JSONFault(offset: place ?? offset, reason: reason, isAtEnd: offset >= bytes.count)
  }
}

// Values.
extension JSONScanner {
  /// Moves past any value.
  ///
  /// - Parameter deepest: The maximum nesting depth of arrays and objects.
  mutating func skipValue(deepest: Int = .max) throws(JSONFault) {
    var nesting = Nesting()
    while true {
      switch next() {
      case UInt8(ascii: "{"):
        try open(.object, in: &nesting, deepest: deepest)
        if next() != UInt8(ascii: "}") {
          _ = try key()
          continue
        }
      case UInt8(ascii: "["):
        try open(.array, in: &nesting, deepest: deepest)
        if next() != UInt8(ascii: "]") { continue }
      default: try skipScalar()
      }
      if try !moveToNextMember(of: &nesting) { return }
    }
  }

  private mutating func open(_ kind: Nesting.Kind, in nesting: inout Nesting, deepest: Int) throws(JSONFault) {
    guard nesting.depth < deepest else { throw JSONFault(offset: offset, reason: .tooDeep) }
    nesting.push(kind)
    offset += 1
  }

  /// Moves past closing brackets and then to the next value. Returns false if all arrays and objects are closed.
  private mutating func moveToNextMember(of nesting: inout Nesting) throws(JSONFault) -> Bool {
    while let kind = nesting.innermost {
      let byte = next()
      if byte == kind.end {
        offset += 1
        nesting.pop()
      } else if byte == UInt8(ascii: ",") {
        offset += 1
        if kind == .object { _ = try key() }
        return true
      } else {
        throw unexpected(wanted: kind == .object ? .commaOrBrace : .commaOrBracket)
      }
    }
    return false
  }

  /// Calls `member` for each key of the object that starts here. The closure must move past the key's value.
  @inline(__always)
  mutating func members(_ member: (inout JSONScanner, JSONText) throws(JSONFault) -> Void) throws(JSONFault) {
    offset += 1
    if take(UInt8(ascii: "}")) { return }
    while true {
      try member(&self, key())
      if take(UInt8(ascii: "}")) { return }
      guard take(UInt8(ascii: ",")) else { throw unexpected(wanted: .commaOrBrace) }
    }
  }

  /// Moves past a key and its colon, and returns the key.
  mutating func key() throws(JSONFault) -> JSONText {
    guard next() == UInt8(ascii: "\"") else { throw unexpected(wanted: .key) }
    let key = try text()
    guard take(UInt8(ascii: ":")) else { throw unexpected(wanted: .colon) }
    return key
  }

  private mutating func skipScalar() throws(JSONFault) {
    switch next() {
    case UInt8(ascii: "\""): _ = try text()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    case let byte? where byte == UInt8(ascii: "-") || byte.isDigit: _ = try number()
    default: throw unexpected(wanted: .value)
    }
  }

  private mutating func word(_ word: StaticString) throws(JSONFault) {
    let start = offset
    for letter in UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount) {
      guard current == letter else {
        let isAtEnd = current == nil
        offset = start
        throw isAtEnd
          ? JSONFault(offset: bytes.count, reason: .ends(.value), isAtEnd: true)
          : unexpected(wanted: .value)
      }
      offset += 1
    }
  }

  /// Moves past the number that starts here, and returns its range.
  mutating func number() throws(JSONFault) -> Range<Int> {
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
    if current?.isDigit == true { throw fault(.leadingZero, at: start) }
    // The next digit may not have been received yet.
    if current == nil, !isLast { throw fault(.notANumber, at: start) }
    return start..<offset
  }

  private mutating func digits(from start: Int) throws(JSONFault) {
    let first = offset
    while current?.isDigit == true { offset += 1 }
    if offset == first { throw fault(.notANumber, at: start) }
  }
}

/// The arrays and objects that are open at a place, with one bit for each.
private struct Nesting {
  enum Kind {
    case array, object

    var end: UInt8 { self == .object ? UInt8(ascii: "}") : UInt8(ascii: "]") }
  }

  private(set) var depth = 0
  private var bits: UInt64 = 0
  /// The bits of the outer levels, if there are more than 64 levels.
  private var outer: [UInt64] = []

  var innermost: Kind? { depth == 0 ? nil : bits & 1 == 1 ? .object : .array }

  mutating func push(_ kind: Kind) {
    if depth > 0, depth.isMultiple(of: 64) { outer.append(bits) }
    bits = bits << 1 | (kind == .object ? 1 : 0)
    depth += 1
  }

  mutating func pop() {
    depth -= 1
    bits >>= 1
    if depth > 0, depth.isMultiple(of: 64) { bits = outer.removeLast() }
  }
}
