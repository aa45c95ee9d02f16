import Gallery
import TOMLKit

/// Reads TOML 1.0 documents.
enum TOMLDocument {
  /// A mistake in a document.
  struct Fault: Error, Equatable {
    /// The line, counted from 1; nil if it is not known.
    let line: Int?
    /// The mistake in a sentence.
    let reason: String
  }

  /// Returns the table of a document.
  static func table(_ text: String) throws(Fault) -> TOMLTable {
    if let fault = TOMLScan.fault(in: text) { throw fault }
    do { return try TOMLTable(string: text) } catch {
      let error = error as? TOMLParseError
      // toml++ writes "Error while parsing ...: ..." and so on.
      throw Fault(line: error?.source.begin.line, reason: error?.description.printable ?? "It can't be read.")
    }
  }
}

/// A position in the text of a TOML document. It moves over keys and values without reading them.
struct TOMLScan {
  let bytes: [UInt8]
  var place = 0
  /// The line of the first `}` in an array, which can't end it.
  private var lineOfBrace: Int?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
  }

  /// Returns the first mistake that toml++ takes for impossible, at which it would end the program; nil if there is none.
  static func fault(in text: String) -> TOMLDocument.Fault? {
    guard text.utf8.contains(UInt8(ascii: "[")) else { return nil }
    var scan = TOMLScan(Array(text.utf8))
    while scan.place < scan.bytes.count {
      scan.skipBlanks()
      switch scan.byte {
      case UInt8(ascii: "["):
        let line = scan.line
        scan.place += 1
        if scan.byte == UInt8(ascii: "[") { scan.place += 1 }
        scan.skipBlanks()
        // toml++ reports a name that is missing, and the end of the text.
        if let byte = scan.byte, !byte.startsKey, byte != UInt8(ascii: "]") {
          let reason = "The name of a table begins with an unaccented letter, a digit, - or _."
          return .init(line: line, reason: "\(reason) Other names have quotation marks.")
        }
      case UInt8(ascii: "#"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), nil: break
      default:
        _ = scan.key()
        scan.skip { $0 == UInt8(ascii: "=") || $0.isBlank }
        _ = scan.value()
        if let line = scan.lineOfBrace { return .init(line: line, reason: "A list that begins with [ ends with ].") }
      }
      scan.skipLine()
    }
    return nil
  }

  /// The byte at the place, or nil at the end.
  var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// The line, counted from 1.
  private var line: Int { bytes[..<place].count { $0 == UInt8(ascii: "\n") } + 1 }

  mutating func skip(while isSkipped: (UInt8) -> Bool) {
    while let byte, isSkipped(byte) { place += 1 }
  }

  mutating func skipBlanks() { skip(while: \.isBlank) }

  mutating func skipLine() {
    skip { $0 != UInt8(ascii: "\n") }
    if byte != nil { place += 1 }
  }

  /// Reads a bare, quoted or dotted key, and what is blank behind it.
  mutating func key() -> [String] {
    let line = bytes[place...].prefix { $0 != UInt8(ascii: "\n") }
    var rest = Substring(decoding: line, as: UTF8.self)
    let path = SourceLines.path(&rest)
    place += line.count - min(line.count, rest.utf8.count)
    return path
  }

  /// Skips a value, which may have several lines, and returns its bytes.
  mutating func value() -> Range<Int> {
    let start = place
    var end = place
    var open: [UInt8] = []
    while let byte {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        skipString(byte)
        end = place
      case UInt8(ascii: "#"):
        if open.isEmpty { return start..<end }
        skip { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "\n") where open.isEmpty: return start..<end
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): place += 1
      default:
        if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { open.append(byte) }
        if byte == UInt8(ascii: "}"), open.last == UInt8(ascii: "[") { lineOfBrace = lineOfBrace ?? line }
        if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { _ = open.popLast() }
        place += 1
        end = place
      }
    }
    return start..<end
  }

  /// Skips a string in quotation marks, or in three of them at each end.
  private mutating func skipString(_ quote: UInt8) {
    let isLong = bytes[place...].starts(with: [quote, quote, quote])
    let end = Array(repeating: quote, count: isLong ? 3 : 1)
    place += end.count
    while let byte {
      if bytes[place...].starts(with: end) {
        place += end.count
        // Up to two quotation marks may be the last characters of the text.
        if isLong { skip { $0 == quote } }
        return
      }
      // A string of one line ends with the line, also in a document that is invalid.
      if byte == UInt8(ascii: "\n"), !isLong { return }
      let isEscape = byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"")
      place = min(bytes.count, place + (isEscape ? 2 : 1))
    }
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  /// Whether a key can begin with the byte: one of a bare key, or a quotation mark.
  fileprivate var startsKey: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      true
    default: false
    }
  }
}
