import ImageWire

/// The characters that terminals draw themselves, so that no font needs to have them.
///
/// Fonts seldom have sextants and octants, or leave gaps between them. Block elements are in nearly every font.
enum GlyphTable {
  private struct Row {
    /// The beginning of the name and version that the terminal reports (XTVERSION).
    let name: String
    let symbols: SymbolSet
    /// The first version that draws the characters.
    var version: [Int] = []
  }

  /// The best characters of a terminal come first. Konsole, Windows Terminal and iTerm2 take sextants from fonts.
  private static let rows = [
    Row(name: "kitty(", symbols: .octants, version: [0, 40]),
    Row(name: "kitty(", symbols: .sextants),
    Row(name: "foot(", symbols: .octants, version: [1, 20]),
    Row(name: "foot(", symbols: .sextants),
    Row(name: "ghostty", symbols: .octants, version: [1, 2]),
    Row(name: "ghostty", symbols: .sextants),
    // VTE writes 0.78.0 as 7800.
    Row(name: "VTE(", symbols: .octants, version: [7800]),
    Row(name: "VTE(", symbols: .sextants),
    Row(name: "WezTerm", symbols: .sextants),
    Row(name: "contour", symbols: .sextants),
  ]

  /// Returns the best characters that a terminal draws.
  ///
  /// - Parameter terminal: The name and version of the terminal.
  static func symbols(of terminal: String) -> SymbolSet {
    let version = terminal.split { !$0.isNumber }.compactMap { Int($0) }
    let row = rows.first { terminal.hasPrefix($0.name) && !version.lexicographicallyPrecedes($0.version) }
    return row?.symbols ?? .blocks
  }
}
