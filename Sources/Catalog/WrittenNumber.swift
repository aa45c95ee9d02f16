import Gallery

/// A number that a catalog writes as a text, as 500px does: `5.6`, and with its unit `f/5.6`, `1/640 s`, `24 mm`.
struct WrittenNumber {
  let value: Double

  /// - Parameter unit: The unit that may be written, too; of seconds, a fraction may be written as well.
  init?(_ text: String, unit: MetadataField.Unit? = nil) {
    var rest = text.lowercased().filter { !$0.isWhitespace }[...]
    switch unit {
    case .fNumber: rest.drop(prefixes: ["f/", "ƒ/", "f", "ƒ"])
    case .seconds: rest.drop(suffixes: ["seconds", "second", "sec.", "sec", "s", "\"", "″"])
    case .millimeters: rest.drop(suffixes: ["mm"])
    case .degrees, .meters, nil: break
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

  /// A decimal number; `Double` would read words and hexadecimal digits, too.
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
