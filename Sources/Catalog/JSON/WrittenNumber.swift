import Gallery

/// A number that a catalog writes as a string, as 500px does.
///
/// Examples are `5.6`, and with units `f/5.6`, `1/640 s` and `24 mm`.
public struct WrittenNumber {
  /// The number, in the unit.
  public let value: Double

  /// Reads a number. Returns nil if the text is not a number.
  ///
  /// - Parameter unit: The unit that the text may contain. A number of seconds may be a fraction.
  public init?(_ text: String, unit: MetadataField.Unit? = nil) {
    var rest = text.lowercased().filter { !$0.isWhitespace }[...]
    switch unit {
    case .fNumber: rest.drop(prefixes: ["f/", "ƒ/", "f", "ƒ"])
    case .seconds: rest.drop(suffixes: ["seconds", "second", "sec.", "sec", "s", "\"", "″"])
    case .millimeters: rest.drop(suffixes: ["mm"])
    case .exposureValues: rest.drop(suffixes: ["ev"])
    case .degrees, .meters, .perSecond, nil: break
    }
    let parts = rest.split(separator: "/", omittingEmptySubsequences: false).map(Self.decimal)
    if parts.count == 1, let value = parts[0] {
      self.value = value
    } else if parts.count == 2, unit == .seconds, let dividend = parts[0], let divisor = parts[1], divisor > 0 {
      value = dividend / divisor
    } else {
      return nil
    }
  }

  /// Returns the value of a decimal number. `Double` alone would also accept words and hexadecimal digits.
  private static func decimal(_ text: Substring) -> Double? {
    text.utf8.allSatisfy { $0.isDigit || ".-+e".utf8.contains($0) } ? Double(text) : nil
  }
}

extension Substring {
  fileprivate mutating func drop(prefixes: [String]) {
    if let prefix = prefixes.first(where: hasPrefix) { removeFirst(prefix.count) }
  }

  fileprivate mutating func drop(suffixes: [String]) {
    if let suffix = suffixes.first(where: hasSuffix) { removeLast(suffix.count) }
  }
}
