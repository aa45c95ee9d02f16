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
    do throws(TOMLDocument.Fault) { return try TOMLDocument.table(text) } catch { throw Fault(line: error.line) }
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

  init(_ bytes: [UInt8], name: String) {
    var scan = TOMLScan(bytes)
    insertion = bytes.count
    var afterDefault: Int?
    var afterSetting: Int?
    // The comment above a table belongs to it.
    var comment: Int?
    while scan.place < bytes.count {
      let start = scan.place
      scan.skipBlanks()
      switch scan.byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), nil:
        comment = nil
        scan.skipLine()
      case UInt8(ascii: "#"):
        comment = comment ?? start
        scan.skip { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: " ") }
        let isDefault = scan.key() == [name] && scan.byte == UInt8(ascii: "=")
        scan.skipLine()
        if isDefault { afterDefault = scan.place }
      case UInt8(ascii: "["):
        insertion = afterDefault ?? afterSetting ?? comment ?? start
        isBeforeTable = afterDefault == nil && afterSetting == nil
        return
      default:
        comment = nil
        let path = scan.key()
        scan.skip { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let found = scan.value()
        if path == [name] { value = found }
        scan.skipLine()
        afterSetting = scan.place
      }
    }
    insertion = afterDefault ?? afterSetting ?? bytes.count
  }
}
