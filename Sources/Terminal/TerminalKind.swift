import CNcurses
import Foundation

/// What the environment says of the terminal.
public struct TerminalKind: Sendable {
  /// The terminfo entry to draw with.
  public let name: String
  public let depth: ColorDepth
  public let charset: Charset
  /// Light or dark, as far as the environment tells: the terminal itself may know better.
  public let brightness: Theme.Brightness

  /// - Throws: ``TerminalError`` where no screen can be drawn on such a terminal.
  public init(environment: [String: String]) throws(TerminalError) {
    guard let type = environment["TERM"], !type.isEmpty else { throw .terminalTypeUnset }
    guard Self.exists(type) else { throw .terminalTypeUnknown(type) }
    guard cncurses_string_capability("cup") != nil else { throw .terminalTooSimple(type) }
    let colors = tigetnum("colors")
    let knowsTruecolor = ["truecolor", "24bit"].contains(environment["COLORTERM"]) || type.hasSuffix("-direct")

    if let noColor = environment["NO_COLOR"], !noColor.isEmpty {
      (name, depth) = (type, .monochrome)
    } else if knowsTruecolor, !Self.isSimple(type),
      let direct = Self.directColorNames(for: type).first(where: Self.exists)
    {
      (name, depth) = (direct, .truecolor)
    } else {
      name = type
      depth =
        switch colors {
        case 256...: .palette256
        case 16...: .palette16
        case 8...: .palette8
        default: .monochrome
        }
    }
    charset = .current
    // rxvt and Konsole tell their colours as "foreground;background"; 7 and 15 are ANSI's whites.
    let background = environment["COLORFGBG"]?.split(separator: ";").last
    brightness = background == "7" || background == "15" ? .light : .dark
  }

  /// Whether it may print the questions and modes it does not know instead of passing over them.
  var isSimple: Bool { Self.isSimple(name) }

  private static func isSimple(_ type: String) -> Bool {
    ["linux", "vt1", "vt2", "vt3", "vt4", "vt5", "ansi", "cons", "sun", "hpterm", "wyse"].contains(
      where: type.hasPrefix)
  }

  // ncurses draws 24-bit colours with the entries of this suffix alone (package ncurses-term).
  private static func directColorNames(for type: String) -> [String] {
    if type.hasSuffix("-direct") { return [type] }
    let family = type.split(separator: "-").first.map(String.init) ?? type
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
