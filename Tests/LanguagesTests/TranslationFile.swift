import Foundation
import Testing

@testable import Languages

/// A PO file of the package.
struct TranslationFile: CustomTestStringConvertible {
  let name: String
  let entries: [POFile.Entry]
  private let url: URL
  /// The lines up to the end of the header's entry.
  private let head: String

  static let all: [TranslationFile] = {
    let folder = Sources.folder.appending(path: "Resources/languages")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".po") }.sorted().map { TranslationFile(folder.appending(path: $0)) }
  }()

  private init(_ url: URL) {
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    (self.url, name) = (url, url.lastPathComponent)
    entries = POFile(Array(text.utf8)).entries
    head = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }.joined(separator: "\n")
  }

  var testDescription: String { name }

  var header: String { entries.first { $0.text.isEmpty }?.forms.first ?? "" }
  var translated: [POFile.Entry] { entries.filter { !$0.text.isEmpty } }

  /// Writes the texts with their translations. New texts have none yet.
  func record(_ texts: [SourceText]) throws {
    let known = Dictionary(translated.map { ($0.key, $0) }) { first, _ in first }
    let formCount = PluralRule(header: header)?.formCount ?? 1
    let blocks = texts.map { text in
      let entry = known[text.key]
      let empty = Array(repeating: "", count: text.key.plural == nil ? 1 : formCount)
      let forms = entry.map { $0.forms.isEmpty ? empty : $0.forms } ?? empty
      let lines: [String?] = [
        text.note.isEmpty ? nil : "#. \(text.note)",
        "#: \(text.file)",
        entry?.isFuzzy == true ? "#, fuzzy" : nil,
        text.key.context.map { "msgctxt \(Self.quoted($0))" },
        "msgid \(Self.quoted(text.key.text))",
        text.key.plural.map { "msgid_plural \(Self.quoted($0))" },
      ]
      let translations = forms.enumerated().map { number, form in
        "msgstr\(text.key.plural == nil ? "" : "[\(number)]") \(Self.quoted(form))"
      }
      return (lines.compactMap(\.self) + translations).joined(separator: "\n")
    }
    try Data((([head] + blocks).joined(separator: "\n\n") + "\n").utf8).write(to: url)
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    return "\"\(escaped)\""
  }
}

extension POFile.Entry {
  var key: SourceText.Key { SourceText.Key(context: context, text: text, plural: plural) }
}
