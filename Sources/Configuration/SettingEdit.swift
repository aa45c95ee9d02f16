import TOMLKit

/// A change of one setting in the text of a configuration file.
///
/// TOMLKit would lose the comments, so the text itself is edited: the value of the setting's line is replaced, or a line is
/// added. Everything else stays as it is, with the ends of the lines.
struct SettingEdit {
  /// The new text.
  let text: String

  /// The document is invalid, or the setting can't be changed alone.
  struct Fault: Error, Equatable {
    /// The line with the mistake, counted from 1; nil if it is not known.
    let line: Int?
  }

  /// - Parameters:
  ///   - name: The name of the setting, outside of all tables.
  ///   - value: The value as the file has it, such as `"kitty"` or `true`.
  init(_ text: String, setting name: String, to value: String) throws(Fault) {
    let old = try Self.table(text)
    let bytes = Array(text.utf8)
    let scan = RootScan(bytes, name: name)
    let newline = text.utf8.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
    let place: Range<Int>
    let inserted: String
    if let found = scan.value {
      (place, inserted) = (found, value)
    } else {
      let start = scan.insertion
      place = start..<start
      let isOnOwnLine = start == 0 || bytes[start - 1] == UInt8(ascii: "\n")
      inserted = "\(isOnOwnLine ? "" : newline)\(name) = \(value)\(newline)\(scan.isBeforeTable ? newline : "")"
    }
    self.text = String(
      decoding: bytes[..<place.lowerBound] + Array(inserted.utf8) + bytes[place.upperBound...], as: UTF8.self)
    guard let new = try? Self.table(self.text), let wanted = try? Self.table("\(name) = \(value)"),
      Self.others(than: name, in: old) == Self.others(than: name, in: new),
      Self.only(name, in: new) == Self.only(name, in: wanted)
    else { throw Fault(line: nil) }
  }

  private static func table(_ text: String) throws(Fault) -> TOMLTable {
    do { return try TOMLTable(string: text) } catch {
      throw Fault(line: (error as? TOMLParseError)?.source.begin.line)
    }
  }

  private static func others(than name: String, in table: TOMLTable) -> [String: String] {
    table.keys.filter { $0 != name }.reduce(into: [:]) { $0[$1] = only($1, in: table) }
  }

  /// Returns a document with this setting alone.
  private static func only(_ name: String, in table: TOMLTable) -> String? {
    table[name].map { TOMLTable([name: $0]).convert(to: .toml) }
  }
}

/// The place of a setting in the part of a TOML document before its first table.
private struct RootScan {
  /// The bytes of the setting's value; nil if the document doesn't have it.
  private(set) var value: Range<Int>?
  /// The place for a new line.
  private(set) var insertion: Int
  /// Whether the new line is just above a table.
  private(set) var isBeforeTable = false

  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    insertion = bytes.count
    var afterDefault: Int?
    var afterSetting: Int?
    // The comment above a table belongs to it.
    var comment: Int?
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    while place < bytes.count {
      let start = place
      skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), nil:
        comment = nil
        skipLine()
      case UInt8(ascii: "#"):
        comment = comment ?? start
        skip { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: " ") }
        let isDefault = key() == [name] && byte == UInt8(ascii: "=")
        skipLine()
        if isDefault { afterDefault = place }
      case UInt8(ascii: "["):
        insertion = afterDefault ?? afterSetting ?? comment ?? start
        isBeforeTable = afterDefault == nil && afterSetting == nil
        return
      default:
        comment = nil
        let path = key()
        skip { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let found = valueRange()
        if path == [name] { value = found }
        skipLine()
        afterSetting = place
      }
    }
    insertion = afterDefault ?? afterSetting ?? bytes.count
  }

  private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skip(while isSkipped: (UInt8) -> Bool) {
    while let byte, isSkipped(byte) { place += 1 }
  }

  private mutating func skipLine() {
    skip { $0 != UInt8(ascii: "\n") }
    if byte != nil { place += 1 }
  }

  /// Reads a bare, quoted or dotted key, and what is blank behind it.
  private mutating func key() -> [String] {
    let line = bytes[place...].prefix { $0 != UInt8(ascii: "\n") }
    var rest = Substring(decoding: line, as: UTF8.self)
    let path = SourceLines.path(&rest)
    place += line.count - rest.utf8.count
    return path
  }

  /// Skips a value, which may have several lines, and returns its bytes.
  private mutating func valueRange() -> Range<Int> {
    let start = place
    var (end, depth) = (place, 0)
    while let byte {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        skipString(byte)
        end = place
      case UInt8(ascii: "#"):
        if depth == 0 { return start..<end }
        skip { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "\n") where depth == 0: return start..<end
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): place += 1
      default:
        if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
        if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
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
      place += byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
    }
  }
}
