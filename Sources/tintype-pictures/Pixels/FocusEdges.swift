/// The edges of an image that are in focus.
struct FocusEdges {
  private let size: PixelSize
  /// The brightness: red, twice green, and blue.
  private let values: [Int32]
  /// The differences between the brightest and the darkest pixel around each pixel.
  private let contrasts: [Int32]
  /// The least contrast of an edge at each level of brightness, above the noise.
  private let leastContrasts: [Int32]

  /// The distance from a pixel to the farthest ones around it.
  private static let reach = 4
  /// The part of the contrast, in 1/256, from which an edge within two pixels is in focus, and from which it has the full
  /// color. A Gaussian blur of 1 pixel leaves 0.68 of an edge there, one of 2 pixels 0.38.
  private static let sharpness: (least: Int32, full: Int32) = (108, 141)
  /// The least contrast of an edge: from 10 of 255 levels, up to 50 if not all of the image is noise.
  private static let leastContrast: ClosedRange<Int32> = 40...200
  /// The contrast of the flattest tenth of the pixels of noise, in tenths of the median.
  private static let noiseTenths: Int32 = 6
  /// The ranges of brightness whose noise is measured. Shadows have more of it.
  private static let levels = 8

  init(_ pixels: Pixels) {
    size = pixels.size
    values = pixels.words.map { word in
      Int32(truncatingIfNeeded: (word & 0xFF) + 2 * (word >> 8 & 0xFF) + (word >> 16 & 0xFF))
    }
    contrasts = Self.contrasts(values, size)
    leastContrasts = Self.leastContrasts(values, contrasts)
  }

  /// Calls `body` with the strengths of the edges at the pixels of a row, from 0 to 256.
  func withStrengths(_ y: Int, _ body: ([Int32]) -> Void) {
    let width = size.width
    let (above, row, below) = (max(0, y - 1) * width, y * width, min(size.height - 1, y + 1) * width)
    body(
      (0..<width).map { x in
        let contrast = contrasts[row + x]
        guard contrast >= leastContrasts[Self.level(values[row + x])] else { return 0 }
        let (left, right) = (max(0, x - 1), min(width - 1, x + 1))
        // Sobel's gradients, which average three rows or columns: noise gets weaker, and edges don't.
        let across =
          values[above + right] - values[above + left] + 2 * (values[row + right] - values[row + left])
          + values[below + right] - values[below + left]
        let down =
          values[below + left] - values[above + left] + 2 * (values[below + x] - values[above + x])
          + values[below + right] - values[above + right]
        let gradient = Int32(Float(across * across + down * down).squareRoot()) * 64
        let share = gradient / contrast
        let (least, full) = Self.sharpness
        return min(256, max(0, (share - least) * 256 / (full - least)))
      })
  }

  /// Returns the contrasts of the squares around the pixels.
  private static func contrasts(_ values: [Int32], _ size: PixelSize) -> [Int32] {
    var (lowest, highest) = (values, values)
    // The squares grow on each side by 1, 1 and 2 pixels.
    let (row, whole) = (size.width, values.count)
    for step in [1, 1, 2] {
      lowest = spread(spread(lowest, step, along: row, min), step * row, along: whole, min)
      highest = spread(spread(highest, step, along: row, max), step * row, along: whole, max)
    }
    return zip(lowest, highest).map { $1 - $0 }
  }

  /// Returns the lowest or the highest of each value and its neighbors, which are `step` places away.
  ///
  /// - Parameter length: The number of values that are one line. Values of different lines are no neighbors.
  @inline(__always)
  private static func spread(
    _ values: [Int32], _ step: Int, along length: Int, _ choice: (Int32, Int32) -> Int32
  ) -> [Int32] {
    [Int32](unsafeUninitializedCapacity: values.count) { result, count in
      values.withUnsafeBufferPointer { values in
        for start in stride(from: 0, to: values.count, by: length) {
          let end = start + length
          for place in start..<end {
            let before = place - step < start ? place : place - step
            let after = place + step < end ? place + step : place
            result[place] = choice(values[place], choice(values[before], values[after]))
          }
        }
      }
      count = values.count
    }
  }

  /// Returns twice the contrast of the flattest tenth of the pixels of each range of brightness, which is noise.
  ///
  /// In a picture full of detail, the flattest tenth is detail, too, so the contrast has a limit. Noise is the same everywhere:
  /// if the flattest tenth has nearly the contrast of the others, there is no limit.
  private static func leastContrasts(_ values: [Int32], _ contrasts: [Int32]) -> [Int32] {
    let white = 1020
    var counts = [[Int]](repeating: [Int](repeating: 0, count: white + 1), count: levels)
    for (value, contrast) in zip(values, contrasts) { counts[level(value)][Int(contrast)] += 1 }
    return counts.map { counts in
      let total = counts.reduce(0, +)
      /// Returns the contrast below which some tenths of the pixels are.
      func contrast(ofTenths tenths: Int) -> Int32 {
        var sum = 0
        let contrast = counts.firstIndex { count in
          sum += count
          return sum * 10 >= total * tenths
        }
        return Int32(contrast ?? white)
      }
      let (flat, median) = (contrast(ofTenths: 1), contrast(ofTenths: 5))
      let isNoise = flat * 10 >= median * noiseTenths
      return min(max(2 * flat, leastContrast.lowerBound), isNoise ? .max : leastContrast.upperBound)
    }
  }

  private static func level(_ value: Int32) -> Int { Int(value) * levels / 1021 }
}
