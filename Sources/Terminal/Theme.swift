import ImageWire

/// The role of a text. The theme knows how each role looks.
public enum Role: Hashable, Sendable {
  /// Plain text.
  case text
  /// Text of less weight.
  case secondary
  /// Rules, borders and placeholders.
  case faint
  /// The name of something.
  case title
  /// The heading of the window that has the keys.
  case heading
  /// The heading of another window.
  case idleHeading
  /// Text to be found at a glance: the gallery's name, the keys.
  case accent
  /// The part of a text that matches a search.
  case found
  /// Good news.
  case positive
  /// Bad news.
  case negative
  /// The button that the Enter key presses.
  case button
  /// The place of the next character that is typed.
  case cursor
  /// The sign of a photo's color label.
  case label(LabelColor)
}

/// The colors of labels, which image editors agree on.
public enum LabelColor: Hashable, Sendable, CaseIterable {
  case red, yellow, green, blue, purple
}

/// The background of a text.
public enum Ground: Hashable, Sendable {
  case window
  /// The highlighted row of the window that has the keys.
  case selection
  /// The highlighted row of another window.
  case idleSelection
  /// A text field.
  case field
}

/// The look of one cell, before the terminal's abilities are known.
public struct Style: Hashable, Sendable {
  /// Attributes of a cell's text.
  public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bold characters.
    public static let bold = Attributes(rawValue: 1)
    /// Dim characters.
    public static let dim = Attributes(rawValue: 2)
    /// Characters with foreground and background exchanged.
    public static let reverse = Attributes(rawValue: 4)
    /// Underlined characters.
    public static let underline = Attributes(rawValue: 8)
  }

  /// The text's color; nil is the terminal's own.
  public var foreground: Color?
  /// The background's color; nil is the terminal's own.
  public var background: Color?
  /// The text's attributes.
  public var attributes: Attributes

  /// Creates a style.
  public init(foreground: Color? = nil, background: Color? = nil, attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }
}

/// The look of the program on one kind of terminal: light or dark, rich or poor in colors.
public struct Theme: Hashable, Sendable {
  /// Whether the window is dark or light.
  public enum Brightness: Sendable {
    case dark, light
    /// The window is drawn as a dark one, but without colors that may be invisible.
    case unknown
  }

  /// Whether the window is dark or light.
  public let brightness: Brightness
  /// The number of colors to draw with.
  public let depth: ColorDepth
  /// The window's color, 0xRRGGBB: the one that the terminal reports, or else a guess.
  public let windowColor: UInt32

  /// Creates the look for a window whose color is not known.
  public init(brightness: Brightness, depth: ColorDepth) {
    self.brightness = brightness
    self.depth = depth
    windowColor = brightness == .light ? 0xFFFFFF : 0x101214
  }

  /// Creates the look for a window of a color whose parts are from 0 to 1.
  init(red: Double, green: Double, blue: Double, depth: ColorDepth) {
    // Luma (ITU-R BT.709).
    brightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? .light : .dark
    self.depth = depth
    windowColor = UInt32(red: red, green: green, blue: blue)
  }

  /// Returns the style of a role on a ground. `isDimmed` is true while the text is about to be replaced.
  public func style(_ role: Role, on ground: Ground, isDimmed: Bool = false) -> Style {
    var style = Style(foreground: isDimmed ? color(.faint) : color(role), attributes: attributes(role))
    if isDimmed, isPoor { style.attributes.insert(.dim) }
    switch ground {
    case .window: break
    case .field: if isPoor { style.attributes.insert(.underline) } else { style.background = background(.field) }
    case .selection, .idleSelection:
      if isPoor {
        // Few colors leave none for a background, so the row is reversed, or bold if the window does not have the keys.
        style.foreground = nil
        style.attributes.remove(.dim)
        style.attributes.insert(ground == .selection ? .reverse : .bold)
        // A match would look like the rest of the row.
        if role == .found { style.attributes.insert(.underline) }
      } else {
        style.background = background(ground)
        if role == .text || role == .title, !isDimmed { style.foreground = selectedText }
      }
    }
    if role == .button { style = button }
    return style
  }

  /// Whether there are too few colors to tell roles apart by shades.
  private var isPoor: Bool { depth != .truecolor && depth != .palette256 }

  private func attributes(_ role: Role) -> Style.Attributes {
    switch role {
    case .title, .heading: .bold
    case .accent, .positive: isPoor ? .bold : []
    case .secondary, .faint, .idleHeading: isPoor ? .dim : []
    case .found: isPoor ? .reverse : .bold
    case .cursor: .reverse
    case .text, .negative, .button, .label: []
    }
  }

  private func color(_ role: Role) -> Color? {
    let isDark = brightness != .light
    // ANSI's yellow and green, which bold makes brighter, can't be read on white. Weight alone has to do.
    if isPoor, brightness != .dark { return nil }
    if case .label(let label) = role { return color(label) }
    switch role {
    case .text, .title, .cursor: return nil
    case .secondary, .negative, .idleHeading: return isPoor ? nil : Color(isDark ? 0x9AA0A8 : 0x5C636B, ansi: nil)
    case .faint: return isPoor ? nil : Color(isDark ? 0x565C64 : 0x8A9199, ansi: nil)
    case .heading, .accent, .found: return Color(isDark ? 0xDDAA5B : 0x8A5A00, ansi: 3)
    case .positive: return Color(isDark ? 0x93C47D : 0x187A18, ansi: 2)
    case .button, .label: return nil
    }
  }

  private func color(_ label: LabelColor) -> Color {
    let isDark = brightness != .light
    return switch label {
    case .red: Color(isDark ? 0xE06C6C : 0xB3261E, ansi: 1)
    case .yellow: Color(isDark ? 0xE0C060 : 0x8A6D00, ansi: 3)
    case .green: Color(isDark ? 0x78C078 : 0x187A18, ansi: 2)
    case .blue: Color(isDark ? 0x7AA8F0 : 0x1A5FB4, ansi: 4)
    case .purple: Color(isDark ? 0xC088D8 : 0x7B2D90, ansi: 5)
    }
  }

  private var selectedText: Color { Color(brightness != .light ? 0xFFFFFF : 0x000000, ansi: nil) }

  private func background(_ ground: Ground) -> Color? {
    guard !isPoor else { return nil }
    let isDark = brightness != .light
    switch ground {
    case .window: return nil
    case .selection: return Color(isDark ? 0x363C45 : 0xDFE5EC, ansi: nil)
    case .idleSelection: return Color(isDark ? 0x272B31 : 0xEDF0F3, ansi: nil)
    case .field: return Color(isDark ? 0x1E2125 : 0xF1F3F5, ansi: nil)
    }
  }

  private var button: Style {
    isPoor
      ? Style(attributes: .reverse)
      : Style(
        foreground: Color(brightness != .light ? 0x1B1B1B : 0xFFFFFF, ansi: nil), background: color(.accent),
        attributes: .bold)
  }
}
