import TestLimit
import Testing

@testable import Languages

@Suite(.limited) struct POFileTests {
  private func entries(_ text: String) -> [POFile.Entry] { POFile(Array(text.utf8)).entries }

  private func entry(
    _ text: String, _ forms: String..., context: String? = nil, plural: String? = nil, isFuzzy: Bool = false
  ) -> POFile.Entry {
    var entry = POFile.Entry()
    (entry.context, entry.text, entry.plural, entry.forms, entry.isFuzzy) = (context, text, plural, forms, isFuzzy)
    return entry
  }

  @Test("Entries are read with their contexts, plurals and lines")
  func entries() {
    let text = """
      # A comment.
      msgid ""
      msgstr "Language: de\\n"

      #. A note.
      #: Sources/A.swift
      msgctxt "a verb"
      msgid "Open"
      msgstr "Öffnen"
      msgid "%1 photo"
      msgid_plural "%1 photos"
      msgstr[0] "%1 Foto"
      msgstr[1] "%1 Fotos"

      msgid ""
      "One "
      "\\"two\\" \\\\"
      msgstr ""
      "Eins\\t"
      "zwei"
      """
    #expect(
      entries(text) == [
        entry("", "Language: de\n"), entry("Open", "Öffnen", context: "a verb"),
        entry("%1 photo", "%1 Foto", "%1 Fotos", plural: "%1 photos"), entry(#"One "two" \"#, "Eins\tzwei"),
      ])
  }

  @Test("Obsolete entries are skipped, and fuzzy ones are marked")
  func unusedEntries() {
    let text = "#~ msgid \"A\"\n#~ msgstr \"B\"\n\n#, fuzzy\nmsgid \"C\"\nmsgstr \"D\"\nmsgid \"E\"\nmsgstr \"F\"\n"
    #expect(entries(text) == [entry("C", "D", isFuzzy: true), entry("E", "F")])
  }

  @Test("Text below a comment belongs to no entry")
  func strayText() {
    let text = "msgid \"A\"\nmsgstr \"B\"\n# A comment.\n\"C\"\nmsgid \"D\"\nmsgstr \"E\"\n"
    #expect(entries(text) == [entry("A", "B"), entry("D", "E")])
  }

  @Test(
    "A damaged file costs only the lines that are damaged",
    arguments: [
      "", "msgid", "msgid \"", "msgstr \"a\"", "\"a\"", "msgstr[9] \"a\"", "msgstr[x] \"a\"", "msgid \"a\\",
      "\u{0}\u{FF}",
    ])
  func damage(_ text: String) {
    #expect(entries("\(text)\nmsgid \"A\"\nmsgstr \"B\"\n").last == entry("A", "B"))
  }

  @Test("Plural rules are evaluated as in C")
  func pluralRules() throws {
    func forms(_ rule: String) throws -> [Int] {
      let rule = try #require(PluralRule(header: "Language: x\nPlural-Forms: \(rule)\n"))
      return [0, 1, 2, 5, 11, 21, 22, 112].map(rule.form)
    }
    let dense = try #require(PluralRule(header: "Plural-Forms:nplurals=2;plural=n!=1;\n"))
    #expect([0, 1, 2, -1].map(dense.form) == [1, 0, 1, 0])
    #expect(try forms("nplurals=1; plural=0;") == [0, 0, 0, 0, 0, 0, 0, 0])
    #expect(try forms("nplurals=2; plural=(n != 1);") == [1, 0, 1, 1, 1, 1, 1, 1])
    #expect(try forms("nplurals=2; plural=n > 1;") == [0, 0, 1, 1, 1, 1, 1, 1])
    // Polish and Russian, as the manual of gettext has them.
    let polish = "(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)"
    #expect(try forms("nplurals=3; plural=\(polish);") == [2, 0, 1, 2, 2, 2, 1, 2])
    let russian = "n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2"
    #expect(try forms("nplurals=3; plural=\(russian);") == [2, 0, 1, 2, 2, 0, 1, 2])
  }

  @Test(
    "The operators of a plural rule bind as in C",
    arguments: [
      // Each rule has two neighboring operators, and the forms that C computes for 0 to 4.
      ("n == 1 || n == 2 && n == 3", [0, 1, 0, 0, 0]),
      ("n == 3 && n == 2 || n == 1", [0, 1, 0, 0, 0]),
      ("n && 2 == 2", [0, 1, 1, 1, 1]),
      ("n != 2 && 2", [1, 1, 0, 1, 1]),
      ("n == 1 < 2", [0, 1, 0, 0, 0]),
      ("1 < n == 0", [1, 1, 0, 0, 0]),
      ("n != 3 >= 2", [1, 0, 1, 1, 1]),
      ("1 < n % 3", [0, 0, 1, 0, 0]),
      ("4 % n > 0", [0, 0, 0, 1, 0]),
      // Operators of the same level bind from left to right.
      ("n > 2 > 0", [0, 0, 0, 1, 1]),
      ("9 % 5 % n", [0, 0, 0, 1, 0]),
    ])
  func precedence(_ rule: String, forms: [Int]) throws {
    let rule = try #require(PluralRule(header: "Plural-Forms: nplurals=2; plural=\(rule);"))
    #expect((0...4).map(rule.form) == forms)
  }

  @Test(
    "A plural rule that is no expression is refused",
    arguments: [
      "", "Plural-Forms:", "Plural-Forms: nplurals=2;", "Plural-Forms: nplurals=2; plural=;",
      "Plural-Forms: nplurals=2; plural=n+;", "Plural-Forms: nplurals=0; plural=0;",
      "Plural-Forms: nplurals=2; plural=\(String(repeating: "(", count: 100_000))n;",
      "Plural-Forms: nplurals=2; plural=n\(String(repeating: "&&n", count: 1_000_000));",
    ])
  func invalidRules(_ header: String) { #expect(PluralRule(header: header) == nil) }
}
