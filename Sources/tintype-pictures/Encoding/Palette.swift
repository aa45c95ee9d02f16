/// A few colors that represent those of an image. They are found by splitting the space of colors where it varies most.
///
/// P. Heckbert, "Color image quantization for frame buffer display" (1982). As X. Wu proposed, the box with the greatest
/// variance is split at its mean. Pixels of even areas weigh more than those of details, because the eye sees steps and dots
/// there. So skies get more of the colors than leaves.
struct Palette {
  /// The colors, as 0xRRGGBB.
  let colors: [UInt32]
  /// The colors in the order of their greens. A search that starts at the nearest green compares few of them.
  private let sorted: [SIMD3<Int32>]
  /// The index in `colors` of each color in `sorted`.
  private let order: [Int]
  /// The index of the nearest color for each bin of pixels, or ``unknown`` if it has not been needed yet.
  private var known: [UInt16]

  private static let unknown = UInt16.max
  /// The variation of pixels that weigh half as much as those of an even area.
  private static let halfWeight: Float = 4
  /// The number of bits of each channel that make a bin.
  private static let depth = 6
  /// The number of pixels that is enough to know an image's colors.
  private static let mostSamples = 200_000

  /// - Parameters:
  ///   - count: The most colors, up to 256.
  ///   - extra: A color that is one of them, as 0xRRGGBB, or nil.
  init(of pixels: Pixels, count: Int, including extra: UInt32? = nil) {
    let bins = Self.bins(of: pixels)
    var boxes = [Box(bins[...])]
    while boxes.count < min(count, 256) - (extra == nil ? 0 : 1) {
      guard let widest = boxes.indices.max(by: { boxes[$0].spread < boxes[$1].spread }), boxes[widest].spread > 0
      else { break }
      let (low, high) = boxes[widest].split()
      boxes[widest] = low
      boxes.append(high)
    }
    var means = boxes.map { SIMD3<Int32>(clamping: SIMD3($0.mean.x, $0.mean.y, $0.mean.z)) }
    if let extra { means.append(SIMD3(truncatingIfNeeded: SIMD3(extra >> 16, extra >> 8, extra) & 0xFF)) }
    colors = means.map { UInt32($0.x) << 16 | UInt32($0.y) << 8 | UInt32($0.z) }
    order = means.indices.sorted { means[$0].y < means[$1].y }
    sorted = order.map { means[$0] }
    known = Array(repeating: Self.unknown, count: 1 << (3 * Self.depth))
    if let extra {
      known[Self.bin(Int(extra >> 16 & 0xFF), Int(extra >> 8 & 0xFF), Int(extra & 0xFF))] = UInt16(means.count - 1)
    }
  }

  /// Returns the index of the color that is nearest to the given one. All colors of a bin have the same result.
  @inline(__always)
  mutating func index(red: Int, green: Int, blue: Int) -> Int {
    let bin = Self.bin(red, green, blue)
    if known[bin] == Self.unknown {
      // All colors of a bin have the index that is nearest to its middle.
      let half: Int32 = 1 << (7 - Self.depth)
      known[bin] = UInt16(nearest(to: SIMD3(Int32(red), Int32(green), Int32(blue)) & ~(2 * half - 1) | half))
    }
    return Int(known[bin])
  }

  /// Returns the index of the color that is nearest to the given one, whose channels are red, green and blue from 0 to 255.
  @inline(__always)
  mutating func index(of color: SIMD4<Float>) -> Int {
    index(red: Int(color.x), green: Int(color.y), blue: Int(color.z))
  }

  /// Returns the bin of pixels with about the same color.
  @inline(__always)
  private static func bin(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    (red >> (8 - depth)) << (2 * depth) | (green >> (8 - depth)) << depth | blue >> (8 - depth)
  }

  /// Returns the mean color and, as the last part, the weight of the pixels of each bin that has pixels.
  private static func bins(of pixels: Pixels) -> [SIMD4<Float>] {
    var bins = [SIMD4<Float>](repeating: SIMD4(), count: 1 << (3 * depth))
    // An odd step does not stay in the same columns.
    for index in stride(from: 0, to: pixels.words.count, by: pixels.words.count / mostSamples | 1) {
      let (word, variation) = (pixels.words[index], pixels.variation(at: index))
      let (red, green, blue) = (Int(word & 0xFF), Int(word >> 8 & 0xFF), Int(word >> 16 & 0xFF))
      bins[bin(red, green, blue)] += SIMD4(Float(red), Float(green), Float(blue), 1) / (1 + variation / halfWeight)
    }
    return bins.compactMap {
      $0.w > 0 ? ($0 / $0.w).replacing(with: $0, where: .init([false, false, false, true])) : nil
    }
  }

  /// A part of the space of colors, with the bins in it.
  private struct Box {
    private var bins: ArraySlice<SIMD4<Float>>
    let mean: SIMD4<Float>
    /// The variance of the colors on the axis where it is greatest, times their weight.
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

    /// Splits the box at the mean.
    mutating func split() -> (Box, Box) {
      let (axis, middle) = (axis, mean[axis])
      let start = bins.startIndex
      var border = bins.partition { $0[axis] > middle }
      // Rounding may leave one side empty.
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
  /// Rounds the parts of a color to the range from 0 to 255.
  fileprivate init(clamping color: SIMD3<Float>) {
    self.init(
      Int32(Swift.max(0, Swift.min(255, color.x.rounded()))), Int32(Swift.max(0, Swift.min(255, color.y.rounded()))),
      Int32(Swift.max(0, Swift.min(255, color.z.rounded()))))
  }
}
