import Gallery

/// A writer of JSON (RFC 8259) in UTF-8. A member whose value is nil or an empty list is left out.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var isFirst = true

  /// Returns the bytes that have been written since the last call.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  mutating func open(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    isFirst = true
  }

  mutating func close(_ end: String) {
    bytes += end.utf8
    isFirst = false
  }

  /// Starts the next element of a list on a new line.
  mutating func newRow() {
    bytes += (isFirst ? "\n" : ",\n").utf8
    isFirst = true
  }

  mutating func key(_ name: String) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    append(name)
    bytes.append(UInt8(ascii: ":"))
  }

  mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    key(name)
    append(value)
  }

  mutating func add(_ name: String, _ value: Int?) { add(name, literal: value.map { "\($0)" }) }

  mutating func add(_ name: String, _ value: Bool?) { add(name, literal: value.map { "\($0)" }) }

  /// Adds a number with as many digits as are needed to read the same value again.
  mutating func add(_ name: String, _ value: Double?) {
    add(name, literal: value.map { value in Int(exactly: value).map { "\($0)" } ?? "\(value)" })
  }

  mutating func add(_ name: String, _ values: [String]) {
    guard !values.isEmpty else { return }
    key(name)
    for (index, value) in values.enumerated() {
      bytes.append(index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
      append(value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func add(_ name: String, literal: String?) {
    guard let literal else { return }
    key(name)
    bytes += literal.utf8
  }

  private mutating func append(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
      case "\n": bytes += "\\n".utf8
      // The text may be printed in a terminal, which interprets more characters than JSON's control characters.
      case _ where !scalar.isVisible:
        for unit in UTF16.encode(scalar).map(Array.init) ?? [] { append(hexadecimal: unit) }
      default: bytes += scalar.utf8
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
  private mutating func append(hexadecimal unit: UInt16) {
    let digits = Array("0123456789abcdef".utf8)
    bytes += "\\u".utf8 + [12, 8, 4, 0].map { digits[Int(unit >> $0 & 15)] }
  }
}
