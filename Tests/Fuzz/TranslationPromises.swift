import Gallery

@testable import Languages

/// The promises of translations: the input is a PO file, which anyone can put into the folder of languages.
struct TranslationPromises {
  private let bytes: [UInt8]

  init(_ input: [UInt8]) { bytes = input }

  func check() throws {
    let file = POFile(bytes)
    let size = file.entries.reduce(0) { sum, entry in
      ([entry.context ?? "", entry.text, entry.plural ?? ""] + entry.forms).reduce(sum) { $0 + $1.utf8.count }
    }
    // An invalid byte becomes the three bytes of a replacement character.
    try promise(size <= 3 * bytes.count, "texts are no longer than the file")
    try promise(file.entries.allSatisfy { $0.forms.count <= 10 }, "a text has no more forms than digits")
    _ = Translations(po: bytes)
    for entry in file.entries where entry.text.isEmpty {
      guard let rule = entry.forms.first.flatMap(PluralRule.init(header:)) else { continue }
      for number in [0, 1, 2, 5, 11, 21, 101, 1_000_000, .max] {
        try promise((0..<rule.formCount).contains(rule.form(for: number)), "a form is one of the rule's")
      }
    }
  }
}
