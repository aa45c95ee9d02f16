import CVTerm

/// A color in the form that the program requested.
public enum Color: Hashable, Sendable, CustomStringConvertible {
  /// The terminal's own foreground or background.
  case `default`
  /// An entry of the 256-color palette, 0 to 255.
  case indexed(Int)
  /// A direct color; each part is 0 to 255.
  case rgb(UInt8, UInt8, UInt8)

  /// The color as "default", its palette index, or "#rrggbb".
  public var description: String {
    switch self {
    case .default: "default"
    case .indexed(let index): "\(index)"
    case .rgb(let red, let green, let blue): "#" + [red, green, blue].map(Self.hexadecimal).joined()
    }
  }

  init(_ color: CVTermColor) {
    switch Int(color.kind) {
    case CVTERM_COLOR_INDEXED: self = .indexed(Int(color.red))
    case CVTERM_COLOR_RGB: self = .rgb(color.red, color.green, color.blue)
    default: self = .default
    }
  }

  private static func hexadecimal(_ part: UInt8) -> String {
    let digits = String(part, radix: 16)
    return digits.count < 2 ? "0" + digits : digits
  }
}
