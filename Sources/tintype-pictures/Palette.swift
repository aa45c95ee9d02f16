/// The colours of a picture brought down to a few, by splitting the space of colours where it varies most.
///
/// P. Heckbert, "Color image quantization for frame buffer display" (1982), with X. Wu's choice of the box and the place
/// to split: by variance, at the mean.
struct Palette {
  /// 0xRRGGBB.
  let colors: [UInt32]
  /// The nearest of them for each colour, at 5 bits of red, 6 of green, 5 of blue.
  private let nearest: [UInt8]

  /// Enough pixels to know a picture's colours by.
  private static let mostSamples = 200_000

  /// - Parameter count: At most so many colours, up to 256.
  init(of pixels: Pixels, count: Int) {
    let bins = Self.bins(of: pixels)
    var boxes = [Box(bins[...])]
    while boxes.count < min(count, 256) {
      guard let widest = boxes.indices.max(by: { boxes[$0].spread < boxes[$1].spread }), boxes[widest].spread > 0
      else { break }
      let (low, high) = boxes[widest].split()
      boxes[widest] = low
      boxes.append(high)
    }
    let colors = boxes.map(\.mean)
    nearest = Self.nearest(colors)
    self.colors = colors.map { color in (0..<3).reduce(0) { $0 << 8 | UInt32(max(0, min(255, color[$1].rounded()))) } }
  }

  /// The colour of a pixel, as an index.
  @inline(__always)
  func index(red: Int, green: Int, blue: Int) -> Int { Int(nearest[Self.bin(red, green, blue)]) }

  @inline(__always)
  private static func bin(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    (red >> 3) << 11 | (green >> 2) << 5 | blue >> 3
  }

  /// Pixels of about the same colour: how many, and the sum of their colours.
  private struct Bin {
    var count: Float
    var color: SIMD4<Float>
  }

  private static func bins(of pixels: Pixels) -> [Bin] {
    var bins = [Bin](repeating: Bin(count: 0, color: SIMD4()), count: 1 << 16)
    // A step that is odd does not stay in the same columns.
    for index in stride(from: 0, to: pixels.words.count, by: pixels.words.count / mostSamples | 1) {
      let color = unsafeBitCast(pixels.words[index], to: SIMD4<UInt8>.self)
      let bin = bin(Int(color.x), Int(color.y), Int(color.z))
      bins[bin].count += 1
      bins[bin].color += SIMD4<Float>(color)
    }
    return bins.compactMap { $0.count > 0 ? Bin(count: $0.count, color: $0.color / $0.count) : nil }
  }

  private struct Box {
    private var bins: ArraySlice<Bin>
    let mean: SIMD4<Float>
    /// How much its colours differ from their mean, on the axis where they do most.
    let spread: Float
    private let axis: Int

    init(_ bins: ArraySlice<Bin>) {
      self.bins = bins
      var (count, sum, squares) = (Float(0), SIMD4<Float>(), SIMD4<Float>())
      for bin in bins {
        count += bin.count
        sum += bin.count * bin.color
        squares += bin.count * bin.color * bin.color
      }
      mean = sum / max(1, count)
      let spreads = squares - sum * mean
      axis = (0..<3).max { spreads[$0] < spreads[$1] } ?? 0
      spread = bins.count > 1 ? spreads[axis] : 0
    }

    mutating func split() -> (Box, Box) {
      let (axis, middle) = (axis, mean[axis])
      let start = bins.startIndex
      var border = bins.partition { $0.color[axis] > middle }
      // Rounding may have left one side empty.
      border = min(max(border, start + 1), bins.endIndex - 1)
      return (Box(bins[..<border]), Box(bins[border...]))
    }
  }

  /// The colours are sorted by green; from the nearest green outwards few need to be looked at.
  private static func nearest(_ colors: [SIMD4<Float>]) -> [UInt8] {
    let order = colors.indices.sorted { colors[$0].y < colors[$1].y }
    let sorted = order.map { SIMD3<Int32>(Int32(colors[$0].x), Int32(colors[$0].y), Int32(colors[$0].z)) }
    return [UInt8](unsafeUninitializedCapacity: 1 << 16) { table, count in
      count = 1 << 16
      for green in 0..<64 {
        let target = Int32(green * 4 + 2)
        let middle = sorted.firstIndex { $0.y >= target } ?? sorted.count
        for red in 0..<32 {
          for blue in 0..<32 {
            let color = SIMD3<Int32>(Int32(red * 8 + 4), target, Int32(blue * 8 + 4))
            table[red << 11 | green << 5 | blue] = UInt8(order[Self.nearest(to: color, in: sorted, from: middle)])
          }
        }
      }
    }
  }

  private static func nearest(to color: SIMD3<Int32>, in sorted: [SIMD3<Int32>], from middle: Int) -> Int {
    var (best, least) = (0, Int32.max)
    var (below, above) = (middle - 1, middle)
    while true {
      let down = below >= 0 ? (color.y - sorted[below].y) * (color.y - sorted[below].y) : Int32.max
      let up = above < sorted.count ? (sorted[above].y - color.y) * (sorted[above].y - color.y) : Int32.max
      guard min(down, up) < least else { return best }
      let candidate = down <= up ? below : above
      if down <= up { below -= 1 } else { above += 1 }
      let difference = sorted[candidate] &- color
      let distance = (difference &* difference).wrappedSum()
      if distance < least { (best, least) = (candidate, distance) }
    }
  }
}
