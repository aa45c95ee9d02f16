import ImageWire

/// A 24-bit color with its substitute for terminals that have only ANSI's sixteen colors.
public struct Color: Hashable, Sendable {
  /// The red part, from 0 to 255.
  public let red: UInt8
  /// The green part, from 0 to 255.
  public let green: UInt8
  /// The blue part, from 0 to 255.
  public let blue: UInt8
  /// The substitute: 0 to 7, or 8 to 15 for the bright colors; nil is the terminal's own foreground or background.
  public let ansi: Int?

  /// The parts as 0xRRGGBB.
  public var rgb: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

  /// Creates a color from 0xRRGGBB and its substitute.
  public init(_ rgb: UInt32, ansi: Int?) {
    red = UInt8(rgb >> 16 & 0xFF)
    green = UInt8(rgb >> 8 & 0xFF)
    blue = UInt8(rgb & 0xFF)
    self.ansi = ansi
  }
}

extension ColorDepth {
  /// The depth of a terminal that shows `count` colors.
  init(count: Int) {
    self =
      switch count {
      case 256...: .palette256
      case 16...: .palette16
      case 8...: .palette8
      default: .monochrome
      }
  }

  /// Whether a terminfo entry of `count` colors shows this depth.
  func isShown(by count: Int) -> Bool {
    switch self {
    case .truecolor: count > 1 << 16
    case .palette256: (256...1 << 16).contains(count)
    case .palette16: (16...1 << 16).contains(count)
    case .palette8: (8...1 << 16).contains(count)
    case .monochrome: true
    }
  }

  /// Returns a color of xterm's cube (16 to 231) or gray ramp (232 to 255), 0xRRGGBB. Images in 256 colors have only these.
  public static func color(ofNumber number: UInt32) -> UInt32 {
    guard number < 232 else { return (8 + 10 * (min(255, number) - 232)) * 0x010101 }
    let place = max(16, number) - 16
    return [place / 36, place / 6 % 6, place % 6].reduce(0) { $0 << 8 | UInt32(cubeLevels[Int($1)]) }
  }

  fileprivate static let cubeLevels = [0, 95, 135, 175, 215, 255]

  /// The lowest number that ncurses' direct-color entries take for a 24-bit color. The numbers below it are ANSI's
  /// colors, so the darkest blues are rounded up to it.
  static let darkestNumber: Int32 = 8

  /// Returns the number by which ncurses knows `color` at this depth; -1 is the terminal's own color.
  func number(of color: Color) -> Int32 {
    switch self {
    case .truecolor:
      max(Self.darkestNumber, Int32(color.rgb))
    case .palette256: Int32(color.nearestOf256)
    case .palette16: color.ansi.map(Int32.init) ?? -1
    case .palette8: color.ansi.map { $0 < 8 ? Int32($0) : -1 } ?? -1
    case .monochrome: -1
    }
  }
}

extension Color {
  /// The number of the nearest color of xterm's 6×6×6 cube (16 to 231) and gray ramp (232 to 255).
  var nearestOf256: Int {
    let levels = ColorDepth.cubeLevels
    let parts = [Int(red), Int(green), Int(blue)]
    let steps = parts.map { part in levels.indices.min { abs(levels[$0] - part) < abs(levels[$1] - part) } ?? 0 }
    let gray = min(23, max(0, (parts.reduce(0, +) / 3 - 8 + 5) / 10))

    func distance(_ candidate: [Int]) -> Int {
      zip(candidate, parts).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    let cubeDistance = distance(steps.map { levels[$0] })
    let grayDistance = distance(Array(repeating: 8 + 10 * gray, count: 3))
    return grayDistance < cubeDistance ? 232 + gray : 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
  }
}
