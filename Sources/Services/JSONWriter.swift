/// Puts JSON (RFC 8259) together in UTF-8, member by member; members that are absent are left out.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var isFirst = true

  /// What has been written since the last time.
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

  /// Starts the next element of a list, on a line of its own.
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

  /// With as many digits as tell it from every other number.
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
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      // Control characters, of which the terminal's DEL is none to JSON.
      case ..<0x20, 0x7F:
        let digits = Array("0123456789abcdef".utf8)
        bytes += "\\u00".utf8 + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
