/// The colors of an image brought down to a few, by splitting the space of colors where it varies most.
///
/// P. Heckbert, "Color image quantization for frame buffer display" (1982), with X. Wu's choice of the box and the place
/// to split: by variance, at the mean.
struct Palette {
  /// 0xRRGGBB.
  let colors: [UInt32]
  /// The colors by their greens, and where each stands in `colors`: from the nearest green outwards few need to be
  /// looked at.
  private let sorted: [SIMD3<Int32>]
  private let order: [Int]
  /// The nearest of the colors for each bin of pixels, as far as it has been asked for.
  private var known: [UInt16]

  private static let unknown = UInt16.max
  /// Enough pixels to know an image's colors by.
  private static let mostSamples = 200_000

  /// - Parameter count: At most so many colors, up to 256.
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
    let means = boxes.map { SIMD3<Int32>(clamping: SIMD3($0.mean.x, $0.mean.y, $0.mean.z)) }
    colors = means.map { UInt32($0.x) << 16 | UInt32($0.y) << 8 | UInt32($0.z) }
    order = means.indices.sorted { means[$0].y < means[$1].y }
    sorted = order.map { means[$0] }
    known = Array(repeating: Self.unknown, count: 1 << 16)
  }

  /// The color nearest to one with these parts, as an index; the same for all of a bin.
  @inline(__always)
  mutating func index(red: Int, green: Int, blue: Int) -> Int {
    let bin = Self.bin(red, green, blue)
    if known[bin] == Self.unknown {
      known[bin] = UInt16(nearest(to: SIMD3(Int32(red & ~7 | 4), Int32(green & ~3 | 2), Int32(blue & ~7 | 4))))
    }
    return Int(known[bin])
  }

  /// The sum of the squares of the differences between a color and a pixel (red in the lowest byte).
  @inline(__always)
  func distance(of index: Int, from pixel: UInt32) -> Int32 {
    let color = colors[index]
    let red = Int32(pixel & 0xFF) - Int32(color >> 16 & 0xFF)
    let green = Int32(pixel >> 8 & 0xFF) - Int32(color >> 8 & 0xFF)
    let blue = Int32(pixel >> 16 & 0xFF) - Int32(color & 0xFF)
    return red * red + green * green + blue * blue
  }

  /// A bin of pixels of about the same color: 5 bits of red, 6 of green, 5 of blue.
  @inline(__always)
  private static func bin(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    (red >> 3) << 11 | (green >> 2) << 5 | blue >> 3
  }

  /// For each bin that has pixels their mean color and, last, their number.
  private static func bins(of pixels: Pixels) -> [SIMD4<Float>] {
    var bins = [SIMD4<Float>](repeating: SIMD4(), count: 1 << 16)
    // A step that is odd does not stay in the same columns.
    for index in stride(from: 0, to: pixels.words.count, by: pixels.words.count / mostSamples | 1) {
      let word = pixels.words[index]
      let (red, green, blue) = (Int(word & 0xFF), Int(word >> 8 & 0xFF), Int(word >> 16 & 0xFF))
      bins[bin(red, green, blue)] += SIMD4(Float(red), Float(green), Float(blue), 1)
    }
    return bins.compactMap {
      $0.w > 0 ? ($0 / $0.w).replacing(with: $0, where: .init([false, false, false, true])) : nil
    }
  }

  private struct Box {
    private var bins: ArraySlice<SIMD4<Float>>
    let mean: SIMD4<Float>
    /// How much its colors differ from their mean, on the axis where they do most.
    let spread: Float
    private let axis: Int

    init(_ bins: ArraySlice<SIMD4<Float>>) {
      self.bins = bins
      var (count, sum, squares) = (Float(0), SIMD4<Float>(), SIMD4<Float>())
      for bin in bins {
        count += bin.w
        sum += bin.w * bin
        squares += bin.w * bin * bin
      }
      mean = sum / max(1, count)
      let spreads = squares - sum * mean
      axis = (0..<3).max { spreads[$0] < spreads[$1] } ?? 0
      spread = bins.count > 1 ? spreads[axis] : 0
    }

    mutating func split() -> (Box, Box) {
      let (axis, middle) = (axis, mean[axis])
      let start = bins.startIndex
      var border = bins.partition { $0[axis] > middle }
      // Rounding may have left one side empty.
      border = min(max(border, start + 1), bins.endIndex - 1)
      return (Box(bins[..<border]), Box(bins[border...]))
    }
  }

  private func nearest(to color: SIMD3<Int32>) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].y < color.y { low = middle + 1 } else { high = middle }
    }
    var (best, least) = (0, Int32.max)
    var (below, above) = (low - 1, low)
    while true {
      let down = below >= 0 ? (color.y - sorted[below].y) * (color.y - sorted[below].y) : Int32.max
      let up = above < sorted.count ? (sorted[above].y - color.y) * (sorted[above].y - color.y) : Int32.max
      guard min(down, up) < least else { return order[best] }
      let candidate = down <= up ? below : above
      if down <= up { below -= 1 } else { above += 1 }
      let difference = sorted[candidate] &- color
      let distance = (difference &* difference).wrappedSum()
      if distance < least { (best, least) = (candidate, distance) }
    }
  }
}

extension SIMD3<Int32> {
  /// The nearest parts of a color, from 0 to 255.
  fileprivate init(clamping color: SIMD3<Float>) {
    self.init(
      Int32(Swift.max(0, Swift.min(255, color.x.rounded()))), Int32(Swift.max(0, Swift.min(255, color.y.rounded()))),
      Int32(Swift.max(0, Swift.min(255, color.z.rounded()))))
  }
}
