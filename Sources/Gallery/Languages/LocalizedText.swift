/// A text of the interface, written in English where it is used: `"Can't reach \(server): \(fault)"`.
///
/// The text with numbered placeholders, here `Can't reach %1: %2`, finds the translation, in which the placeholders may
/// have another order. Tests/LanguagesTests finds these texts in the sources, as the literals of ``localized(_:context:)``,
/// ``localized(_:plural:count:)`` and `LocalizedText(…)`.
public struct LocalizedText: ExpressibleByStringInterpolation, Hashable, Sendable {
  /// The English text with `%1`, `%2`, … in place of the values.
  let key: String
  /// The English text with the values.
  public let english: String
  /// The values, in their order in English.
  let values: [String]

  /// Creates a text without values.
  public init(stringLiteral text: String) {
    key = text
    english = text
    values = []
  }

  /// Creates a text from the parts of a literal.
  public init(stringInterpolation: StringInterpolation) {
    key = stringInterpolation.key
    english = stringInterpolation.english
    values = stringInterpolation.values
  }

  /// The parts of a text that is being written.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var key = ""
    fileprivate var english = ""
    fileprivate var values: [String] = []

    /// Creates an empty text.
    public init(literalCapacity: Int, interpolationCount: Int) {
      key.reserveCapacity(literalCapacity + 2 * interpolationCount)
    }

    /// Appends a part of the literal.
    public mutating func appendLiteral(_ literal: String) {
      key += literal
      english += literal
    }

    /// Appends a value.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      let text = value.description
      values.append(text)
      key += "%\(values.count)"
      english += text
    }
  }
}
