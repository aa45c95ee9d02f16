import Synchronization

/// The texts of the interface in one language other than English.
public final class Translations: Sendable {
  private let texts: [String: [String]]
  private let pluralForm: @Sendable (Int) -> Int

  /// Creates the texts of a language.
  ///
  /// - Parameters:
  ///   - texts: The forms of each text by its ``key(_:in:)``, or by the English text if it has no context.
  ///   - pluralForm: Returns the index of the form for a number.
  public init(_ texts: [String: [String]], pluralForm: @escaping @Sendable (Int) -> Int) {
    self.texts = texts
    self.pluralForm = pluralForm
  }

  /// The texts of the interface's language, or nil for English. Any thread may read it.
  static var current: Translations? { inUse.withLock { $0 } }

  /// Changes the language of the texts that are made from now on.
  ///
  /// - Parameter translations: The texts, or nil for English.
  public static func use(_ translations: Translations?) { inUse.withLock { $0 = translations } }

  private static let inUse = Mutex<Translations?>(nil)

  /// Returns the translation of a text, or nil if there is none.
  func text(_ text: LocalizedText, context: StaticString? = nil) -> String? {
    texts[context.map { Self.key(text.key, in: $0.description) } ?? text.key]?.first?.filled(with: text.values)
  }

  /// Returns the translation of a text for a number, or nil if there is none.
  func text(_ text: LocalizedText, plural: LocalizedText, count: Int) -> String? {
    let (forms, form) = (texts[text.key] ?? [], pluralForm(count))
    return forms.indices.contains(form) ? forms[form].filled(with: plural.values) : nil
  }

  /// Returns what finds a text that has a context, as in gettext's own files.
  public static func key(_ text: String, in context: String) -> String { "\(context)\u{4}\(text)" }
}

extension String {
  /// Replaces `%1`, `%2`, … by the values.
  fileprivate func filled(with values: [String]) -> String {
    if values.isEmpty { return self }
    let parts = split(separator: "%", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts[0])) { result, part in
      if let number = part.first?.wholeNumberValue, values.indices.contains(number - 1) {
        result += values[number - 1] + part.dropFirst()
      } else {
        result += "%" + part
      }
    }
  }
}
