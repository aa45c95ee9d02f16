/// The number of colors that a screen shows and that a rendition of characters may use.
///
/// The raw values are the names that the user writes on the command line.
public enum ColorDepth: String, CaseIterable, Hashable, Sendable {
  /// 24-bit colors.
  case truecolor
  /// xterm's 256 colors, of which the last 240 look the same on every terminal.
  case palette256 = "256"
  /// The first 16 colors of the terminal's own palette.
  case palette16 = "16"
  /// The first 8 colors of the terminal's own palette.
  case palette8 = "8"
  /// The terminal's own foreground and background.
  case monochrome = "mono"

  /// Whether the colors are the first ones of the terminal's own palette, which look different on every terminal.
  public var hasPalette: Bool { self == .palette16 || self == .palette8 }

  /// Returns the colors of the terminal's palette that this depth uses, 0xRRGGBB; none if they look the same everywhere.
  public func colors(of palette: [UInt32]) -> [UInt32] {
    switch self {
    case .palette16: palette
    case .palette8: Array(palette.prefix(8))
    case .truecolor, .palette256, .monochrome: []
    }
  }
}

extension ColorDepth {
  /// The byte for this depth in a message: its position among all depths.
  var wireCode: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }

  init?(wireCode: UInt8) {
    guard Int(wireCode) < Self.allCases.count else { return nil }
    self = Self.allCases[Int(wireCode)]
  }
}
