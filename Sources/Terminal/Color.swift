/// A color, and what stands for it where a terminal has only the sixteen of ANSI.
public struct Color: Hashable, Sendable {
  public let red: UInt8
  public let green: UInt8
  public let blue: UInt8
  /// 0 to 7, or 8 to 15 for the bright ones; nil is the terminal's own foreground or background.
  public let ansi: Int?

  public init(_ rgb: UInt32, ansi: Int?) {
    red = UInt8(rgb >> 16 & 0xFF)
    green = UInt8(rgb >> 8 & 0xFF)
    blue = UInt8(rgb & 0xFF)
    self.ansi = ansi
  }
}

/// How many colors a terminal shows.
public enum ColorDepth: String, Sendable {
  case truecolor
  case palette256 = "256"
  case palette16 = "16"
  case palette8 = "8"
  case monochrome = "mono"

  /// What a terminal of so many colors has.
  init(count: Int) {
    self =
      switch count {
      case 256...: .palette256
      case 16...: .palette16
      case 8...: .palette8
      default: .monochrome
      }
  }

  /// Whether a terminfo entry of so many colors serves.
  func isShown(by count: Int) -> Bool {
    switch self {
    case .truecolor: count > 1 << 16
    case .palette256: (256...1 << 16).contains(count)
    case .palette16: (16...1 << 16).contains(count)
    case .palette8: (8...1 << 16).contains(count)
    case .monochrome: true
    }
  }

  /// Whether these are the first colors of the terminal's own palette, which look different everywhere.
  public var hasPalette: Bool { self == .palette16 || self == .palette8 }

  /// Those of the terminal's palette that are used; none where they look the same everywhere.
  public func colors(of palette: [UInt32]) -> [UInt32] {
    switch self {
    case .palette16: palette
    case .palette8: Array(palette.prefix(8))
    case .truecolor, .palette256, .monochrome: []
    }
  }

  /// In ncurses' direct-color entries the numbers below are ANSI's; the darkest blues give way to them.
  static let darkestNumber: Int32 = 8

  /// The number by which ncurses knows `color` at this depth; -1 is the terminal's own.
  func number(of color: Color) -> Int32 {
    switch self {
    case .truecolor:
      max(Self.darkestNumber, Int32(color.red) << 16 | Int32(color.green) << 8 | Int32(color.blue))
    case .palette256: Int32(color.nearestOf256)
    case .palette16: color.ansi.map(Int32.init) ?? -1
    case .palette8: color.ansi.map { $0 < 8 ? Int32($0) : -1 } ?? -1
    case .monochrome: -1
    }
  }
}

extension Color {
  /// The nearest of xterm's 6×6×6 cube (16 to 231) and gray ramp (232 to 255).
  fileprivate var nearestOf256: Int {
    let levels = [0, 95, 135, 175, 215, 255]
    let parts = [Int(red), Int(green), Int(blue)]
    let steps = parts.map { part in levels.indices.min { abs(levels[$0] - part) < abs(levels[$1] - part) } ?? 0 }
    let grey = min(23, max(0, (parts.reduce(0, +) / 3 - 8 + 5) / 10))

    func distance(_ candidate: [Int]) -> Int {
      zip(candidate, parts).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    let cubeDistance = distance(steps.map { levels[$0] })
    let greyDistance = distance(Array(repeating: 8 + 10 * grey, count: 3))
    return greyDistance < cubeDistance ? 232 + grey : 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
  }
}
