/// The language of the interface: how it writes numbers. The module Languages chooses it.
public enum Language {
  /// The sign between a whole number and its fraction.
  public static var decimalSign: String { localized(".", context: "decimal sign") }

  /// The sign between groups of three digits.
  public static var groupSign: String { localized(",", context: "between groups of three digits") }
}
