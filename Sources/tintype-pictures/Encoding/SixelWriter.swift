/// Writes the sixels of a canvas, band by band.
///
/// A pixel gets the color that is nearest to its own, or one that takes fewer bytes and is not much farther away. In even
/// areas the error goes to the pixels around it, so that they have the right color and gradients no steps.
struct SixelWriter {
  private(set) var bytes: [UInt8] = []
  private let canvas: Pixels
  /// The part of the canvas that the image fills.
  private let columns: Range<Int>
  private let rows: Range<Int>
  private let size: PixelSize
  /// The width and height of the square that a pixel of the canvas becomes.
  private let factor: Int
  /// The factor of the prices in an enlarged canvas.
  private let tolerance: Float
  private var palette: Palette
  /// The colors of the palette as the terminal shows them.
  private let shown: [SIMD4<Float>]
  /// The indices of the colors in each row of the band. An enlarged canvas uses only the first row.
  private var indices: [Int]
  /// The errors of the pixels that have been set.
  private var errors: ErrorDiffusion<SIMD4<Float>>
  /// The row of the canvas that ``indices`` has the colors of, if the canvas is enlarged.
  private var coarseRow = -1
  private let width: Int
  /// A line of sixels for each color. All are zero between two bands.
  private var lines: [UInt8]
  /// The first and the last column in which each color has sixels.
  private var extents: [(first: Int, last: Int)]

  private static let nothing = (first: Int.max, last: -1)

  /// - Parameters:
  ///   - canvas: The pixels that are written, with the image in the middle.
  ///   - image: The size of the image.
  ///   - palette: The colors. If the image is smaller than the canvas, the last one is that of the margin.
  ///   - shown: The colors as the terminal shows them.
  ///   - size: The size on the screen.
  init(
    _ canvas: Pixels, image: PixelSize, _ palette: Palette, _ shown: [SIMD4<Float>], size: PixelSize, factor: Int,
    tolerance: Int
  ) {
    // Prices are compared with squares.
    self.tolerance = Float(tolerance * tolerance)
    self.canvas = canvas
    let (left, top) = (max(0, canvas.size.width - image.width) / 2, max(0, canvas.size.height - image.height) / 2)
    columns = left..<min(canvas.size.width, left + image.width)
    rows = top..<min(canvas.size.height, top + image.height)
    self.palette = palette
    self.shown = shown
    self.size = size
    self.factor = factor
    width = size.width
    indices = Array(repeating: 0, count: 6 * canvas.size.width)
    errors = ErrorDiffusion(columns: columns.count)
    lines = Array(repeating: 0, count: palette.colors.count * width)
    extents = Array(repeating: Self.nothing, count: palette.colors.count)
  }

  /// Writes some bands of the canvas.
  mutating func write(bands: Range<Int>) {
    bytes.reserveCapacity(bands.count * width * 4)
    for band in bands {
      let rows = band * 6..<min(band * 6 + 6, size.height)
      if factor > 1, rows.lowerBound / factor == (rows.upperBound - 1) / factor {
        write(squares: rows)
        continue
      }
      for row in rows {
        let bit: UInt8 = 1 << UInt8(row - band * 6)
        if factor == 1 { set(row, bit: bit) } else { setEnlarged(row, bit: bit) }
      }
      var isFirst = true
      for color in extents.indices where extents[color].last >= 0 {
        if !isFirst { bytes.append(UInt8(ascii: "$")) }
        isFirst = false
        bytes.append(UInt8(ascii: "#"))
        bytes.put(color)
        write(color)
      }
      bytes.append(UInt8(ascii: "-"))
    }
  }

  /// The price of a color that takes more bytes, compared with the sum of the squares of the differences of red, green and
  /// blue, each from 0 to 255: the base in a smooth area, where errors are visible; the increase for the differences from
  /// the neighbors; and the maximum. A color that the column already has in the band takes few more bytes. It costs `again`
  /// times the price.
  ///
  /// These values were measured with photos ([decisions](decisions)): without prices, images take 15 % more bytes.
  private static let (smooth, busy, most, again) = (Float(3), Float(2), Float(100), Float(0.15))

  /// The share of an error that is passed on in an even area, where it would be a step of a gradient.
  private static let passedOn: Float = 0.9
  /// The variation from which on no error is passed on. There, dots would hide more of the detail than the error does.
  private static let detail: Float = 10

  /// Returns the price for a pixel with such a variation.
  @inline(__always)
  private static func price(_ variation: Float) -> Float { min(smooth + busy * variation, most) }

  /// Sets the bits of one row of pixels in the lines of their colors.
  private mutating func set(_ row: Int, bit: UInt8) {
    guard rows.contains(row) else { return setMargin(0..<width, bit: bit) }
    setMargin(0..<columns.lowerBound, bit: bit)
    setMargin(columns.upperBound..<width, bit: bit)
    let (pixels, upper) = (canvas.row(row), canvas.row(max(0, row - 1)))
    let (first, rowInBand) = (columns.lowerBound, row % 6)
    lines.withUnsafeMutableBufferPointer { lines in
      extents.withUnsafeMutableBufferPointer { extents in
        indices.withUnsafeMutableBufferPointer { indices in
          shown.withUnsafeBufferPointer { shown in
            var left = indices[rowInBand * width + first]
            for x in columns {
              let word = pixels[x]
              let variation = Pixels.variation(
                word, left: pixels[max(0, x - 1)], right: pixels[min(width - 1, x + 1)], above: upper[x])
              let price = Self.price(variation)
              let wanted = Self.limited(Self.channels(word) + errors[x - first])
              var (color, cost) = (left, Self.square(shown[left] - wanted))
              // No color costs less than its price.
              if cost > price * Self.again {
                for other in 0..<rowInBand {
                  let candidate = indices[other * width + x]
                  let candidateCost = Self.square(shown[candidate] - wanted) + price * Self.again
                  if candidateCost < cost { (color, cost) = (candidate, candidateCost) }
                }
              }
              if cost > price {
                let nearest = palette.index(of: wanted)
                if Self.square(shown[nearest] - wanted) + price < cost { color = nearest }
              }
              let share = Self.passedOn * max(0, 1 - variation / Self.detail)
              errors.pass((wanted - shown[color]) * share, from: x - first)
              left = color
              indices[rowInBand * width + x] = color
              lines[color * width + x] |= bit
              if x < extents[color].first { extents[color].first = x }
              if x > extents[color].last { extents[color].last = x }
            }
          }
        }
      }
    }
    errors.endRow()
  }

  /// Sets the bits of a part of a row that belongs to the margin. The image passes no errors to it.
  private mutating func setMargin(_ range: Range<Int>, bit: UInt8) {
    guard !range.isEmpty else { return }
    let color = extents.count - 1
    for x in range { lines[color * width + x] |= bit }
    extents[color] = (min(extents[color].first, range.lowerBound), max(extents[color].last, range.upperBound - 1))
  }

  /// Returns the channels of a pixel, red first.
  @inline(__always)
  private static func channels(_ pixel: UInt32) -> SIMD4<Float> {
    SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: unsafeBitCast(pixel & 0xFF_FFFF, to: SIMD4<UInt8>.self)))
  }

  /// Returns a color with its channels limited to the range from 0 to 255.
  @inline(__always)
  private static func limited(_ color: SIMD4<Float>) -> SIMD4<Float> {
    let positive = color.replacing(with: 0, where: color .< 0)
    return positive.replacing(with: 255, where: positive .> 255)
  }

  /// Returns the sum of the squares of a difference.
  @inline(__always)
  private static func square(_ difference: SIMD4<Float>) -> Float { (difference * difference).sum() }

  /// Writes a band of one row of squares. Its sixels have one color each, so that one pass draws them all.
  private mutating func write(squares rows: Range<Int>) {
    find(row: rows.lowerBound)
    let sixel: UInt8 = 1 << UInt8(rows.count) - 1
    var x = 0
    while x < canvas.size.width {
      let color = indices[x]
      let first = x
      while x < canvas.size.width, indices[x] == color { x += 1 }
      let (start, end) = (first * factor, min(x * factor, width))
      guard start < end else { break }
      bytes.append(UInt8(ascii: "#"))
      bytes.put(color)
      bytes.put(sixel, times: end - start)
    }
    bytes.append(UInt8(ascii: "-"))
  }

  /// Finds the colors of one row of squares. Errors are not passed on, since a repeated sixel takes the fewest bytes.
  private mutating func find(row: Int) {
    let y = min(row / factor, canvas.size.height - 1)
    guard y != coarseRow else { return }
    coarseRow = y
    let (pixels, upper) = (canvas.row(y), canvas.row(max(0, y - 1)))
    let last = canvas.size.width - 1
    for x in 0...last {
      let (word, before) = (pixels[x], max(0, x - 1))
      let variation = Pixels.variation(word, left: pixels[before], right: pixels[min(last, x + 1)], above: upper[x])
      let price = tolerance * Self.price(variation)
      let wanted = Self.channels(word)
      let (left, nearest) = (indices[before], palette.index(of: wanted))
      let isNear = Self.square(shown[left] - wanted) <= Self.square(shown[nearest] - wanted) + price
      indices[x] = isNear ? left : nearest
    }
  }

  /// Sets the bits of one row of squares.
  private mutating func setEnlarged(_ row: Int, bit: UInt8) {
    find(row: row)
    for x in 0..<canvas.size.width {
      let color = indices[x]
      let (first, end) = (x * factor, min((x + 1) * factor, width))
      guard first < end else { break }
      for column in first..<end { lines[color * width + column] |= bit }
      extents[color] = (min(extents[color].first, first), max(extents[color].last, end - 1))
    }
  }

  /// Writes the line of a color, and clears it for the next band.
  private mutating func write(_ color: Int) {
    let (first, last) = extents[color]
    extents[color] = Self.nothing
    if first > 0 { bytes.put(0, times: first) }
    lines.withUnsafeMutableBytes { lines in
      let line = UnsafeMutableRawBufferPointer(rebasing: lines[color * width..<(color + 1) * width])
      var x = first
      while x <= last {
        let sixel = line[x]
        // Most of a line is blank, so that eight sixels are compared at a time.
        let eight = UInt64(sixel) &* 0x0101_0101_0101_0101
        var end = x + 1
        while end + 8 <= last, line.loadUnaligned(fromByteOffset: end, as: UInt64.self) == eight { end += 8 }
        while end <= last, line[end] == sixel { end += 1 }
        bytes.put(sixel, times: end - x)
        x = end
      }
      line[first...last].initializeMemory(as: UInt8.self, repeating: 0)
    }
  }
}

extension [UInt8] {
  /// Appends a sixel that repeats.
  fileprivate mutating func put(_ sixel: UInt8, times: Int) {
    let character = sixel + 63
    if times < 4 {
      for _ in 0..<times { append(character) }
    } else {
      append(UInt8(ascii: "!"))
      put(times)
      append(character)
    }
  }

  /// Appends a number in decimal digits.
  fileprivate mutating func put(_ number: Int) {
    if number >= 10 { put(number / 10) }
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
