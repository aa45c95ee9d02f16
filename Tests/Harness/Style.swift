/// The colors and attributes of a cell.
public struct Style: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of underline that libvterm distinguishes.
  public enum Underline: Int, Hashable, Sendable {
    case none, single, double, curly
  }

  /// The color of the text.
  public var foreground: Color = .default
  /// The color behind the text.
  public var background: Color = .default
  /// Whether SGR 1 is on.
  public var bold = false
  /// Whether SGR 2 is on.
  public var dim = false
  /// Whether SGR 3 is on.
  public var italic = false
  /// The underline set by SGR 4, 4:n or 21.
  public var underline: Underline = .none
  /// Whether SGR 5 is on.
  public var blink = false
  /// Whether SGR 7 is on. The colors are not exchanged.
  public var reverse = false
  /// Whether SGR 9 is on.
  public var strike = false

  /// Creates the default style.
  public init() {}

  /// The style of a cell without any attributes.
  public static let `default` = Style()

  /// The style as in a legend line of a snapshot.
  public var description: String {
    var words = ["fg \(foreground)", "bg \(background)"]
    if bold { words.append("bold") }
    if dim { words.append("dim") }
    if italic { words.append("italic") }
    switch underline {
    case .none: break
    case .single: words.append("underline")
    case .double: words.append("double-underline")
    case .curly: words.append("curly-underline")
    }
    if blink { words.append("blink") }
    if reverse { words.append("reverse") }
    if strike { words.append("strike") }
    return words.joined(separator: " ")
  }
}
