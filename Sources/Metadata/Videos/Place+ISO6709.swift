import Gallery

extension PhotoMetadata.Place {
  /// Reads a point such as `+37.7749-122.4194+010.5/` (ISO 6709, annex H). Minutes and seconds may be digits of the degrees.
  ///
  /// - Returns: Nil for a text that is no such point, and for 0° N 0° E.
  init?(iso6709 text: String) {
    var numbers: [Substring] = []
    var rest = Substring(text.prefix(100).prefix { $0 != "/" && $0 != "C" })
    while let sign = rest.first, sign == "+" || sign == "-" {
      let digits = rest.dropFirst().prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      numbers.append(rest[..<digits.endIndex])
      rest = rest[digits.endIndex...]
    }
    guard (2...3).contains(numbers.count) else { return nil }
    self.init(
      latitude: Self.degrees(numbers[0], digits: 2), longitude: Self.degrees(numbers[1], digits: 3),
      altitude: numbers.count == 3 ? Double(numbers[2]) : nil)
  }

  /// - Parameter digits: The number of the digits of whole degrees.
  private static func degrees(_ text: Substring, digits: Int) -> Double? {
    guard let value = Double(text) else { return nil }
    let (sign, size) = (value < 0 || text.first == "-" ? -1.0 : 1.0, value.magnitude)
    switch text.dropFirst().prefix(while: \.isNumber).count {
    case ...digits: return value
    case digits + 2: return sign * ((size / 100).rounded(.down) + size.truncatingRemainder(dividingBy: 100) / 60)
    case digits + 4:
      let minutes = (size / 100).rounded(.down).truncatingRemainder(dividingBy: 100)
      let seconds = size.truncatingRemainder(dividingBy: 100)
      return sign * ((size / 10_000).rounded(.down) + minutes / 60 + seconds / 3600)
    default: return nil
    }
  }
}
