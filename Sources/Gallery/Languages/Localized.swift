extension LocalizedText {
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
