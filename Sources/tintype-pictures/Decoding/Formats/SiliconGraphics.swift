import Gallery
import Metadata

/// The SGI Image File Format 1.00: planes of rows from the bottom, which are plain or runs.
enum SiliconGraphics: PlainFormat {
  private static let dataStart = 512

  static func image(of file: ImageFile, atMost mostPixels: Int) throws(ImageFault) -> PlainImage {
    let size = try file.plainSize(atMost: mostPixels)
    func big(_ place: Int, _ count: Int) -> Int { file.number(at: place, count: count, .bigEndian) }
    let (isPacked, bytes) = (big(2, 1) == 1, big(3, 1))
    let planes = big(4, 2) >= 3 ? max(1, big(10, 2)) : 1
    let rowBytes = size.width * bytes
    guard dataStart < file.size else { throw .incomplete }
    let pixels = Pixels(black: size)
    var isIncomplete = false
    for plane in 0..<min(4, planes) {
      for y in 0..<size.height {
        let index = plane * size.height + y
        var row: [UInt8]
        if isPacked {
          let (start, count) = (big(dataStart + 4 * index, 4), big(dataStart + 4 * (planes * size.height + index), 4))
          row = unpacked([UInt8](file.bytes(at: start, count: min(count, 2 * rowBytes + 256))), bytes, size.width)
        } else {
          row = [UInt8](file.bytes(at: dataStart + index * rowBytes, count: rowBytes))
        }
        // Of 16 bits, the first eight are shown.
        if bytes == 2 { row = stride(from: 0, to: row.count - 1, by: 2).map { row[$0] } }
        isIncomplete = isIncomplete || row.count < size.width
        draw(row, plane, of: planes, pixels.row(size.height - 1 - y))
      }
    }
    return PlainImage(pixels: pixels, isIncomplete: isIncomplete)
  }

  /// Decodes runs of samples with one or two bytes.
  private static func unpacked(_ data: [UInt8], _ bytes: Int, _ width: Int) -> [UInt8] {
    var (row, place) = ([UInt8](), 0)
    row.reserveCapacity(width * bytes)
    while row.count < width * bytes, place + bytes <= data.count {
      // The head of a run has the size of a sample.
      let head = data[place + bytes - 1]
      place += bytes
      let count = Int(head & 0x7F)
      guard count > 0 else { break }
      let isLiteral = head >= 0x80
      let samples = data[place..<min(data.count, place + (isLiteral ? count : 1) * bytes)]
      for _ in 0..<(isLiteral ? 1 : count) { row += samples }
      place += samples.count
    }
    return row
  }

  private static func draw(
    _ samples: [UInt8], _ plane: Int, of planes: Int, _ row: UnsafeMutableBufferPointer<UInt32>
  ) {
    let isAlpha = planes < 3 ? plane == 1 : plane == 3
    for (x, sample) in samples.prefix(row.count).enumerated() {
      if planes < 3, plane == 0 {
        row[x] = Pixels.word(sample, sample, sample)
      } else {
        let shift = UInt32(isAlpha ? 24 : 8 * plane)
        row[x] = row[x] & ~(255 << shift) | UInt32(sample) << shift
      }
    }
  }
}
