/// A comparison such as `>=4` or `1..5`: the bounds of a range, and whether the range includes them.
struct QueryRange {
  private(set) var lower: Substring?
  private(set) var upper: Substring?
  /// Whether the range includes ``lower``.
  private(set) var includesLower = true
  /// Whether the range includes ``upper``.
  private(set) var includesUpper = true

  /// Parses a comparison. Returns nil if a value is missing or the operator is unknown.
  init?(_ text: String) {
    if let dots = text.firstRange(of: "..") {
      lower = text[..<dots.lowerBound].nonEmpty
      upper = text[dots.upperBound...].nonEmpty
      if lower == nil && upper == nil { return nil }
      return
    }
    let sign = text.prefix { "<>=".contains($0) }
    guard let value = text.dropFirst(sign.count).nonEmpty else { return nil }
    switch sign {
    case "", "=":
      lower = value
      upper = value
    case ">=": lower = value
    case ">":
      lower = value
      includesLower = false
    case "<=": upper = value
    case "<":
      upper = value
      includesUpper = false
    default: return nil
    }
  }

  /// The numbers in the range, or nil if a bound is not a number or the range is empty.
  var numbers: ClosedRange<Float>? {
    var (first, last) = (-Float.infinity, Float.infinity)
    if let lower {
      guard let number = Double(written: lower).map(Float.init) else { return nil }
      first = includesLower ? number : number.nextUp
    }
    if let upper {
      guard let number = Double(written: upper).map(Float.init) else { return nil }
      last = includesUpper ? number : number.nextDown
    }
    return first <= last ? first...last : nil
  }
}

extension Double {
  /// The units that the user may write behind a number, as details show them.
  private static let units = ["mm", "mb", "ev", "px", "s"]

  /// Parses a number such as `4`, `-1`, `2.8`, `1/250` or `35mm`. Returns nil for anything else.
  init?(written text: Substring) {
    let unit = Self.units.first { text.lowercased().hasSuffix($0) } ?? ""
    let text = text.dropLast(unit.count)
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { part in
      part.last?.isWholeNumber == true && part.allSatisfy { "0123456789.-".contains($0) } ? Double(part) : nil
    }
    guard let number = parts[0] else { return nil }
    guard parts.count > 1 else {
      self = number
      return
    }
    guard parts.count == 2, let divisor = parts[1], divisor > 0 else { return nil }
    self = number / divisor
  }
}

extension Substring {
  fileprivate var nonEmpty: Substring? { isEmpty ? nil : self }
}
