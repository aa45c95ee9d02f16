import ImageWire

/// What a text is for; the theme knows how that looks.
public enum Role: Hashable, Sendable {
  /// Plain text, and text of less weight.
  case text, secondary
  /// Rules, borders, frames of what is not there yet.
  case faint
  /// The name of something; the heading of a window, one that has the keys and one that has not.
  case title, heading, idleHeading
  /// What the eye should find: the gallery's name, the keys; within a text, what was searched for.
  case accent, found
  /// Good news, and its opposite.
  case positive, negative
  /// The button that the Enter key presses.
  case button
  /// Where the next character that is typed will stand.
  case cursor
}

/// What lies under a text.
public enum Ground: Hashable, Sendable {
  case window
  /// The highlighted row of the window that has the keys, and of one that has not.
  case selection, idleSelection
  /// The place of an image.
  case image
}

/// How one cell looks, before the terminal's abilities are known.
public struct Style: Hashable, Sendable {
  public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let bold = Attributes(rawValue: 1)
    public static let dim = Attributes(rawValue: 2)
    public static let reverse = Attributes(rawValue: 4)
  }

  /// nil is the terminal's own.
  public var foreground: Color?
  public var background: Color?
  public var attributes: Attributes

  public init(foreground: Color? = nil, background: Color? = nil, attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }
}

/// The look of the program on one kind of terminal: light or dark, rich or poor in colors.
public struct Theme: Hashable, Sendable {
  public enum Brightness: Sendable {
    case dark, light
    /// Drawn as dark, but with no color that may be invisible.
    case unknown
  }

  public let brightness: Brightness
  public let depth: ColorDepth
  /// The color of the window, 0xRRGGBB: what the terminal says, else a guess.
  public let windowColor: UInt32

  public init(brightness: Brightness, depth: ColorDepth) {
    self.brightness = brightness
    self.depth = depth
    windowColor = brightness == .light ? 0xFFFFFF : 0x101214
  }

  /// For a window of this color, each part from 0 to 1.
  init(red: Double, green: Double, blue: Double, depth: ColorDepth) {
    // Luma (ITU-R BT.709).
    brightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? .light : .dark
    self.depth = depth
    windowColor = UInt32(red: red, green: green, blue: blue)
  }

  /// How `role` looks on `ground`; `isDimmed` while what is shown is about to be replaced.
  public func style(_ role: Role, on ground: Ground, isDimmed: Bool = false) -> Style {
    var style = Style(foreground: isDimmed ? color(.faint) : color(role), attributes: attributes(role))
    if isDimmed, isPoor { style.attributes.insert(.dim) }
    switch ground {
    case .window: break
    case .image: style.background = background(.image)
    case .selection, .idleSelection:
      if isPoor {
        // Few colors leave none to spare for a background: the row is turned round, or set off by weight alone.
        style.foreground = nil
        style.attributes.remove(.dim)
        style.attributes.insert(ground == .selection ? .reverse : .bold)
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
    case .text, .negative, .button: []
    }
  }

  private func color(_ role: Role) -> Color? {
    let isDark = brightness != .light
    // ANSI's yellow and green, bright as bold makes them, cannot be read on white: weight alone has to do.
    if isPoor, brightness != .dark { return nil }
    switch role {
    case .text, .title, .cursor: return nil
    case .secondary, .negative, .idleHeading: return isPoor ? nil : Color(isDark ? 0x9AA0A8 : 0x5C636B, ansi: nil)
    case .faint: return isPoor ? nil : Color(isDark ? 0x565C64 : 0xB4BAC1, ansi: nil)
    case .heading, .accent, .found: return Color(isDark ? 0xDDAA5B : 0x8A5A00, ansi: 3)
    case .positive: return Color(isDark ? 0x93C47D : 0x187A18, ansi: 2)
    case .button: return nil
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
    case .image: return Color(isDark ? 0x1E2125 : 0xF1F3F5, ansi: nil)
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
