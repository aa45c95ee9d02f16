import CNcurses
import Foundation

/// The characters that the terminal can show.
public enum Charset: Sendable {
  case unicode
  /// Unicode without the symbols that few fonts have, for terminals that use one font for everything.
  case fewSymbols
  case ascii

  /// The characters that the locale's encoding (LC_ALL, LC_CTYPE, LANG) can show.
  public static let current: Charset = {
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
  public var ellipsis: String { self == .ascii ? "..." : "…" }

  /// Returns the replacement of a character that is not one of ASCII's; nil if the character itself can be shown.
  func spelling(of character: Character) -> String? {
    switch self {
    case .unicode: nil
    case .fewSymbols: Self.rareSymbols.contains(character) ? Self.spellings[character] : nil
    case .ascii: Self.asciiSpelling(of: character)
    }
  }

  /// Returns a replacement in ASCII: the letter without its accent, a plain quote or dash, or else a question mark.
  private static func asciiSpelling(of character: Character) -> String {
    if let spelling = spellings[character] { return spelling }
    let base = String(character).decomposedStringWithCanonicalMapping.unicodeScalars.first
    return base.flatMap { (0x20..<0x7F).contains($0.value) ? String($0) : nil } ?? "?"
  }

  private static let rareSymbols: Set<Character> = ["★", "○", "⏎", "⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"]

  private static let spellings: [Character: String] = [
    "…": "...", "“": "\"", "”": "\"", "„": "\"", "«": "<<", "»": ">>", "‘": "'", "’": "'",
    "–": "-", "—": "-", "−": "-", "·": "-", "•": "*", "×": "x", "©": "(c)", "€": "EUR",
    "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L",
    "─": "-", "━": "=", "│": "|", "┃": "#", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "├": "+", "┤": "+", "┬": "+",
    "┴": "+",
    "┌": "+", "┐": "+", "└": "+", "┘": "+", "▏": "|", "▌": "|", "●": "*", "○": "o", "↑": "^", "↓": "v",
    "←": "<", "→": ">", "⏎": "Enter", "█": "#", "✓": "x", "★": "*", "▶": ">", "‖": "=",
    "⠋": "|", "⠙": "/", "⠹": "-", "⠸": "\\", "⠼": "|", "⠴": "/", "⠦": "-", "⠧": "\\",
  ]
}

extension String {
  fileprivate var hasUTF8Encoding: Bool {
    let encoding = split(separator: ".").dropFirst().first?.prefix { $0 != "@" }.lowercased()
    return encoding == "utf-8" || encoding == "utf8"
  }
}
