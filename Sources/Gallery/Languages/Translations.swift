import Synchronization

/// The texts of the interface in one language other than English, from a PO file.
public final class Translations: Sendable {
  private let texts: [String: [String]]
  let pluralRule: PluralRule

  /// Reads the texts of a PO file (GNU gettext manual, "The Format of PO Files").
  ///
  /// Texts that are not translated, or marked as fuzzy, stay English.
  public init(po bytes: [UInt8]) {
    var texts: [String: [String]] = [:]
    var rule: PluralRule?
    for entry in POFile(bytes).entries where !entry.isFuzzy && entry.forms.allSatisfy({ !$0.isEmpty }) {
      if entry.text.isEmpty {
        rule = entry.forms.first.flatMap(PluralRule.init(header:))
      } else {
        texts[entry.context.map { Self.key(entry.text, in: $0) } ?? entry.text] = entry.forms
      }
    }
    self.texts = texts
    pluralRule = rule ?? PluralRule.english
  }

  /// The texts of the interface's language, or nil for English. Any thread may read it.
  static var current: Translations? { inUse.withLock { $0 } }

  /// Changes the language of the texts that are made from now on.
  ///
  /// - Parameter translations: The texts, or nil for English.
  public static func use(_ translations: Translations?) { inUse.withLock { $0 = translations } }

  private static let inUse = Mutex<Translations?>(nil)

  /// Returns the forms of a text, one for each plural form, or nil if it is not translated.
  func forms(of key: String) -> [String]? { texts[key] }

  /// Returns what finds a text that has a context, as in gettext's own files.
  static func key(_ text: String, in context: String) -> String { "\(context)\u{4}\(text)" }
}
