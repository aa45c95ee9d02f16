import Foundation
import TestLimit
import Testing

@testable import Languages

@Suite(.limited) struct TranslationTests {
  @Test("Each text has a translation, and no translation is left over", arguments: TranslationFile.all)
  func completeness(_ file: TranslationFile) throws {
    if ProcessInfo.processInfo.environment["TINTYPE_RECORD"] != nil { return try file.record(Sources.texts) }
    let wanted = Set(Sources.texts.map(\.key))
    let complete = Set(file.translated.filter { !$0.isFuzzy && !$0.forms.contains("") }.map(\.key))
    #expect(wanted.subtracting(complete).map(\.text).sorted() == [], "missing in \(file.name): run make languages")
    #expect(complete.subtracting(wanted).map(\.text).sorted() == [], "left over in \(file.name): run make languages")
  }

  @Test("A text is written in one way, with or without a plural")
  func unambiguity() {
    let keys = Dictionary(grouping: Sources.texts.map(\.key)) { SourceText.Key(context: $0.context, text: $0.text) }
    #expect(keys.values.filter { $0.count > 1 } == [])
  }

  /// Literals that are the same in each language, or that nobody sees.
  private static let untranslated: Set = [
    "Tintype", "A cell for %1 was bound to a %2.", "No cell is registered for %1. Add one to the list's CellKinds.",
    "Red", "Yellow", "Green", "Blue", "Purple", "to do", "RAW", "RAW+JPEG", "%1 kB", "%1%2%3 MB", "%1 MB", "%1 KB",
    "xdg-open: %1.",
  ]

  @Test("Each text that is drawn can be translated")
  func untranslatedTexts() {
    // What is wrong in the configuration file is said in English, as on the command line.
    let files = Sources.files.filter { !$0.path.hasSuffix("/KeyConfiguration.swift") }.filter { file in
      ["Sources/Screens/", "Sources/ViewModels/", "Sources/Gallery/ErrorMessages"].contains { file.path.hasPrefix($0) }
    }
    for file in files {
      for (line, text) in file.others where !Self.untranslated.contains(text) {
        let words = text.replacing(/%[1-9]/, with: "")
        #expect(!words.contains(/^[^a-zA-Z]*[A-Z][a-z]|[a-zA-Z]+\W* [a-zA-Z]{2}/), "\(file.path):\(line): \(text)")
      }
    }
  }

  @Test("A translation has the values of its text", arguments: TranslationFile.all)
  func values(_ file: TranslationFile) {
    for entry in file.translated {
      for form in entry.forms.dropLast() { #expect(values(in: form).isSubset(of: values(in: entry.plural ?? form))) }
      #expect(values(in: entry.forms.last ?? "") == values(in: entry.plural ?? entry.text), "\(entry.text)")
    }
  }

  private func values(in text: String) -> Set<Substring> { Set(text.matches(of: /%[1-9]/).map(\.output)) }

  @Test("A plural has as many forms as the language", arguments: TranslationFile.all)
  func pluralForms(_ file: TranslationFile) throws {
    let rule = try #require(PluralRule(header: file.header))
    for entry in file.translated {
      #expect(entry.forms.count == (entry.plural == nil ? 1 : rule.formCount), "\(entry.text)")
    }
  }

  @Test("A translation begins and ends as its text does", arguments: TranslationFile.all)
  func ends(_ file: TranslationFile) {
    for entry in file.translated where entry.context == nil {
      for form in entry.forms {
        #expect(isSentence(form) == isSentence(entry.text), "\(entry.text)")
        #expect(form.hasSuffix("…") == entry.text.hasSuffix("…"), "\(entry.text)")
        #expect(form.hasPrefix(" ") == entry.text.hasPrefix(" "), "\(entry.text)")
        #expect(form.hasSuffix(" ") == entry.text.hasSuffix(" "), "\(entry.text)")
        #expect(form.count { $0 == "\n" } == entry.text.count { $0 == "\n" }, "\(entry.text)")
      }
    }
  }

  private func isSentence(_ text: String) -> Bool { text.last.map { ".。".contains($0) } ?? false }
}
