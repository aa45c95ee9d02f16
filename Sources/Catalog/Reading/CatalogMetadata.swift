import Gallery

/// The metadata of a photo in a catalog, read member by member. Invalid values are ignored.
///
/// This is a class so that the rows of catalogs without metadata stay small.
final class CatalogMetadata {
  private(set) var metadata = PhotoMetadata()

  /// The fields by the lengths of their names, since every unknown member is looked up here.
  private static let byLength = (0...longestName).map { length in
    MetadataField.all.filter { $0.names.contains { $0.utf8.count == length } }
  }

  private static let longestName = MetadataField.all.flatMap(\.names).map(\.utf8.count).max() ?? 0

  /// Returns the field that is kept in the member with this name (UTF-8), or nil if there is none.
  static func field(_ name: UnsafeBufferPointer<UInt8>) -> MetadataField? {
    guard byLength.indices.contains(name.count) else { return nil }
    return byLength[name.count].first { $0.names.contains { $0.utf8.elementsEqual(name) } }
  }

  /// Reads the value that starts here, and replaces an earlier one. A `null` means that there is no value.
  ///
  /// - Returns: The reason why the value, or a part of it, is ignored, or nil.
  func read(_ field: MetadataField, _ scanner: inout JSONScanner) throws(JSONFault) -> ValueFault? {
    var reason: ValueFault?
    switch field.value {
    case .time(let path): metadata[keyPath: path] = try time(&scanner, &reason)
    case .integer(let path, let range):
      metadata[keyPath: path] = try integer(range, &scanner, &reason)
    case .number(let path, let range, let unit):
      metadata[keyPath: path] = try number(range, &scanner, &reason, unit: unit)
    case .text(let path), .lines(let path): metadata[keyPath: path] = try text(&scanner, &reason)
    case .texts(let path): metadata[keyPath: path] = try texts(&scanner, &reason)
    case .flag: try scanner.skipValue()
    }
    return reason
  }

}

// Values.
extension CatalogMetadata {
  private func number(
    _ range: ClosedRange<Double>, _ scanner: inout JSONScanner, _ reason: inout ValueFault?,
    unit: MetadataField.Unit? = nil
  ) throws(JSONFault) -> Double? {
    let value: Double?
    switch scanner.next() {
    case let first? where first == UInt8(ascii: "-") || first.isDigit: value = scanner.double(try scanner.number())
    case UInt8(ascii: "\""):
      // 500px writes numbers as strings, and an empty string if the number is unknown.
      let text = scanner.string(try scanner.text())
      if text.allSatisfy(\.isWhitespace) { return nil }
      value = WrittenNumber(text, unit: unit)?.value
    default:
      try pass(over: .unsuitable, &scanner, &reason)
      return nil
    }
    if let value, range.contains(value) { return value }
    reason = .unsuitable
    return nil
  }

  private func integer(
    _ range: ClosedRange<Int>, _ scanner: inout JSONScanner, _ reason: inout ValueFault?
  ) throws(JSONFault) -> Int? {
    let reals = Double(range.lowerBound)...Double(range.upperBound)
    guard let value = try number(reals, &scanner, &reason) else { return nil }
    if let value = Int(exactly: value) { return value }
    reason = .isNot(.integer)
    return nil
  }

  private func text(_ scanner: inout JSONScanner, _ reason: inout ValueFault?) throws(JSONFault) -> String? {
    guard scanner.next() == UInt8(ascii: "\"") else {
      try pass(over: .isNot(.text), &scanner, &reason)
      return nil
    }
    let text = try scanner.text()
    if !text.isTooLong { return scanner.string(text).printable.nonEmpty }
    reason = .tooLong(JSONText.longest)
    return nil
  }

  private func texts(_ scanner: inout JSONScanner, _ reason: inout ValueFault?) throws(JSONFault) -> [String] {
    guard scanner.next() == UInt8(ascii: "[") else {
      try pass(over: .isNot(.listOfTexts), &scanner, &reason)
      return []
    }
    scanner.offset += 1
    if scanner.take(UInt8(ascii: "]")) { return [] }
    var texts: [String] = []
    while true {
      if scanner.next() == UInt8(ascii: "\"") {
        texts += [try text(&scanner, &reason)].compactMap(\.self)
      } else {
        reason = .containsOtherThanTexts
        try scanner.skipValue()
      }
      if scanner.take(UInt8(ascii: "]")) { return texts }
      guard scanner.take(UInt8(ascii: ",")) else { throw scanner.unexpected(wanted: .commaOrBracket) }
    }
  }

  private func time(_ scanner: inout JSONScanner, _ reason: inout ValueFault?) throws(JSONFault) -> CaptureTime? {
    guard scanner.next() == UInt8(ascii: "\"") else {
      try pass(over: .isNot(.text), &scanner, &reason)
      return nil
    }
    var text = scanner.string(try scanner.text())
    let time = text.withUTF8(CaptureTime.init(iso8601:))
    if time == nil { reason = .unsuitable }
    return time
  }

  /// Skips a value of the wrong type, which is a fault unless it is `null`.
  private func pass(
    over fault: ValueFault, _ scanner: inout JSONScanner, _ reason: inout ValueFault?
  ) throws(JSONFault) {
    if scanner.next() != UInt8(ascii: "n") { reason = fault }
    try scanner.skipValue()
  }
}

extension JSONScanner {
  /// Returns a number's value, which is infinite if it is too large.
  fileprivate func double(_ range: Range<Int>) -> Double {
    Double(String(decoding: bytes[range], as: UTF8.self)) ?? .infinity
  }

  /// Returns the field that is kept in the member with this name, or nil if there is none.
  func metadataField(_ key: JSONText) -> MetadataField? {
    if !key.hasEscapes { return CatalogMetadata.field(utf8(key)) }
    var name = string(key)
    return name.withUTF8(CatalogMetadata.field)
  }
}
