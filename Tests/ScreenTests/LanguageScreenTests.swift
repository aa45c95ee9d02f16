import Foundation
import Harness
import Languages
import TestLimit
import Testing

/// The screens in each language, compared with those in English: nothing is cut that English has room for.
@Suite(.fewAtOnce, .limited) struct LanguageScreenTests {
  /// What is typed, and the English text that shows that the screen has followed; `%` stands for any text.
  private static let steps: [(keys: String, text: String, isPopup: Bool)] = [
    ("", "=1/36", false), ("jj\r", "This item is not for sale", true), ("\r", "=3/36", false),
    ("S", "─ Sort by ─", true), ("\u{1B}", "=3/36", false), ("?", "─ Commands ─", true), ("\u{1B}", "=3/36", false),
    ("g", "─ Go to ─", false), ("\u{1B}", "=3/36", false),
    ("gu", "Who are you?", false), ("\u{1B}", "=3/36", false), ("/xyzzy", "No matches.", false),
    ("\u{1B}", "=3/36", false), ("c", "=!3/36", false), ("c", "=3/36", false), ("v", "Back", false),
    ("\u{1B}", "Quit", false), ("gw", "=1/32", false), ("gr", "=EUR", false),
    ("gc", "=Goldberg by Candlelight", false), ("gb", "Validate", false),
  ]

  @Test(arguments: Interface.all, ScreenSize.allCases)
  func nothingIsCutThatEnglishHasRoomFor(interface: Interface, size: ScreenSize) async throws {
    let home = try Home()
    let languages = [Interface.english, interface]
    let sessions = try languages.map {
      try home.enter("photos", columns: size.columns, rows: size.rows, locale: $0.locale)
    }
    defer { for session in sessions { session.close() } }
    for step in Self.steps {
      var cuts: [[String]] = []
      for (session, language) in zip(sessions, languages) {
        session.type(step.keys)
        let screen = try await session.wait(for: "\(step) in \(language)") { language.shows(step.text, on: $0) }
        cuts.append(language.cutTexts(on: screen))
        #expect(screen.brokenBoxes == [], "\(step.keys.debugDescription)\n\(screen.text)")
        #expect(language.unknownHints(on: screen) == [], "\(step.keys.debugDescription)\n\(screen.text)")
        if step.isPopup { #expect(language.unknownTexts(inBoxOf: screen) == [], "\(screen.text)") }
      }
      #expect(cuts[1].count <= cuts[0].count, "\(cuts) after \(step.keys.debugDescription)\n\(sessions[1].screen.text)")
    }
  }

  @Test func theLanguageIsThatOfTheLocaleUnlessTheTerminalHasNoCharactersForIt() async throws {
    let variables: [([String: String?], String)] = [
      (["LANG": "de_AT.UTF-8"], "36 Fotos"), (["LANG": "zh_HK.UTF-8"], "36 張相片"),
      (["LANG": "zh_CN.UTF-8"], "36 photos"),
      (["LANG": "de_DE.UTF-8", "LC_ALL": "C.UTF-8"], "36 photos"), (["LANG": "de_DE.ISO-8859-1"], "36 photos"),
      (["LANG": "en_US.UTF-8", "LANGUAGE": "de:en"], "36 Fotos"), (["LANG": "../de.UTF-8"], "36 photos"),
    ]
    for (changes, text) in variables {
      let session = try Program.start("--delay", "0", changes: changes)
      defer { session.close() }
      try await session.wait(for: "\(text) with \(changes)") { $0.contains(text) }
    }
  }

  @Test(arguments: [
    ("de", ["Fotos p", "Pinnwand", "Abzüge r", "Cover", "Gästebuch"]),
    ("zh_TW", ["相片 p", "動態牆 w", "沖印品 r", "封面 c", "簽名簿 b"]),
  ])
  func eachTabShowsTheLetterOfItsKey(language: String, tabs: [String]) async throws {
    let session = try await Program.open(changes: ["LANG": "\(language).UTF-8"])
    defer { session.close() }
    let line = try await session.wait(for: "the tabs") { $0.contains(tabs[4]) }.lines[0]
    #expect(line.contains("   " + tabs.joined(separator: "  ") + "  "))
  }

  @Test func theCommandLineIsEnglishInEachLanguage() async throws {
    let session = try Program.start("/nonexistent", changes: ["LANG": "de_DE.UTF-8"])
    defer { session.close() }
    try await session.waitForText("There is no file at /nonexistent. Check the name.")
  }

  @Test func aCommandIsFoundByItsTitleAndByItsEnglishOne() async throws {
    let session = try await Program.open(changes: ["LANG": "de_DE.UTF-8"])
    defer { session.close() }
    session.type(":kontakt")
    try await session.waitForText("Kontaktbogen ein/aus")
    session.type(String(repeating: "\u{7F}", count: 7) + "contact sheet")
    try await session.waitForTexts("contact sheet", "Kontaktbogen ein/aus")
  }
}

/// A language of the interface with its texts.
struct Interface: CustomTestStringConvertible, Sendable {
  let name: String
  private let translations: [String: String]
  /// The texts without the signs at their ends, in pieces between the values. Texts of values alone are left out.
  private let texts: Set<[String]>
  private let keyNames: Set<String>

  static let english = Interface(name: "en", file: "de")
  static let all = ["de", "zh_TW"].map { Interface(name: $0, file: $0) }

  private init(name: String, file: String) {
    let data = FileManager.default.contents(atPath: Self.resource("languages/\(file).po")) ?? Data()
    let entries = POFile(Array(data)).entries.filter { !$0.text.isEmpty }
    self.name = name
    func forms(_ entry: POFile.Entry) -> [String] {
      name == "en" ? [entry.text, entry.plural].compactMap(\.self) : entry.forms
    }
    translations = Dictionary(entries.map { ($0.text, forms($0)[0]) }) { first, _ in first }
    keyNames = Set(entries.filter { $0.context == "a key" }.flatMap(forms))
    texts = Set(entries.flatMap(forms).map(Self.pieces).filter { $0.joined().contains(where: \.isLetter) })
  }

  private static func pieces(of text: String) -> [String] {
    var pieces = text.split(separator: /%[1-9]/, omittingEmptySubsequences: false).map(String.init)
    pieces[0] = pieces[0].withoutSigns(.start)
    pieces[pieces.count - 1] = pieces[pieces.count - 1].withoutSigns(.end)
    return pieces
  }

  var testDescription: String { name }
  var locale: String { name == "en" ? "C.UTF-8" : "\(name).UTF-8" }

  private static func resource(_ name: String) -> String {
    URL(filePath: Program.path).deletingLastPathComponent().appending(path: "tintype_Resources.resources/\(name)").path
  }

  /// The contents of the bundled gallery.
  private static let data = ["content.json", "wall.json", "prints.json", "music.json"]
    .map { (try? String(contentsOfFile: resource($0), encoding: .utf8)) ?? "" }.joined(separator: "\n")

  /// Returns whether the screen has a text: a translated one between symbols, or the same one in each language after `=`.
  /// After `=!`, the screen must not have it.
  func shows(_ text: String, on screen: Screen) -> Bool {
    if text.hasPrefix("=!") { return !screen.contains(String(text.dropFirst(2))) }
    if text.hasPrefix("=") {
      return screen.contains(String(text.dropFirst())) && screen.brokenBoxes == [] && !screen.hasBox
    }
    let word = text.trimmingCharacters(in: ["─", " "])
    return screen.contains(text.replacing(word, with: translations[word] ?? "?"))
  }

  /// Returns whether a text is a whole text of the interface, perhaps between signs such as `✓` and `[`.
  private func isWhole(_ text: String) -> Bool {
    let text = text.withoutSigns(.start).withoutSigns(.end)
    return texts.contains([text]) || texts.contains { $0.count > 1 && Self.isMade(text, of: $0) }
  }

  private static func isMade(_ text: String, of pieces: [String]) -> Bool {
    guard text.hasPrefix(pieces[0]), text.hasSuffix(pieces[pieces.count - 1]) else { return false }
    var rest = text[...]
    return pieces.allSatisfy { piece in
      guard !piece.isEmpty else { return true }
      guard let place = rest.range(of: piece) else { return false }
      rest = rest[place.upperBound...]
      return true
    }
  }

  /// Returns whether a text begins with one of the gallery's contents, or is a camera with a description.
  private func isData(_ text: String) -> Bool {
    text.contains(" - ") || Self.data.contains(text.prefix { $0 != "…" }.trimmingCharacters(in: .whitespaces))
  }

  private func isKeys(_ text: String) -> Bool {
    text.split(separator: ", ").allSatisfy { key in
      let base = key.split(separator: "-", maxSplits: 1).last.map(String.init) ?? ""
      return key.count <= 3 || keyNames.contains(String(key)) || base.count == 1
    }
  }

  /// Returns the texts of the interface that end in an ellipsis because there was no room for them.
  func cutTexts(on screen: Screen) -> [String] {
    screen.lines.flatMap(\.parts).filter { $0.contains("…") && !isWhole($0) && !isHint($0) && !isData($0) }
  }

  /// Returns the hints of the footer whose labels are no whole text.
  func unknownHints(on screen: Screen) -> [String] {
    let footer = (screen.lines.last ?? "").drop { $0 == " " }
    return footer.split(separator: #/  +| │ /#).map(String.init).filter { !isHint($0) }
  }

  /// Returns whether a text is a key with a whole label, which may end in an ellipsis itself, as that of `e Save…` does.
  private func isHint(_ text: String) -> Bool { isWhole(String(text.drop { $0 != " " })) }

  /// Returns the texts in a popup that are neither whole nor cut with an ellipsis.
  func unknownTexts(inBoxOf screen: Screen) -> [String] {
    screen.linesInBox.flatMap(\.parts).filter { !isWhole($0) && !$0.contains("…") && !isKeys($0) && !isData($0) }
  }
}

extension String {
  fileprivate enum End {
    case start, end
  }

  /// The text without blanks and signs at one of its ends.
  fileprivate func withoutSigns(_ end: End) -> String {
    let isSign = { (character: Character) in !character.isLetter && !character.isNumber }
    switch end {
    case .start: return String(drop(while: isSign))
    case .end: return String(reversed().drop(while: isSign).reversed())
    }
  }

  /// The texts between borders and gaps of at least two blanks.
  fileprivate var parts: [String] {
    split(separator: #/  +|[│┃▌╭╮╰╯─━┌┐└┘]+/#).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
}

extension Screen {
  /// The places of the boxes' upper left corners.
  private var corners: [(row: Int, column: Int)] {
    cells.enumerated().flatMap { row, cells in
      cells.indices.filter { cells[$0].text == "╭" }.map { (row, $0) }
    }
  }

  fileprivate var hasBox: Bool { !corners.isEmpty }

  /// The boxes whose border is not closed, in words.
  fileprivate var brokenBoxes: [String] {
    corners.compactMap { top, left in
      guard let right = cells[top].indices.first(where: { $0 > left && cells[top][$0].text == "╮" }) else {
        return "top"
      }
      let below = cells.indices.dropFirst(top + 1)
      guard let bottom = below.first(where: { cells[$0][left].text == "╰" }) else { return "bottom" }
      if cells[bottom][right].text != "╯" { return "corner" }
      let sides = (top + 1..<bottom).allSatisfy { cells[$0][left].text == "│" && cells[$0][right].text == "│" }
      let line = cells[bottom][left + 1..<right].allSatisfy { $0.text == "─" }
      return sides && line ? nil : "sides"
    }
  }

  /// The lines inside the first box.
  fileprivate var linesInBox: [String] {
    guard let (top, left) = corners.first, let right = cells[top].firstIndex(where: { $0.text == "╮" }) else {
      return []
    }
    let rows = cells.dropFirst(top + 1).prefix { $0[left].text == "│" }
    return rows.map { $0[left + 1..<right].map(\.text).joined() }
  }
}
