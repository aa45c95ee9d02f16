import TestLimit
import Testing

@testable import Gallery
@testable import Languages

@Suite(.limited) struct LanguageTests {
  /// Returns the translations that an environment asks for, among those that there are.
  private func language(_ environment: [String: String]) -> String {
    let names = Language.wanted(by: environment).flatMap(Language.names)
    return names.first { [Language.english, "de", "zh_TW"].contains($0) } ?? Language.english
  }

  @Test(
    "A locale has the translation of its language",
    arguments: [
      ("de_DE.UTF-8", "de"), ("de_AT", "de"), ("de", "de"), ("de_CH.UTF-8@euro", "de"), ("zh_TW.UTF-8", "zh_TW"),
      ("zh_HK.UTF-8", "zh_TW"), ("zh_MO", "zh_TW"), ("zh_Hant", "zh_TW"), ("zh-Hant-SG", "zh_TW"),
      ("zh_CN.UTF-8", "en"),
      ("zh_SG", "en"), ("zh", "en"), ("en_US.UTF-8", "en"), ("fr_FR.UTF-8", "en"), ("C", "en"), ("POSIX", "en"),
      ("C.UTF-8", "en"), ("", "en"), ("../de", "en"), ("_", "en"),
    ])
  func locales(locale: String, name: String) { #expect(language(["LANG": locale]) == name) }

  @Test("LC_ALL counts more than LC_MESSAGES, which counts more than LANG; an empty variable does not count")
  func precedence() {
    #expect(language(["LC_ALL": "de_DE", "LC_MESSAGES": "zh_TW", "LANG": "en_US"]) == "de")
    #expect(language(["LC_ALL": "", "LC_MESSAGES": "zh_TW", "LANG": "de_DE"]) == "zh_TW")
    #expect(language(["LC_ALL": "C", "LANG": "de_DE"]) == "en")
    #expect(language(["LC_CTYPE": "de_DE"]) == "en")
    #expect(language([:]) == "en")
  }

  @Test("LANGUAGE is a list that counts most, except in the locale C")
  func priorityList() {
    #expect(language(["LANGUAGE": "fr:zh_TW:de", "LANG": "de_DE"]) == "zh_TW")
    #expect(language(["LANGUAGE": "fr", "LANG": "de_DE"]) == "de")
    #expect(language(["LANGUAGE": "en:de", "LANG": "de_DE"]) == "en")
    #expect(language(["LANGUAGE": "zh_CN:zh_TW", "LANG": "zh_CN"]) == "zh_TW")
    #expect(language(["LANGUAGE": "de", "LANG": "C.UTF-8"]) == "en")
    #expect(language(["LANGUAGE": "de"]) == "en")
  }

  @Test("A translation can order the values differently, and chooses the form for a number")
  func texts() {
    let po = """
      msgid ""
      msgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"
      msgid "%1 of %2"
      msgstr "%2: %1 %%3%"
      msgctxt "a search"
      msgid "invalid"
      msgstr "ungültig"
      msgid "%1 photo"
      msgid_plural "%1 photos"
      msgstr[0] "ein Foto"
      msgstr[1] "%1 Fotos"
      #, fuzzy
      msgid "Guess"
      msgstr "Vermutung"
      msgid "Empty"
      msgstr ""
      """
    let translations = Translations(po: Array(po.utf8))
    #expect(translations.text("\("a%2") of \(2)") == "2: a%2 %%3%")
    #expect(translations.text("invalid", context: "a search") == "ungültig")
    #expect(
      [1, 2].map { translations.text("\($0) photo", plural: "\($0) photos", count: $0) } == ["ein Foto", "2 Fotos"])
    let others: [LocalizedText] = ["invalid", "Guess", "Empty", "Unknown"]
    #expect(others.map { translations.text($0) } == [nil, nil, nil, nil])
  }

  @Test("A text without a translation is English")
  func english() {
    #expect(localized("\("a%2") of \(2)") == "a%2 of 2")
    #expect(
      [0, 1, 2].map { localized("\($0) photo", plural: "\($0) photos", count: $0) } == [
        "0 photos", "1 photo", "2 photos",
      ])
  }
}
