#if Pictures
  /// Eight colors, or sums of colors.
  struct ColorLanes {
    private var red = SIMD8<Float>()
    private var green = SIMD8<Float>()
    private var blue = SIMD8<Float>()

    init() {}

    /// Eight times the same color.
    init(repeating color: SIMD4<Float>) { self = ColorLanes() + color }

    /// The sums of the first fields: of none of them, of one, and so on up to seven.
    init(beginningsOf fields: InlineArray<8, SIMD4<Float>>) {
      var sum = SIMD4<Float>()
      for lane in 0..<8 {
        (red[lane], green[lane], blue[lane]) = (sum.x, sum.y, sum.z)
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
      var result = self
      (result.red, result.green, result.blue) = (transform(red), transform(green), transform(blue))
      return result
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
    static func + (colors: ColorLanes, color: SIMD4<Float>) -> ColorLanes {
      var result = colors
      result.red += color.x
      result.green += color.y
      result.blue += color.z
      return result
    }

    @inline(__always)
    static func + (one: ColorLanes, other: ColorLanes) -> ColorLanes {
      var result = one
      result.red += other.red
      result.green += other.green
      result.blue += other.blue
      return result
    }

    @inline(__always)
    static func - (one: ColorLanes, other: ColorLanes) -> ColorLanes {
      var result = one
      result.red -= other.red
      result.green -= other.green
      result.blue -= other.blue
      return result
    }

    /// Multiplies each color by a factor of its own.
    @inline(__always)
    static func * (colors: ColorLanes, factors: SIMD8<Float>) -> ColorLanes { colors.map { $0 * factors } }
  }
#endif
