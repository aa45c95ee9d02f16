#if Pictures
  import ImageWire

  /// Encodes images as sixels (DEC STD 070, chapter 9): a palette, then bands of six rows. Each color of a band is drawn in
  /// one pass.
  enum SixelEncoder {
    /// Returns the control sequence of an image.
    ///
    /// - Parameters:
    ///   - pixels: The image. If it is smaller than the layout, each pixel becomes a square of pixels on the screen.
    ///   - colors: The number of the terminal's color registers.
    static func encode(
      _ pixels: Pixels, _ layout: Layout, _ request: RenditionRequest, _ reduction: Reduction, colors: Int, threads: Int
    ) -> [UInt8] {
      // The canvas fills whole cells, with the image in the middle of the background. It is opaque, so that it replaces the
      // image that was there before.
      let size = PixelSize(layout.columns * request.cellWidth, layout.rows * request.cellHeight)
      // Sixels are six pixels high. Squares that fill them take far fewer bytes.
      let smallest = layout.pixels.divided(by: pixels.size.width).width
      let factor = smallest > 6 ? (smallest + 5) / 6 * 6 : smallest
      let coarse = size.divided(by: factor)
      let canvas = pixels.inMiddle(of: coarse, background: request.background)
      let palette = Palette(of: canvas, count: min(reduction.colors ?? 256, max(2, colors)))
      // The second parameter 0 makes pixels that are not drawn background. Pixels are square.
      var bytes = Array("\u{1B}P0;0;0q\"1;1;\(size.width);\(size.height)".utf8)
      for (index, color) in palette.colors.enumerated() {
        let parts = [16, 8, 0].map { ((color >> $0 & 0xFF) * 100 + 127) / 255 }
        bytes += "#\(index);2;\(parts[0]);\(parts[1]);\(parts[2])".utf8
      }
      let bands = (size.height + 5) / 6
      let shares = min(bands, threads)
      var parts = [[UInt8]](repeating: [], count: shares)
      parts.withUnsafeMutableBufferPointer { parts in
        // The threads share these: each thread writes one part, and all of them only read the canvas.
        nonisolated(unsafe) let (parts, canvas) = (parts, canvas)
        SharedWork.perform(shares: shares) { share in
          var writer = SixelWriter(canvas, palette, size: size, factor: factor, tolerance: reduction.tolerance)
          writer.write(bands: bands * share / shares..<bands * (share + 1) / shares)
          parts[share] = writer.bytes
        }
      }
      for part in parts { bytes += part }
      return bytes + "\u{1B}\\".utf8
    }
  }

  /// Writes the sixels of a canvas, band by band.
  private struct SixelWriter {
    private(set) var bytes: [UInt8] = []
    private let canvas: Pixels
    private let size: PixelSize
    /// The width and height of the square that a pixel of the canvas becomes.
    private let factor: Int
    /// The factor of the tolerances.
    private let tolerance: Int32
    private var palette: Palette
    /// The indices of the colors in the row above, or in the last row of an enlarged canvas.
    private var above: [Int]
    /// The row of the canvas that ``above`` belongs to, if the canvas is enlarged.
    private var coarseRow = -1
    private let width: Int
    /// A line of sixels for each color. All are zero between two bands.
    private var lines: [UInt8]
    /// The first and the last column in which each color has sixels.
    private var extents: [(first: Int, last: Int)]

    private static let nothing = (first: Int.max, last: -1)

    init(_ canvas: Pixels, _ palette: Palette, size: PixelSize, factor: Int, tolerance: Int) {
      // Tolerances are compared with squares.
      self.tolerance = Int32(tolerance * tolerance)
      self.canvas = canvas
      self.palette = palette
      (self.size, self.factor, width) = (size, factor, size.width)
      above = Array(repeating: 0, count: canvas.size.width)
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
          put(color)
          write(color)
        }
        bytes.append(UInt8(ascii: "-"))
      }
    }

    /// The offsets of ordered dithering (B. Bayer, 1973), just large enough to hide the steps between 256 colors.
    private static let offsets: [Int] = [
      0, 32, 8, 40, 2, 34, 10, 42, 48, 16, 56, 24, 50, 18, 58, 26, 12, 44, 4, 36, 14, 46, 6, 38, 60, 28, 52, 20, 62, 30,
      54, 22, 3, 35, 11, 43, 1, 33, 9, 41, 51, 19, 59, 27, 49, 17, 57, 25, 15, 47, 7, 39, 13, 45, 5, 37, 63, 31, 55, 23,
      61, 29, 53, 21,
    ].map { ($0 - 32) / 8 }

    /// The tolerances within which a pixel takes the color of its neighbor, as squares of differences of 255: the base in a
    /// smooth area, where steps are visible; the increase for each difference from the neighbors; and the maximum.
    ///
    /// These values were found by viewing. They halve the bytes, which take the terminal longer to read than us to write,
    /// without visible steps.
    private static let (smooth, busy, most) = (Int32(6), Int32(12), Int32(300))

    /// Returns the tolerance for a pixel among its neighbors.
    @inline(__always)
    private static func tolerance(_ pixel: UInt32, left: UInt32, right: UInt32, above: UInt32) -> Int32 {
      func difference(_ other: UInt32) -> Int32 { abs(Int32(pixel >> 8 & 0xFF) - Int32(other >> 8 & 0xFF)) }
      return min(smooth + busy * (difference(left) + difference(right) + difference(above)), most)
    }

    /// Sets the bits of one row of pixels in the lines of their colors.
    private mutating func set(_ row: Int, bit: UInt8) {
      let (pixels, upper) = (canvas.row(row), canvas.row(max(0, row - 1)))
      lines.withUnsafeMutableBufferPointer { lines in
        extents.withUnsafeMutableBufferPointer { extents in
          Self.offsets.withUnsafeBufferPointer { offsets in
            for x in 0..<width {
              let word = pixels[x]
              let tolerance =
                tolerance
                * Self.tolerance(
                  word, left: pixels[max(0, x - 1)], right: pixels[min(width - 1, x + 1)], above: upper[x])
              var color = above[max(0, x - 1)]
              if palette.distance(of: color, from: word) >= tolerance {
                color = above[x]
                if palette.distance(of: color, from: word) >= tolerance {
                  let offset = offsets[(row & 7) << 3 | x & 7]
                  color = palette.index(
                    red: min(255, max(0, Int(word & 0xFF) + offset)),
                    green: min(255, max(0, Int(word >> 8 & 0xFF) + offset)),
                    blue: min(255, max(0, Int(word >> 16 & 0xFF) + offset)))
                }
              }
              above[x] = color
              lines[color * width + x] |= bit
              if x < extents[color].first { extents[color].first = x }
              if x > extents[color].last { extents[color].last = x }
            }
          }
        }
      }
    }

    /// Writes a band of one row of squares. Its sixels have one color each, so that one pass draws them all.
    private mutating func write(squares rows: Range<Int>) {
      find(row: rows.lowerBound)
      let sixel: UInt8 = 1 << UInt8(rows.count) - 1
      var x = 0
      while x < above.count {
        let color = above[x]
        let first = x
        while x < above.count, above[x] == color { x += 1 }
        let (start, end) = (first * factor, min(x * factor, width))
        guard start < end else { break }
        bytes.append(UInt8(ascii: "#"))
        put(color)
        put(sixel, times: end - start)
      }
      bytes.append(UInt8(ascii: "-"))
    }

    /// Finds the colors of one row of squares. They are not dithered, since a repeated sixel takes the fewest bytes.
    private mutating func find(row: Int) {
      let y = min(row / factor, canvas.size.height - 1)
      guard y != coarseRow else { return }
      coarseRow = y
      let (pixels, upper) = (canvas.row(y), canvas.row(max(0, y - 1)))
      for x in above.indices {
        let (word, before) = (pixels[x], max(0, x - 1))
        let tolerance =
          tolerance
          * Self.tolerance(
            word, left: pixels[before], right: pixels[min(above.count - 1, x + 1)], above: upper[x])
        above[x] =
          palette.distance(of: above[before], from: word) < tolerance
          ? above[before]
          : palette.index(red: Int(word & 0xFF), green: Int(word >> 8 & 0xFF), blue: Int(word >> 16 & 0xFF))
      }
    }

    /// Sets the bits of one row of squares.
    private mutating func setEnlarged(_ row: Int, bit: UInt8) {
      find(row: row)
      for (x, color) in above.enumerated() {
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
      if first > 0 { put(0, times: first) }
      var x = first
      while x <= last {
        let start = color * width
        let sixel = lines[start + x]
        var end = x + 1
        while end <= last, lines[start + end] == sixel { end += 1 }
        put(sixel, times: end - x)
        x = end
      }
      for x in first...last { lines[color * width + x] = 0 }
    }

    /// Writes a sixel that repeats.
    private mutating func put(_ sixel: UInt8, times: Int) {
      let character = sixel + 63
      if times < 4 {
        for _ in 0..<times { bytes.append(character) }
      } else {
        bytes.append(UInt8(ascii: "!"))
        put(times)
        bytes.append(character)
      }
    }

    /// Writes a number in decimal digits.
    private mutating func put(_ number: Int) {
      if number >= 10 { put(number / 10) }
      bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
  }
#endif
