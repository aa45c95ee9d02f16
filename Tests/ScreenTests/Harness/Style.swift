/// The colors and attributes of a cell.
public struct Style: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of underline that libvterm tells apart.
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
  /// Whether SGR 7 is on; the colors are those from before the exchange.
  public var reverse = false
  /// Whether SGR 9 is on.
  public var strike = false

  /// Makes the default style.
  public init() {}

  /// The style of a cell that nothing was set for.
  public static let `default` = Style()

  /// The style as a legend line of a snapshot gives it.
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
