import Gallery
import Metadata

/// The first image of a FITS file (FITS 4.0), with rows from the bottom.
///
/// Its numbers are measured values of any range. So the darkest and the brightest ones of an image become black and white,
/// without the few that stars and damaged pixels have.
enum FITS: PlainFormat {
  /// The share of values that are shown as black, and as white.
  private static let cut = 0.003
  private static let samplesForRange = 20_000

  static func image(of file: ImageFile, atMost mostPixels: Int) throws(ImageFault) -> PlainImage {
    let size = try file.plainSize(atMost: mostPixels)
    guard let header = FITSHeader(file) else { throw .damaged(.header) }
    guard [8, 16, 32, 64, -32, -64].contains(header.bits) else { throw .damaged(.coding("\(header.bits) bits")) }
    guard header.start < file.size else { throw .incomplete }
    let planes = header.isColor ? 3 : 1
    let rowBytes = size.width * abs(header.bits) / 8
    func values(_ plane: Int, _ y: Int) -> [Double] {
      let row = file.bytes(at: header.start + (plane * size.height + y) * rowBytes, count: rowBytes)
      return header.values(row)
    }
    let range = range(size, planes, values)
    let pixels = Pixels(black: size)
    var isIncomplete = false
    for plane in 0..<planes {
      for y in 0..<size.height {
        let row = values(plane, y)
        isIncomplete = isIncomplete || row.count < size.width
        draw(row.map { level(of: $0, in: range) }, plane, of: planes, pixels.row(size.height - 1 - y))
      }
    }
    return PlainImage(pixels: pixels, isIncomplete: isIncomplete)
  }

  /// Returns the values of black and white, by some of all values.
  private static func range(
    _ size: PixelSize, _ planes: Int, _ values: (Int, Int) -> [Double]
  ) -> (black: Double, white: Double) {
    let rows = max(1, min(size.height, 200))
    let step = max(1, size.width * rows * planes / samplesForRange)
    var samples: [Double] = []
    for plane in 0..<planes {
      for index in 0..<rows {
        let row = values(plane, index * size.height / rows)
        samples += stride(from: index % step, to: row.count, by: step).map { row[$0] }.filter(\.isFinite)
      }
    }
    samples.sort()
    guard let first = samples.first, let last = samples.last, first < last else { return (0, samples.first ?? 1) }
    let skipped = Int(Double(samples.count) * cut)
    let (black, white) = (samples[skipped], samples[samples.count - 1 - skipped])
    return black < white ? (black, white) : (first, last)
  }

  private static func level(of value: Double, in range: (black: Double, white: Double)) -> UInt8 {
    let share = (value - range.black) / (range.white - range.black)
    return share.isFinite ? UInt8(min(max(share, 0), 1) * 255 + 0.5) : 0
  }

  private static func draw(
    _ levels: [UInt8], _ plane: Int, of planes: Int, _ row: UnsafeMutableBufferPointer<UInt32>
  ) {
    let shift = UInt32(8 * plane)
    for (x, level) in levels.prefix(row.count).enumerated() {
      row[x] =
        planes == 1 ? Pixels.word(level, level, level) : row[x] & ~(255 << shift) | UInt32(level) << shift
    }
  }
}

extension FITSHeader {
  /// Returns the numbers of a row.
  fileprivate func values(_ row: ArraySlice<UInt8>) -> [Double] {
    let bytes = abs(bits) / 8
    return stride(from: row.startIndex, to: row.endIndex - bytes + 1, by: bytes).map { place in
      let number = row[place..<place + bytes].number(.bigEndian)
      let value: Double =
        switch bits {
        case 16: Double(Int16(truncatingIfNeeded: number))
        case 32: Double(Int32(truncatingIfNeeded: number))
        case -32: Double(Float(bitPattern: UInt32(truncatingIfNeeded: number)))
        case -64: Double(bitPattern: UInt64(bitPattern: Int64(number)))
        default: Double(number)
        }
      return zero + scale * value
    }
  }
}
