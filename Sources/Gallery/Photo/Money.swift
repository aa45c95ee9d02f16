/// An amount of money in a currency.
public struct Money: Hashable, Sendable {
  /// The amount in the smallest unit of the currency, such as cents.
  public let minorUnits: Int
  /// The code of the currency (ISO 4217), such as `EUR`.
  public let currency: String

  /// Creates an amount.
  public init(minorUnits: Int, currency: String) {
    self.minorUnits = minorUnits
    self.currency = currency
  }

  /// The amount and the currency's code: `24.00 EUR`.
  ///
  /// Only the decimal sign depends on the language. The formats of locales come with ICU, which a statically linked
  /// program leaves out.
  public var text: String {
    let digits = Self.fractionDigits(of: currency)
    let figures = String(minorUnits.magnitude)
    let padded = String(repeating: "0", count: max(0, digits + 1 - figures.count)) + figures
    let sign = minorUnits < 0 ? "-" : ""
    let fraction = digits == 0 ? "" : "\(Language.decimalSign)\(padded.suffix(digits))"
    return "\(sign)\(padded.dropLast(digits))\(fraction) \(currency)"
  }

  /// Returns the number of digits after the decimal point (ISO 4217, minor units).
  private static func fractionDigits(of currency: String) -> Int {
    switch currency {
    case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
      "XPF":
      0
    case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
    case "CLF", "UYW": 4
    default: 2
    }
  }
}
