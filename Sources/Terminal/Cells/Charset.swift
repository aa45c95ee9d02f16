import CNcurses
import Foundation
import Synchronization

/// The characters that the terminal can show.
public enum Charset: Sendable {
  case unicode
  /// Unicode without the symbols that few fonts have, for terminals that use one font for everything.
  case fewSymbols
  case ascii
  /// Unicode or ASCII without lines and signs, which screen readers would read aloud.
  case plain, plainASCII

  /// Whether lines and signs are left out. Texts then say in words what signs say otherwise. It is set before anything is
  /// drawn.
  public static var isPlain: Bool {
    get { wantsPlain.load(ordering: .relaxed) }
    set { wantsPlain.store(newValue, ordering: .relaxed) }
  }
  private static let wantsPlain = Atomic(false)

  /// The characters to draw with.
  public static var current: Charset { !isPlain ? ofLocale : ofLocale == .ascii ? .plainASCII : .plain }

  /// The characters that the locale's encoding (LC_ALL, LC_CTYPE, LANG) can show.
  private static let ofLocale: Charset = {
    if setlocale(LC_CTYPE, "") == nil, namedLocale.hasUTF8Encoding {
      // The locale came with an SSH session and is not installed here. The terminal uses its encoding.
      setlocale(LC_CTYPE, "C.UTF-8")
    }
    guard String(cString: nl_langinfo(nl_item(CODESET))) == "UTF-8" else { return .ascii }
    return hasOneFont(ProcessInfo.processInfo.environment["TERM"] ?? "") ? .fewSymbols : .unicode
  }()

  /// Returns whether a terminal of this type draws everything with one font.
  static func hasOneFont(_ type: String) -> Bool { ["mlterm", "linux"].contains(where: type.hasPrefix) }

  private static var namedLocale: String {
    ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { (name: String) in getenv(name).map { String(cString: $0) } }
      .first { !$0.isEmpty } ?? ""
  }

  /// The replacement of text that was cut off.
  public var ellipsis: String { isASCII ? "..." : "…" }

  /// Whether the terminal shows only ASCII.
  public var isASCII: Bool { self == .ascii || self == .plainASCII }

  /// Returns the replacement of a character that is not one of ASCII's; nil if the character itself can be shown.
  func spelling(of character: Character) -> String? {
    switch self {
    case .unicode: nil
    case .fewSymbols: Self.rareSymbols.contains(character) ? Self.spellings[character] : nil
    case .ascii: Self.asciiSpelling(of: character)
    case .plain: Self.plainSpellings[character]
    case .plainASCII: Self.plainSpellings[character] ?? Self.asciiSpelling(of: character)
    }
  }

  /// Returns a replacement in ASCII: the letter without its accent, a plain quote or dash, or else a question mark.
  private static func asciiSpelling(of character: Character) -> String {
    if let spelling = spellings[character] { return spelling }
    let base = String(character).decomposedStringWithCanonicalMapping.unicodeScalars.first
    return base.flatMap { (0x20..<0x7F).contains($0.value) ? String($0) : nil } ?? "?"
  }

  private static let rareSymbols: Set<Character> = [
    "★", "○", "⏎", "⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "▤", "◈", "▸", "✕", "◎",
    "♥",
  ]

  /// Lines become blanks, and signs before words disappear. Signs that also stand alone, as in the contact sheet, become
  /// characters that can be read.
  private static let plainSpellings: [Character: String] = {
    let lines = "─━│┃╭╮╰╯├┤┬┴┌┐└┘▏▁▂▃▄▅▆▇█◂▸".map { ($0, " ") }
    let signs = "●○▶‖■▤◈◎".map { ($0, "") } + "⠋⠙⠹⠸⠼⠴⠦⠧".map { ($0, "…") }
    return Dictionary(
      uniqueKeysWithValues: lines + signs + [("▌", ">"), ("★", "*"), ("♥", "*"), ("✓", "*"), ("✗", "x")])
  }()

  private static let spellings: [Character: String] = [
    "…": "...", "“": "\"", "”": "\"", "„": "\"", "«": "<<", "»": ">>", "‘": "'", "’": "'",
    "–": "-", "—": "-", "−": "-", "·": "-", "•": "*", "×": "x", "©": "(c)", "€": "EUR",
    "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L",
    "─": "-", "━": "=", "│": "|", "┃": "#", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "├": "+", "┤": "+", "┬": "+",
    "┴": "+",
    "┌": "+", "┐": "+", "└": "+", "┘": "+", "▏": "|", "▌": "|", "●": "*", "○": "o", "↑": "^", "↓": "v",
    "←": "<", "→": ">", "⏎": "Enter", "█": "#", "✓": "x", "★": "*", "▶": ">", "‖": "=", "▤": "=",
    "◈": "*", "♥": "*", "◎": "@", "▸": ">", "✕": "x", "≥": ">=", "≤": "<=",
    "⠋": "|", "⠙": "/", "⠹": "-", "⠸": "\\", "⠼": "|", "⠴": "/", "⠦": "-", "⠧": "\\",
  ]
}

extension String {
  fileprivate var hasUTF8Encoding: Bool {
    let encoding = split(separator: ".").dropFirst().first?.prefix { $0 != "@" }.lowercased()
    return encoding == "utf-8" || encoding == "utf8"
  }
}
