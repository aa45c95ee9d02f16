import FoundationEssentials
import Gallery

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The syntax check of JSON texts (RFC 8259).
enum JSONSyntax {
  /// A violation of the grammar.
  struct Fault: Equatable {
    var reason: SyntaxFault
    /// The line, counted from 1.
    var line: Int
    /// The column in bytes, counted from 1.
    var column: Int
  }

  /// The maximum nesting depth of arrays and objects, which is that of `JSONDecoder`.
  static let deepestNesting = 512

  /// Returns the first fault, or nil if the text is JSON.
  static func firstFault(in json: Data) -> Fault? {
    [UInt8](json).withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes)
      do throws(JSONFault) {
        try scanner.skipValue(deepest: deepestNesting)
        if scanner.next() != nil { throw scanner.unexpected(wanted: .endOfText) }
        return nil
      } catch {
        var place = TextPlace()
        place.advance(over: bytes[..<error.offset])
        return Fault(reason: error.reason, line: place.line, column: place.column)
      }
    }
  }
}

/// A place in a text. The line and the column (in bytes) count from 1.
struct TextPlace: Hashable, Sendable {
  private(set) var line = 1
  private(set) var column = 1

  /// Moves to the end of `bytes`, which must start at this place.
  mutating func advance(over bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    let text = UnsafeBufferPointer(rebasing: bytes)
    guard let base = text.baseAddress else { return }
    var start = 0
    while let end = memchr(base + start, 0x0A, text.count - start) {
      start = UnsafeRawPointer(end) - UnsafeRawPointer(base) + 1
      line = line + 1
      column = 1
    }
    column += text.count - start
  }

  /// Moves as far as another place is from the beginning of its text, which must start at this place.
  mutating func advance(by other: TextPlace) {
    column = other.line == 1 ? column + other.column - 1 : other.column
    line += other.line - 1
  }
}
