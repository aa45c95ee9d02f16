import CNcurses
import Foundation
import ImageWire

/// The properties of the terminal that follow from the environment.
public struct TerminalKind: Sendable {
  /// The terminfo entry to draw with.
  public private(set) var name: String
  /// The number of colors to draw with.
  public private(set) var depth: ColorDepth
  /// The origin of ``depth`` in words.
  public private(set) var depthSource: String
  /// The characters to draw with.
  public let charset: Charset
  /// Whether the window is light or dark as far as the environment tells. The terminal itself may know better.
  public let brightness: Theme.Brightness
  /// The terminfo entry for 24-bit colors, if only the terminal itself can tell whether it has them.
  private var directName: String?

  // The C library keeps one terminfo entry for the whole process, hence the main actor.
  /// - Parameter colors: The depth that the user insists on; nil for the terminal's own.
  /// - Throws: ``TerminalError`` if no screen can be drawn on such a terminal.
  @MainActor
  public init(environment: [String: String], colors: ColorDepth? = nil) throws(TerminalError) {
    guard let type = environment["TERM"], !type.isEmpty else { throw .terminalTypeUnset }
    guard Self.exists(type) else { throw .terminalTypeUnknown(type) }
    guard cncurses_string_capability("cup") != nil else { throw .terminalTooSimple(type) }
    let (wanted, source) = colors.map { ($0, "from --colors") } ?? Self.depth(of: type, environment: environment)
    // If no entry has that many colors, the terminal's own entry has to do.
    if let name = Self.entry(showing: wanted, among: [type] + Self.richerNames(for: type, depth: wanted)) {
      self.name = name
      depth = wanted
      depthSource = source
    } else {
      _ = Self.exists(type)
      name = type
      depth = ColorDepth(count: Int(tigetnum("colors")))
      depthSource = "terminfo has no entry for more"
    }
    if colors == nil, depth == .palette256, !Self.isSimple(type) {
      directName = Self.entry(showing: .truecolor, among: Self.richerNames(for: type, depth: .truecolor))
    }
    charset = .current
    // rxvt and Konsole report their colors as "foreground;background". 7 and 15 are ANSI's whites.
    let background = environment["COLORFGBG"]?.split(separator: ";").last
    let isLight = background == "7" || background == "15"
    brightness = isLight ? .light : background != nil || type.hasPrefix("linux") ? .dark : .unknown
  }

  /// The question about colors that the terminal is to be asked.
  public var colorQuestion: ColorQuestion? { depth.hasPalette ? .palette : directName == nil ? nil : .truecolor }

  /// Returns the kind with 24-bit colors if the terminal turns out to have them; nil if nothing is to be changed.
  /// - Parameter source: What has said so (``Capabilities/truecolorSource``).
  public func withTruecolor(_ source: String?) -> TerminalKind? {
    guard let directName, let source else { return nil }
    var better = self
    better.name = directName
    better.depth = .truecolor
    better.depthSource = source
    better.directName = nil
    return better
  }

  /// Whether the terminal may print questions and modes that it does not know instead of ignoring them.
  var isSimple: Bool { Self.isSimple(name) }

  /// Returns whether a terminal of this type may print questions and modes that it does not know.
  static func isSimple(_ type: String) -> Bool {
    ["dumb", "linux", "vt1", "vt2", "vt3", "vt4", "vt5", "ansi", "cons", "sun", "hpterm", "wyse"].contains(
      where: type.hasPrefix)
  }

  /// Returns whether terminals of this type have 24-bit colors, and print no questions that they do not know.
  static func isModern(_ type: String) -> Bool {
    ["xterm-kitty", "xterm-ghostty", "ghostty", "foot", "wezterm", "konsole", "contour", "alacritty"].contains(
      where: type.hasPrefix)
  }

  @MainActor private static func depth(of type: String, environment: [String: String]) -> (ColorDepth, String) {
    if environment["NO_COLOR"]?.isEmpty == false { return (.monochrome, "from NO_COLOR") }
    let depth = ColorDepth(count: Int(tigetnum("colors")))
    let isPromised = ["truecolor", "24bit"].contains(environment["COLORTERM"])
    // The entries of terminals that say so call it by these two names. terminfo itself has none for it.
    let isKnown = isModern(type) || tigetflag("RGB") > 0 || tigetflag("Tc") > 0
    guard isPromised || type.hasSuffix("-direct") || isKnown && depth == .palette256, !isSimple(type) else {
      return (depth, "from TERM")
    }
    if let multiplexer = Multiplexer(environment: environment, ancestors: { Ancestors.names }),
      !multiplexer.takesTruecolor(environment)
    {
      return (.palette256, "the most in \(multiplexer.rawValue)")
    }
    return (.truecolor, isPromised ? "from COLORTERM" : "from TERM")
  }

  /// Returns entries of similar terminals that may have more colors than the terminal's own entry.
  private static func richerNames(for type: String, depth: ColorDepth) -> [String] {
    let family = type.split(separator: "-").first.map(String.init) ?? type
    switch depth {
    case .palette256: return ["\(family)-256color", "xterm-256color"]
    case .palette16, .palette8: return ["\(family)-16color", "xterm-16color"]
    case .monochrome, .truecolor: break
    }
    // ncurses draws 24-bit colors only with entries of this suffix (package ncurses-term).
    return switch type {
    case "xterm-kitty": ["kitty-direct", "xterm-direct"]
    case _ where family == "screen": [Multiplexer.directEntry]
    default: ["\(family)-direct", "xterm-direct"]
    }
  }

  /// Returns the first of some entries that exists and has the colors of a depth.
  @MainActor private static func entry(showing depth: ColorDepth, among names: [String]) -> String? {
    names.first { exists($0) && depth.isShown(by: Int(tigetnum("colors"))) }
  }

  @MainActor private static func exists(_ type: String) -> Bool {
    var status: Int32 = 0
    return setupterm(type, STDOUT_FILENO, &status) == OK
  }
}
