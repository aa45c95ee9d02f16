import Gallery

/// What a catalog says of a photo beyond what every photo has: what stands in the photo's file, by names of its own.
/// A value that makes no sense is passed over.
///
/// A class, so that the rows of catalogs that have none of it stay small.
final class CatalogMetadata {
  enum Field: String, CaseIterable {
    case takenAt = "taken_at"
    case width, height, lens
    case exposureTime = "exposure_time"
    case aperture
    case focalLength = "focal_length"
    case iso, keywords, stars, label, latitude, longitude, altitude

    /// By the lengths of their names, since every member that is not known is looked for here.
    fileprivate static let byLength = (0...13).map { length in allCases.filter { $0.rawValue.utf8.count == length } }
  }

  private(set) var metadata = PhotoMetadata()
  private var latitude: Double?
  private var longitude: Double?
  private var altitude: Double?

  /// Reads the value that starts here, in place of one that was read before; `null` stands for an absent one.
  ///
  /// - Returns: Why it is passed over, or a part of it; nil where it is not.
  func read(_ field: Field, _ scanner: inout JSONScanner) throws(JSONFault) -> StaticString? {
    var reason: StaticString?
    switch field {
    case .takenAt: metadata.takenAt = try time(&scanner, &reason)
    case .width: metadata.width = try integer(1...Int(Int32.max), "is no number of pixels", &scanner, &reason) ?? 0
    case .height: metadata.height = try integer(1...Int(Int32.max), "is no number of pixels", &scanner, &reason) ?? 0
    case .lens: metadata.lens = try text(&scanner, &reason)
    case .exposureTime: metadata.exposureTime = try positive("is no time in seconds", unit: .seconds, &scanner, &reason)
    case .aperture: metadata.fNumber = try positive("is no f-number", unit: .fNumber, &scanner, &reason)
    case .focalLength:
      metadata.focalLength = try positive("is no length in millimetres", unit: .millimetres, &scanner, &reason)
    case .iso: metadata.iso = try integer(1...Int(Int32.max), "is no sensitivity", &scanner, &reason)
    case .keywords: metadata.keywords = try texts(&scanner, &reason)
    case .stars: metadata.rating = try integer(-1...5, "is not from -1 to 5", &scanner, &reason)
    case .label: metadata.label = try text(&scanner, &reason)
    case .latitude: latitude = try number(-90...90, "is not from -90 to 90 degrees", &scanner, &reason)
    case .longitude: longitude = try number(-180...180, "is not from -180 to 180 degrees", &scanner, &reason)
    case .altitude: altitude = try number(-1e6...1e6, "is no height in metres", &scanner, &reason)
    }
    if let latitude, let longitude {
      metadata.place = PhotoMetadata.Place(latitude: latitude, longitude: longitude, altitude: altitude)
    } else {
      metadata.place = nil
    }
    return reason
  }

  /// Whether only a part of a place is known, which is none.
  var hasHalfPlace: Bool { metadata.place == nil && (latitude != nil || longitude != nil || altitude != nil) }
}

// Values.
extension CatalogMetadata {
  private func number(
    _ range: ClosedRange<Double>, _ fault: StaticString, _ scanner: inout JSONScanner, _ reason: inout StaticString?,
    unit: WrittenNumber.Unit? = nil
  ) throws(JSONFault) -> Double? {
    let value: Double?
    switch scanner.next() {
    case let first? where first == UInt8(ascii: "-") || first.isDigit: value = scanner.double(try scanner.number())
    case UInt8(ascii: "\""):
      // 500px writes numbers as texts, and an empty one where it doesn't know the number.
      let text = scanner.string(try scanner.text())
      if text.allSatisfy(\.isWhitespace) { return nil }
      value = WrittenNumber(text, unit: unit)?.value
    default:
      try pass(over: fault, &scanner, &reason)
      return nil
    }
    if let value, range.contains(value) { return value }
    reason = fault
    return nil
  }

  private func positive(
    _ fault: StaticString, unit: WrittenNumber.Unit, _ scanner: inout JSONScanner, _ reason: inout StaticString?
  ) throws(JSONFault) -> Double? {
    let range = Double.leastNonzeroMagnitude...Double.greatestFiniteMagnitude
    return try number(range, fault, &scanner, &reason, unit: unit)
  }

  private func integer(
    _ range: ClosedRange<Int>, _ fault: StaticString, _ scanner: inout JSONScanner, _ reason: inout StaticString?
  ) throws(JSONFault) -> Int? {
    let reals = Double(range.lowerBound)...Double(range.upperBound)
    guard let value = try number(reals, fault, &scanner, &reason) else { return nil }
    if let value = Int(exactly: value) { return value }
    reason = "is not an integer"
    return nil
  }

  private func text(_ scanner: inout JSONScanner, _ reason: inout StaticString?) throws(JSONFault) -> String? {
    guard scanner.next() == UInt8(ascii: "\"") else {
      try pass(over: "is not a text", &scanner, &reason)
      return nil
    }
    return scanner.string(try scanner.text()).printable.nonEmpty
  }

  private func texts(_ scanner: inout JSONScanner, _ reason: inout StaticString?) throws(JSONFault) -> [String] {
    guard scanner.next() == UInt8(ascii: "[") else {
      try pass(over: "is not a list of texts", &scanner, &reason)
      return []
    }
    scanner.offset += 1
    if scanner.take(UInt8(ascii: "]")) { return [] }
    var texts: [String] = []
    while true {
      if scanner.next() == UInt8(ascii: "\"") {
        texts += [try text(&scanner, &reason)].compactMap(\.self)
      } else {
        reason = "has something that is not a text"
        try scanner.skipValue()
      }
      if scanner.take(UInt8(ascii: "]")) { return texts }
      guard scanner.take(UInt8(ascii: ",")) else { throw scanner.unexpected(wanted: "a comma or “]”") }
    }
  }

  private func time(_ scanner: inout JSONScanner, _ reason: inout StaticString?) throws(JSONFault) -> CaptureTime? {
    guard scanner.next() == UInt8(ascii: "\"") else {
      try pass(over: "is not a text", &scanner, &reason)
      return nil
    }
    var text = scanner.string(try scanner.text())
    let time = text.withUTF8(CaptureTime.init(iso8601:))
    if time == nil { reason = "is not a date of ISO 8601, with a time and with an offset or without" }
    return time
  }

  private func pass(
    over fault: StaticString, _ scanner: inout JSONScanner, _ reason: inout StaticString?
  ) throws(JSONFault) {
    if scanner.next() != UInt8(ascii: "n") { reason = fault }
    try scanner.skipValue()
  }
}

extension JSONScanner {
  /// The value of a number; infinite where it is too large.
  fileprivate func double(_ range: Range<Int>) -> Double {
    Double(String(decoding: bytes[range], as: UTF8.self)) ?? .infinity
  }

  /// Returns the field of a member. 500px calls the keywords `tags` and the exposure time `shutter_speed`.
  func metadataField(_ key: JSONText) -> CatalogMetadata.Field? {
    if key.hasEscapes { return CatalogMetadata.Field(rawValue: string(key)) }
    if isText(key, "tags") { return .keywords }
    if isText(key, "shutter_speed") { return .exposureTime }
    guard CatalogMetadata.Field.byLength.indices.contains(key.range.count) else { return nil }
    return CatalogMetadata.Field.byLength[key.range.count].first { $0.rawValue.utf8.elementsEqual(utf8(key)) }
  }
}
