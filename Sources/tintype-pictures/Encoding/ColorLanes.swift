/// Eight colors, or sums of colors.
struct ColorLanes {
  private var red = SIMD8<Float>()
  private var green = SIMD8<Float>()
  private var blue = SIMD8<Float>()

  init() {}

  private init(red: SIMD8<Float>, green: SIMD8<Float>, blue: SIMD8<Float>) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Eight times the same color.
  init(repeating color: SIMD4<Float>) {
    self.init(red: SIMD8(repeating: color.x), green: SIMD8(repeating: color.y), blue: SIMD8(repeating: color.z))
  }

  /// The sums of the first fields: of none of them, of one, and so on up to seven.
  init(beginningsOf fields: InlineArray<8, SIMD4<Float>>) {
    var sum = SIMD4<Float>()
    for lane in 0..<8 {
      red[lane] = sum.x
      green[lane] = sum.y
      blue[lane] = sum.z
      sum += fields[lane]
    }
  }

  /// The sums of all combinations of three fields. The bits of a lane's number say which fields it has.
  init(combinationsOf first: SIMD4<Float>, _ second: SIMD4<Float>, _ third: SIMD4<Float>) {
    let isInFirst = SIMD8<Float>(0, 1, 0, 1, 0, 1, 0, 1)
    let isInSecond = SIMD8<Float>(0, 0, 1, 1, 0, 0, 1, 1)
    let isInThird = SIMD8<Float>(0, 0, 0, 0, 1, 1, 1, 1)
    red = isInFirst * first.x + isInSecond * second.x + isInThird * third.x
    green = isInFirst * first.y + isInSecond * second.y + isInThird * third.y
    blue = isInFirst * first.z + isInSecond * second.z + isInThird * third.z
  }

  /// Red, green and blue of one of the colors.
  subscript(lane: Int) -> SIMD4<Float> { SIMD4(red[lane], green[lane], blue[lane], 0) }

  /// The sums of red, green and blue.
  @inline(__always)
  var sums: SIMD8<Float> { red + green + blue }

  /// The sums of the squares of red, green and blue.
  @inline(__always)
  var squares: SIMD8<Float> { red * red + green * green + blue * blue }

  /// Returns the colors with each channel computed from the one before.
  @inline(__always)
  func map(_ transform: (SIMD8<Float>) -> SIMD8<Float>) -> ColorLanes {
    ColorLanes(red: transform(red), green: transform(green), blue: transform(blue))
  }

  /// Replaces some of the colors.
  @inline(__always)
  mutating func replace(with other: ColorLanes, where mask: SIMDMask<SIMD8<Int32>>) {
    red.replace(with: other.red, where: mask)
    green.replace(with: other.green, where: mask)
    blue.replace(with: other.blue, where: mask)
  }

  /// Adds a color to each one.
  @inline(__always)
  static func + (colors: ColorLanes, color: SIMD4<Float>) -> ColorLanes { colors + ColorLanes(repeating: color) }

  @inline(__always)
  static func + (one: ColorLanes, other: ColorLanes) -> ColorLanes {
    ColorLanes(red: one.red + other.red, green: one.green + other.green, blue: one.blue + other.blue)
  }

  @inline(__always)
  static func - (one: ColorLanes, other: ColorLanes) -> ColorLanes {
    ColorLanes(red: one.red - other.red, green: one.green - other.green, blue: one.blue - other.blue)
  }

  /// Multiplies the channels of each color by the factor in the same lane.
  @inline(__always)
  static func * (colors: ColorLanes, factors: SIMD8<Float>) -> ColorLanes { colors.map { $0 * factors } }
}
