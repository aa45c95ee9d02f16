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
    (key, english, values) = (text, text, [])
  }

  /// Creates a text from the parts of a literal.
  public init(stringInterpolation: StringInterpolation) {
    (key, english, values) = (stringInterpolation.key, stringInterpolation.english, stringInterpolation.values)
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

  /// The text in the language of the interface.
  public var text: String { localized(self) }
}

/// Returns a text in the language of the interface, or in English if it has no translation.
///
/// - Parameter context: A note that distinguishes the text from an equal one with another meaning.
public func localized(_ text: LocalizedText, context: StaticString? = nil) -> String {
  Translations.current?.text(text, context: context) ?? text.english
}

/// Returns the form of a text for a number, such as `1 photo` or `2 photos`.
///
/// - Parameters:
///   - text: The text for one thing.
///   - plural: The text for several things. Its values also fill the translation.
///   - count: The number that decides. The text contains it as a value if it is shown.
public func localized(_ text: LocalizedText, plural: LocalizedText, count: Int) -> String {
  Translations.current?.text(text, plural: plural, count: count) ?? (count == 1 ? text.english : plural.english)
}
