import CNcurses
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

  /// Returns which characters images are drawn with where the output format is characters, and why, as a clause.
  public func reason(on capabilities: Capabilities) -> String {
    if self != .auto { return "\(rawValue): --glyphs says so" }
    switch GlyphTable.symbols(of: capabilities.drawingTerminal) {
    case .octants: return "octants, which this terminal draws itself"
    case .sextants: return "sextants, which this terminal draws itself"
    case .blocks, .ascii, .braille: return "blocks, which nearly every font has"
    }
  }

  /// Returns an output format with the chosen characters, if it is characters and if the locale's encoding has more than
  /// ASCII.
  public func applied(to format: OutputFormat?) -> OutputFormat? {
    guard case .symbols(let depth, let symbols) = format, symbols != .ascii else { return format }
    return .symbols(depth, self.symbols ?? symbols)
  }
}

extension OutputFormat {
  /// The format with characters that ncurses draws: those whose width the C library knows. Octants need Unicode 16.
  public var forCurses: OutputFormat {
    let octant: UInt32 = 0x1CD00
    guard case .symbols(let depth, .octants) = self, cncurses_width(octant) < 1 else { return self }
    return .symbols(depth, .sextants)
  }
}
