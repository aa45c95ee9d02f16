import FoundationEssentials

/// Finds the place where a text stops being JSON (RFC 8259).
enum JSONSyntax {
  struct Fault: Equatable {
    var reason: String
    /// Counted from 1; the column in bytes.
    var line: Int
    var column: Int
  }

  /// The deepest nesting that is accepted, in arrays and objects, as by `JSONDecoder`.
  static let deepestNesting = 512

  static func firstFault(in json: Data) -> Fault? {
    [UInt8](json).withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes)
      do throws(JSONFault) {
        try scanner.skipValue(deepest: deepestNesting)
        if scanner.next() != nil { throw scanner.unexpected(wanted: "the end of the text") }
        return nil
      } catch {
        var place = TextPlace()
        place.advance(over: bytes[..<error.offset])
        return Fault(reason: error.reason, line: place.line, column: place.column)
      }
    }
  }
}

/// A place in a text, counted from 1; the column in bytes.
struct TextPlace: Hashable, Sendable {
  private(set) var line = 1
  private(set) var column = 1

  mutating func advance(over bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    let text = UnsafeBufferPointer(rebasing: bytes)
    var lines = 0
    for byte in text { lines &+= byte == 0x0A ? 1 : 0 }
    line += lines
    let last = lines == 0 ? nil : text.lastIndex(of: 0x0A)
    column = last.map { text.count - $0 } ?? column + text.count
  }
}
