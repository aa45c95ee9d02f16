import Gallery

extension Translations {
  /// Reads the texts of a PO file (GNU gettext manual, "The Format of PO Files").
  ///
  /// Texts that are not translated, or marked as fuzzy, stay English.
  public convenience init(po bytes: [UInt8]) {
    var texts: [String: [String]] = [:]
    var rule = PluralRule.english
    for entry in POFile(bytes).entries where !entry.isFuzzy && entry.forms.allSatisfy({ !$0.isEmpty }) {
      if entry.text.isEmpty {
        rule = entry.forms.first.flatMap(PluralRule.init(header:)) ?? rule
      } else {
        texts[entry.context.map { Self.key(entry.text, in: $0) } ?? entry.text] = entry.forms
      }
    }
    self.init(texts) { [rule] in rule.form(for: $0) }
  }
}
