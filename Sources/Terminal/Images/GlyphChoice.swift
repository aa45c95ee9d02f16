import CNcurses
import CSystem
import ImageWire

/// The user's choice of the characters that images are drawn with, as it is named on the command line.
public enum GlyphChoice: String, CaseIterable, Sendable {
  /// The best characters that the terminal is known to draw.
  case auto
  case blocks
  case sextants
  case octants
  case braille
  case ascii

  /// The chosen characters; nil for the terminal's best.
  public var symbols: SymbolSet? {
    switch self {
    case .auto: nil
    case .blocks: .blocks
    case .sextants: .sextants
    case .octants: .octants
    case .braille: .braille
    case .ascii: .ascii
    }
  }

  /// Returns an output format with the chosen characters, if it is characters and if the locale's encoding has more than
  /// ASCII.
  ///
  /// - Parameter usesCurses: Whether ncurses draws the characters.
  public func applied(to format: OutputFormat?, on capabilities: Capabilities, usesCurses: Bool) -> OutputFormat? {
    guard case .symbols(let depth, let best) = format, best != .ascii else { return format }
    let symbols = symbols ?? best
    return .symbols(depth, symbols.drawable(usesCurses: usesCurses, on: capabilities))
  }

  /// Returns which characters images are drawn with where the output format is characters, and why, as a clause.
  public func reason(on capabilities: Capabilities, charset: Charset) -> String {
    if charset.isASCII { return "ascii, since the locale has no other characters" }
    let wanted = symbols ?? GlyphTable.symbols(of: capabilities.drawingTerminal)
    let reason =
      symbols != nil
      ? "chosen with --glyphs" : wanted == .blocks ? "which nearly every font has" : "which this terminal draws itself"
    let known = wanted.drawable(usesCurses: true, on: capabilities)
    guard known != wanted else { return "\(wanted), \(reason)" }
    let place = capabilities.multiplexer?.rawValue ?? "the gallery"
    return "\(wanted), \(reason), but \(known) in \(place): the C library does not know \(wanted)"
  }
}

extension SymbolSet {
  /// Returns the set, or sextants instead of octants where these would be left out. ncurses and multiplexers draw no character
  /// whose width they do not know, and that of octants came with Unicode 16.
  fileprivate func drawable(usesCurses: Bool, on capabilities: Capabilities) -> SymbolSet {
    let octant: UInt32 = 0x1CD00
    let isUnknownHere = usesCurses && cncurses_width(octant) < 1
    // A multiplexer is another program, which asks the C library.
    let isUnknownThere = capabilities.multiplexer != nil && library_width(wchar_t(octant)) < 1
    return self == .octants && (isUnknownHere || isUnknownThere) ? .sextants : self
  }
}
