import ImageWire

/// The look of the program on one kind of terminal: a color scheme, for a light or a dark window, rich or poor in colors.
public struct Theme: Hashable, Sendable {
  /// Whether the window is dark or light.
  public enum Brightness: Sendable {
    case dark, light
    /// The window is drawn as a dark one, but without colors that may be invisible.
    case unknown
  }

  /// Whether the terminal's window is dark or light.
  public let brightness: Brightness
  /// The number of colors to draw with.
  public let depth: ColorDepth
  /// The scheme that the user chose.
  public let scheme: ColorScheme
  /// The terminal's own background, 0xRRGGBB: the one that it reports, or else a guess.
  private let terminalColor: UInt32
  private let colors: ColorScheme.Colors

  /// Creates the look for a window whose color is not known.
  public init(brightness: Brightness, depth: ColorDepth, scheme: ColorScheme = .standard) {
    self.init(brightness, depth, scheme, terminalColor: brightness == .light ? 0xFFFFFF : 0x101214)
  }

  /// Creates the look for a window of a color whose parts are from 0 to 1.
  init(red: Double, green: Double, blue: Double, depth: ColorDepth, scheme: ColorScheme = .standard) {
    // Luma (ITU-R BT.709).
    let isLight = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5
    self.init(
      isLight ? .light : .dark, depth, scheme, terminalColor: UInt32(red: red, green: green, blue: blue))
  }

  private init(_ brightness: Brightness, _ depth: ColorDepth, _ scheme: ColorScheme, terminalColor: UInt32) {
    self.brightness = brightness
    self.depth = depth
    self.scheme = scheme
    self.terminalColor = terminalColor
    colors = scheme.colors(isLight: brightness == .light)
  }

  /// Returns the look of another scheme on the same terminal.
  public func with(_ scheme: ColorScheme) -> Theme {
    Theme(brightness, depth, scheme, terminalColor: terminalColor)
  }

  /// Returns the same look in another number of colors.
  func with(_ depth: ColorDepth) -> Theme { Theme(brightness, depth, scheme, terminalColor: terminalColor) }

  /// The background of the whole window; nil for the terminal's own.
  var background: Color? { colors[.background] }

  /// The window's color, 0xRRGGBB, which shows through transparent images.
  public var windowColor: UInt32 { background?.rgb ?? terminalColor }

  /// Returns the style of a role on a ground. `isDimmed` is true while the text is about to be replaced.
  public func style(_ role: Role, on ground: Ground, isDimmed: Bool = false) -> Style {
    var style = Style(foreground: color(isDimmed ? .faint : role), attributes: attributes(role))
    if isDimmed, isPoor { style.attributes.insert(.dim) }
    switch ground {
    case .window: break
    case .field: if isPoor { style.attributes.insert(.underline) } else { style.background = colors[.field] }
    case .selection, .idleSelection:
      if isPoor {
        // Few colors leave none for a background, so the row is reversed, or bold if the window does not have the keys.
        style.foreground = nil
        style.attributes.remove(.dim)
        style.attributes.insert(ground == .selection ? .reverse : .bold)
        // A match would look like the rest of the row.
        if role == .found { style.attributes.insert(.underline) }
      } else {
        style.background = colors[ground == .selection ? .selection : .idleSelection]
        if role == .text || role == .title, !isDimmed { style.foreground = colors[.selectedText] }
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
    // A color that the scheme has for few colors needs no other sign.
    case .secondary, .faint, .idleHeading: isPoor && colors[role.color]?.ansi == nil ? .dim : []
    case .found: isPoor ? .reverse : .bold
    case .cursor: .reverse
    case .text, .negative, .button, .label: []
    }
  }

  private func color(_ role: Role) -> Color? {
    // ANSI's yellow and green, which bold makes brighter, can't be read on white. Weight alone has to do.
    if isPoor, background?.ansi == nil, brightness != .dark { return nil }
    return colors[role.color]
  }

  private var button: Style {
    isPoor
      ? Style(attributes: .reverse)
      : Style(foreground: colors[.buttonText], background: colors[.button], attributes: .bold)
  }
}

extension Role {
  /// The color of the role's texts on the window's ground.
  fileprivate var color: ColorScheme.Name {
    switch self {
    case .text, .cursor: .text
    case .title: .title
    case .secondary: .secondary
    case .faint: .faint
    case .heading: .heading
    case .idleHeading: .idleHeading
    case .accent: .accent
    case .found: .found
    case .positive: .positive
    case .negative: .negative
    case .button: .buttonText
    case .label(let label): ColorScheme.Name(label) ?? .text
    }
  }
}
