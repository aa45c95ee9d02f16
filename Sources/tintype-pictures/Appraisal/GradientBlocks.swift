/// The fine and the coarse gradients of an image, summed up in blocks of 16x16 pixels.
///
/// Blur lowers the fine gradients, and leaves the coarse ones nearly as they are. Noise is no gradient: each one is multiplied
/// by that of the next row or column. The gradients of an edge agree, and the products of independent noise add up to zero.
struct GradientBlocks {
  private(set) var columns = 0
  private(set) var rows = 0
  /// The mean product of gradients over 2 pixels, row by row.
  private(set) var fine: [Float] = []
  /// The mean product of gradients over 16 pixels.
  private(set) var coarse: [Float] = []
  /// The mean square of gradients over 2 pixels, with noise.
  private(set) var squares: [Float] = []
  /// The mean brightness, from 0 to 1.
  private(set) var brightness: [Float] = []

  private static let side = 16
  /// The distance between a pixel and either end of its coarse gradient.
  private static let reach = 8
  /// The rows of a block whose coarse gradients are measured: every fourth. Neighbors have nearly the same.
  private static let coarseStep = 4
  /// The rows of brightness that are kept, a power of two: those of a block, and as many as the gradients reach beyond.
  private static let keptRows = 64

  /// Measures the gradients. Blocks begin where all gradients end inside the image. A tiny image has none.
  init(_ pixels: Pixels) {
    let (side, reach) = (Self.side, Self.reach)
    columns = (pixels.size.width - 2 * reach - 1) / side
    rows = (pixels.size.height - 2 * reach - 1) / side
    guard columns > 0, rows > 0 else {
      columns = 0
      rows = 0
      return
    }
    fine.reserveCapacity(columns * rows)
    coarse.reserveCapacity(columns * rows)
    squares.reserveCapacity(columns * rows)
    brightness.reserveCapacity(columns * rows)
    let kept = BrightnessRows(pixels, count: Self.keptRows)
    // Its memory is used by pointers.
    defer { withExtendedLifetime(kept) {} }
    var sums = [Sums](repeating: Sums(), count: columns)
    for row in 0..<rows {
      let top = reach + row * side
      kept.read(below: top + side + reach + 1)
      sums.withUnsafeMutableBufferPointer { sums in
        sums.update(repeating: Sums())
        for y in top..<top + side {
          Self.addFine(kept, y, to: sums)
          if y % Self.coarseStep == 0 { Self.addCoarse(kept, y, to: sums) }
        }
      }
      for sum in sums {
        fine.append(sum.fine.sum() / Float(side * side))
        squares.append(sum.squares.sum() / Float(side * side))
        coarse.append(sum.coarse.sum() / Float(side * side / Self.coarseStep))
        brightness.append(sum.brightness.sum() / Float(side * side / Self.coarseStep) / BrightnessRows.white)
      }
    }
  }

  private struct Sums {
    var fine = SIMD8<Float>()
    var coarse = SIMD8<Float>()
    var squares = SIMD8<Float>()
    var brightness = SIMD8<Float>()
  }

  private static func addFine(_ rows: BrightnessRows, _ y: Int, to sums: UnsafeMutableBufferPointer<Sums>) {
    let (above, row, below) = (rows[y - 1], rows[y], rows[y + 1])
    for column in 0..<sums.count {
      let x = reach + column * side
      add(x, to: &sums[column])
      add(x + 8, to: &sums[column])
    }
    @inline(__always)
    func add(_ x: Int, to sum: inout Sums) {
      let across = row.lanes(x + 1) - row.lanes(x - 1)
      let acrossBelow = below.lanes(x + 1) - below.lanes(x - 1)
      let down = below.lanes(x) - above.lanes(x)
      let downRight = below.lanes(x + 1) - above.lanes(x + 1)
      sum.fine += across * acrossBelow + down * downRight
      sum.squares += across * across + down * down
    }
  }

  private static func addCoarse(_ rows: BrightnessRows, _ y: Int, to sums: UnsafeMutableBufferPointer<Sums>) {
    let (above, row, below, bottom) = (rows[y - reach], rows[y], rows[y + 1], rows[y + reach])
    func products(_ x: Int) -> SIMD8<Float> {
      let across = row.lanes(x + reach) - row.lanes(x - reach)
      let acrossBelow = below.lanes(x + reach) - below.lanes(x - reach)
      let down = bottom.lanes(x) - above.lanes(x)
      let downRight = bottom.lanes(x + 1) - above.lanes(x + 1)
      return across * acrossBelow + down * downRight
    }
    for column in 0..<sums.count {
      let x = reach + column * side
      sums[column].coarse += products(x) + products(x + 8)
      sums[column].brightness += row.lanes(x) + row.lanes(x + 8)
    }
  }
}

extension GradientBlocks {
  /// Returns the fine gradients without those of flat areas of the same brightness, which are noise that neighbors share:
  /// demosaicing and noise reduction blur it.
  func fineWithoutNoise() -> [Float] {
    let floors = NoiseFloors(self)
    return fine.indices.map { fine[$0] - floors.floor(brightness[$0]) }
  }

  /// The mean of the coarse gradients: the square of the image's contrast. It is 0 if noise might have made it.
  var contrast: Float {
    // The deviation of a product of noise is its mean square. Its mean has that of the number of measured pixels, and three
    // times as much is no chance.
    let count = Float(max(1, coarse.count * Self.side * Self.side / Self.coarseStep))
    let mean = coarse.mean
    return mean > 3 * squares.mean / count.squareRoot() ? mean : 0
  }
}

extension [Float] {
  /// The mean, or 0 of no values.
  var mean: Float { reduce(0, +) / Float(Swift.max(1, count)) }
}

/// The fine gradients of the flattest blocks, by brightness.
private struct NoiseFloors {
  private var floors: [Float] = []

  /// The ranges of brightness. Noise depends on it: a sensor's grows with the light, and gamma enlarges that of shadows.
  private static let levels = 8
  /// The share of the blocks of a range that count as flat.
  private static let flatShare = 0.1
  /// The least blocks from which a range's floor is known. Otherwise, that of the whole image stands for it.
  private static let leastBlocks = 40
  /// The largest floor of a range, in floors of the whole image. Noise has at most twice the deviation elsewhere; more
  /// is a texture without flat parts.
  private static let mostOfWhole: Float = 4
  /// The steps by which blocks are sorted: eight for each power of two from 2^-8 to 2^24.
  private static let steps = 256

  init(_ blocks: GradientBlocks) {
    var sorted = [Sum](repeating: Sum(), count: Self.levels * Self.steps)
    for index in blocks.fine.indices {
      let place = Self.level(blocks.brightness[index]) * Self.steps + Self.step(blocks.coarse[index])
      sorted[place].add(Sum(count: 1, fine: blocks.fine[index]))
    }
    var whole = [Sum](repeating: Sum(), count: Self.steps)
    for place in sorted.indices { whole[place % Self.steps].add(sorted[place]) }
    let wholeFloor = Self.floor(whole[...], least: 1) ?? 0
    floors = (0..<Self.levels).map { level in
      let floor = Self.floor(sorted[level * Self.steps..<(level + 1) * Self.steps], least: Self.leastBlocks)
      return min(floor ?? wholeFloor, max(0, wholeFloor) * Self.mostOfWhole)
    }
  }

  /// Returns the fine gradient that noise alone has at a brightness.
  func floor(_ brightness: Float) -> Float { floors[Self.level(brightness)] }

  private struct Sum {
    var count = 0
    var fine: Float = 0

    mutating func add(_ other: Sum) {
      count += other.count
      fine += other.fine
    }
  }

  /// Returns the mean of the flattest blocks, or nil if there are fewer blocks than `least`.
  private static func floor(_ sorted: ArraySlice<Sum>, least: Int) -> Float? {
    let count = sorted.reduce(0) { $0 + $1.count }
    guard count >= least else { return nil }
    let wanted = max(1, Int(Double(count) * flatShare))
    var flat = Sum()
    for sum in sorted where flat.count < wanted { flat.add(sum) }
    return flat.fine / Float(flat.count)
  }

  private static func level(_ brightness: Float) -> Int { min(levels - 1, max(0, Int(brightness * Float(levels)))) }

  /// Returns the number of the step of a coarse gradient.
  private static func step(_ coarse: Float) -> Int {
    // The exponent of a Float begins at bit 23, so the three bits below are the eighths of a power of two.
    let smallest = Float(sign: .plus, exponent: -8, significand: 1)
    return min(steps - 1, Int(max(smallest, coarse).bitPattern >> 20) - Int(smallest.bitPattern >> 20))
  }
}

/// Some rows of the brightness of an image, as they pass by.
private final class BrightnessRows {
  /// The brightness of white: red, twice green, and blue.
  static let white: Float = 1020

  private let pixels: Pixels
  private let count: Int
  private let values: UnsafeMutablePointer<Float>
  private var next = 0

  /// - Parameter count: The number of rows that are kept, a power of two.
  init(_ pixels: Pixels, count: Int) {
    self.pixels = pixels
    self.count = count
    // Eight values are loaded at a time, which must be there for the last ones of the last row.
    values = .allocate(capacity: count * pixels.size.width + 8)
    values.initialize(repeating: 0, count: count * pixels.size.width + 8)
  }

  deinit { values.deallocate() }

  /// Reads rows up to the one before `end`.
  func read(below end: Int) {
    while next < end {
      let (row, out) = (pixels.row(next), self[next])
      for x in 0..<row.count {
        let word = row[x]
        out[x] = Float(Int32(truncatingIfNeeded: (word & 0xFF) &+ (word >> 7 & 0x1FE) &+ (word >> 16 & 0xFF)))
      }
      next += 1
    }
  }

  subscript(y: Int) -> UnsafeMutablePointer<Float> { values + (y & (count - 1)) * pixels.size.width }
}

extension UnsafeMutablePointer<Float> {
  /// Returns eight values from a place on.
  @inline(__always)
  fileprivate func lanes(_ index: Int) -> SIMD8<Float> {
    UnsafeRawPointer(self + index).loadUnaligned(as: SIMD8<Float>.self)
  }
}
