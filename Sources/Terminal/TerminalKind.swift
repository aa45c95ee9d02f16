import CNcurses
import Foundation
import ImageWire

/// What the environment says of the terminal.
public struct TerminalKind: Sendable {
  /// The terminfo entry to draw with.
  public let name: String
  public let depth: ColorDepth
  public let charset: Charset
  /// Light or dark, as far as the environment tells: the terminal itself may know better.
  public let brightness: Theme.Brightness

  /// - Parameter colors: The depth that the person insists on, nil for what the terminal has.
  /// - Throws: ``TerminalError`` where no screen can be drawn on such a terminal.
  public init(environment: [String: String], colors: ColorDepth? = nil) throws(TerminalError) {
    guard let type = environment["TERM"], !type.isEmpty else { throw .terminalTypeUnset }
    guard Self.exists(type) else { throw .terminalTypeUnknown(type) }
    guard cncurses_string_capability("cup") != nil else { throw .terminalTooSimple(type) }
    let wanted = colors ?? Self.depth(of: type, environment: environment)
    let names = [type] + Self.richerNames(for: type, depth: wanted)
    // Where no entry has so many colors, those of the terminal's own have to do.
    if let name = names.first(where: { Self.exists($0) && wanted.isShown(by: Int(tigetnum("colors"))) }) {
      (self.name, depth) = (name, wanted)
    } else {
      _ = Self.exists(type)
      (name, depth) = (type, ColorDepth(count: Int(tigetnum("colors"))))
    }
    charset = .current
    // rxvt and Konsole tell their colors as "foreground;background"; 7 and 15 are ANSI's whites.
    let background = environment["COLORFGBG"]?.split(separator: ";").last
    let isLight = background == "7" || background == "15"
    brightness = isLight ? .light : background != nil || type.hasPrefix("linux") ? .dark : .unknown
  }

  /// Whether it may print the questions and modes it does not know instead of passing over them.
  var isSimple: Bool { Self.isSimple(name) }

  static func isSimple(_ type: String) -> Bool {
    ["dumb", "linux", "vt1", "vt2", "vt3", "vt4", "vt5", "ansi", "cons", "sun", "hpterm", "wyse"].contains(
      where: type.hasPrefix)
  }

  private static func depth(of type: String, environment: [String: String]) -> ColorDepth {
    if environment["NO_COLOR"]?.isEmpty == false { return .monochrome }
    let knowsTruecolor = ["truecolor", "24bit"].contains(environment["COLORTERM"]) || type.hasSuffix("-direct")
    return knowsTruecolor && !isSimple(type) ? .truecolor : ColorDepth(count: Int(tigetnum("colors")))
  }

  /// The entries of terminals like this one that may have the colors which its own has not.
  private static func richerNames(for type: String, depth: ColorDepth) -> [String] {
    let family = type.split(separator: "-").first.map(String.init) ?? type
    switch depth {
    case .palette256: return ["\(family)-256color", "xterm-256color"]
    case .palette16, .palette8: return ["\(family)-16color", "xterm-16color"]
    case .monochrome, .truecolor: break
    }
    // ncurses draws 24-bit colors with the entries of this suffix alone (package ncurses-term).
    return switch type {
    case "xterm-kitty": ["kitty-direct", "xterm-direct"]
    case _ where family == "screen": ["tmux-direct"]
    default: ["\(family)-direct", "xterm-direct"]
    }
  }

  private static func exists(_ type: String) -> Bool {
    var status: Int32 = 0
    return setupterm(type, STDOUT_FILENO, &status) == OK
  }
}
