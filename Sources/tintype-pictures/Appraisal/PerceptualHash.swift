import Gallery

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Pixels {
  /// Returns a hash of the coarse shapes of the image, for ``ImageAppraisal/hash``.
  ///
  /// Each bit is the sign of one of the lowest frequencies of the brightness, without the lowest of all, which is the
  /// exposure. So contrast, exposure, white balance, fine detail, noise, and size hardly change it. A small version of the
  /// image is enough, from 32 pixels on.
  func perceptualHash() -> UInt64 {
    let side = PerceptualHash.side
    let cells = brightness(columns: side, rows: side, Self.brightness)
    var hash: UInt64 = 0
    for (bit, frequency) in ImageAppraisal.frequencies.enumerated() {
      let (across, down) = (PerceptualHash.cosines[frequency.across], PerceptualHash.cosines[frequency.down])
      var sum: Float = 0
      for y in 0..<side {
        var row: Float = 0
        for x in 0..<side { row += cells[y * side + x] * across[x] }
        sum += row * down[y]
      }
      if sum > 0 { hash |= 1 << UInt64(bit) }
    }
    return hash
  }

  /// Returns the brightness of the cells of the image, for ``ImageAppraisal/cells``.
  func cells() -> [UInt8] {
    brightness(columns: ImageAppraisal.cellSide, rows: ImageAppraisal.cellSide, Self.luma).map { UInt8($0.rounded()) }
  }

  /// Returns the mean brightness of the cells of a grid over the image. Cells may be smaller than pixels.
  private func brightness(columns: Int, rows: Int, _ brightness: (UInt32) -> Float) -> [Float] {
    let (across, down) = (Coverage(of: size.width, by: columns), Coverage(of: size.height, by: rows))
    var cells = [Float](repeating: 0, count: columns * rows)
    var line = [Float](repeating: 0, count: columns)
    for y in 0..<size.height {
      let row = row(y)
      for column in 0..<columns {
        line[column] = across.cells[column].reduce(0) { $0 + brightness(row[$1.pixel]) * $1.share }
      }
      for (cell, share) in down.pixels[y] {
        for column in 0..<columns { cells[cell * columns + column] += line[column] * share }
      }
    }
    return cells
  }

  private static func brightness(_ word: UInt32) -> Float {
    Float((word & 0xFF) + 2 * (word >> 8 & 0xFF) + (word >> 16 & 0xFF))
  }

  /// Returns the luma of Rec. ITU-R BT.601, from which most programs make gray images.
  private static func luma(_ word: UInt32) -> Float {
    0.299 * Float(word & 0xFF) + 0.587 * Float(word >> 8 & 0xFF) + 0.114 * Float(word >> 16 & 0xFF)
  }
}

private enum PerceptualHash {
  /// The columns and rows of the grid of brightness.
  static let side = 32

  /// The waves of the discrete cosine transform (DCT-II) of each frequency.
  static let cosines: [[Float]] = (0...10).map { frequency in
    (0..<side).map { Float(cos(Double.pi * Double(frequency) * (Double($0) + 0.5) / Double(side))) }
  }
}

/// The parts of a row of pixels that lie in the cells of a coarser or finer row of the same length.
private struct Coverage {
  /// The pixels in each cell, and the share of the cell that each of them fills.
  private(set) var cells: [[(pixel: Int, share: Float)]] = []
  /// The cells that each pixel touches, and the share of the cell that it fills.
  private(set) var pixels: [[(cell: Int, share: Float)]]

  init(of length: Int, by count: Int) {
    pixels = Array(repeating: [], count: length)
    for cell in 0..<count {
      // In units of a pixel's `count`th part, all borders are whole numbers.
      let (start, end) = (cell * length, (cell + 1) * length)
      let parts = (start / count...(end - 1) / count).map { pixel in
        let overlap = min(end, (pixel + 1) * count) - max(start, pixel * count)
        return (pixel: pixel, share: Float(overlap) / Float(length))
      }
      cells.append(parts)
      for part in parts { pixels[part.pixel].append((cell, part.share)) }
    }
  }
}
