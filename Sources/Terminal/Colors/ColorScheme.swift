import Gallery

/// The colors of the interface by their roles, for dark windows, for light ones, or for both.
public struct ColorScheme: Hashable, Sendable {
  /// The name of a color, as files of schemes have it.
  public enum Name: String, CaseIterable, Sendable {
    /// The ground of the window. Without it, the terminal's own background stays.
    case background
    case text, title, secondary, faint
    case heading
    case idleHeading = "idle-heading"
    case accent, found, positive, negative
    /// The grounds of the highlighted row, of that of a window without the keys, and of text fields.
    case selection
    case idleSelection = "idle-selection"
    case field
    case selectedText = "selected-text"
    case button
    case buttonText = "button-text"
    case labelRed = "label-red"
    case labelYellow = "label-yellow"
    case labelGreen = "label-green"
    case labelBlue = "label-blue"
    case labelPurple = "label-purple"

    /// Creates the name of a label's color; nil if the label has none.
    public init?(_ label: ColorLabel) { self.init(rawValue: "label-\(label.rawValue.lowercased())") }

    /// The color that is used if a scheme doesn't have this one; nil for the terminal's own.
    public var fallback: Name? {
      switch self {
      case .title, .secondary, .selectedText: .text
      case .idleHeading, .negative, .faint: .secondary
      case .heading, .found, .positive, .button: .accent
      case .idleSelection: .selection
      case .buttonText: .background
      case .labelRed, .labelYellow, .labelGreen, .labelBlue, .labelPurple, .accent: .text
      case .background, .text, .selection, .field: nil
      }
    }
  }

  /// The colors for windows of one brightness.
  public struct Colors: Hashable, Sendable {
    /// The colors that the scheme names.
    public let own: [Name: Color]
    private var all: [Name: Color] = [:]

    /// Creates the colors. Those that are missing are taken from their fallbacks.
    public init(_ own: [Name: Color]) {
      self.own = own
      for name in Name.allCases {
        all[name] = sequence(first: name, next: \.fallback).lazy.compactMap { own[$0] }.first
      }
    }

    /// The color of a name; nil for the terminal's own.
    public subscript(name: Name) -> Color? { all[name] }

    /// The same colors with a background and a text of this brightness, unless they have a background.
    fileprivate func grounded(isLight: Bool) -> Colors {
      if own[.background] != nil { return self }
      let (dark, light) = (Color(0x1B1D20, ansi: 0), Color(0xF7F7F5, ansi: 15))
      let ground: [Name: Color] = [.background: isLight ? light : dark, .text: isLight ? dark : light]
      return Colors(own.merging(ground) { own, _ in own })
    }
  }

  /// The colors for dark windows; nil if there are only those for light ones.
  public let dark: Colors?
  /// The colors for light windows; nil if there are only those for dark ones.
  public let light: Colors?

  /// Creates a scheme with at least one of the two.
  public init(dark: Colors?, light: Colors?) {
    self.dark = dark
    self.light = light
  }

  /// Returns the colors for a window of this brightness. If there are only those for the other one, they come with their own
  /// background, because the terminal's would make them unreadable.
  func colors(isLight: Bool) -> Colors {
    let (own, other) = isLight ? (light, dark) : (dark, light)
    return own ?? other?.grounded(isLight: !isLight) ?? Colors([:])
  }

  /// This scheme without its colors for windows of the other brightness.
  public func only(isLight: Bool) -> ColorScheme {
    ColorScheme(dark: isLight ? nil : dark, light: isLight ? light : nil)
  }
}

extension ColorScheme {
  /// The scheme of a program that has no configuration. It draws on the terminal's own background.
  public static let standard = ColorScheme(
    dark: Colors([
      .secondary: Color(0xA2A8B0, ansi: nil),
      .faint: Color(0x565C64, ansi: nil),
      .accent: Color(0xDDAA5B, ansi: 3),
      .positive: Color(0x93C47D, ansi: 2),
      .selection: Color(0x363C45, ansi: nil),
      .idleSelection: Color(0x272B31, ansi: nil),
      .field: Color(0x1E2125, ansi: nil),
      .selectedText: Color(0xFFFFFF, ansi: nil),
      .buttonText: Color(0x1B1B1B, ansi: nil),
      .labelRed: Color(0xE06C6C, ansi: 1),
      .labelYellow: Color(0xE0C060, ansi: 3),
      .labelGreen: Color(0x78C078, ansi: 2),
      .labelBlue: Color(0x7AA8F0, ansi: 4),
      .labelPurple: Color(0xC088D8, ansi: 5),
    ]),
    light: Colors([
      .secondary: Color(0x5C636B, ansi: nil),
      .faint: Color(0x8A9199, ansi: nil),
      .accent: Color(0x8A5A00, ansi: 3),
      .positive: Color(0x116A11, ansi: 2),
      .selection: Color(0xDFE5EC, ansi: nil),
      .idleSelection: Color(0xEDF0F3, ansi: nil),
      .field: Color(0xF1F3F5, ansi: nil),
      .selectedText: Color(0x000000, ansi: nil),
      .buttonText: Color(0xFFFFFF, ansi: nil),
      .labelRed: Color(0xB3261E, ansi: 1),
      .labelYellow: Color(0x8A6D00, ansi: 3),
      .labelGreen: Color(0x187A18, ansi: 2),
      .labelBlue: Color(0x1A5FB4, ansi: 4),
      .labelPurple: Color(0x7B2D90, ansi: 5),
    ]))
}

extension ColorLabel {
  /// Whether color schemes have a color for the label.
  public var hasColor: Bool { ColorScheme.Name(self) != nil }
}
