import Gallery
import Metadata

/// The largest image of an icon or a cursor of Windows: a PNG, or a bitmap with a mask.
enum Icon: PlainFormat {
  static func image(of file: ImageFile, atMost mostPixels: Int) throws(ImageFault) -> PlainImage {
    let size = try file.plainSize(atMost: mostPixels)
    guard let entry = IconEntry(largestOf: file) else { throw .damaged(.header) }
    guard entry.isPNG else { return try bitmap(of: file, entry, size) }
    guard let pixels = PNGImage(descriptor: file.descriptor, at: entry.place)?.transparentPixels() else {
      throw .damaged(.unknown)
    }
    return PlainImage(pixels: pixels)
  }

  /// Decodes a bitmap without a file header. Its rows are followed by those of a mask, in which a set bit is transparent.
  private static func bitmap(
    of file: ImageFile, _ entry: IconEntry, _ size: PixelSize
  ) throws(ImageFault) -> PlainImage {
    func number(_ place: Int, _ count: Int) -> Int { file.number(at: entry.place + place, count: count, .littleEndian) }
    let (header, depth, used) = (number(0, 4), number(14, 2), number(32, 4))
    guard [1, 4, 8, 24, 32].contains(depth), number(16, 4) == 0, header >= 40 else {
      throw .damaged(.bitmap(depth: depth, compression: number(16, 4)))
    }
    let colors = depth > 8 ? 0 : used == 0 ? 1 << depth : min(used, 256)
    let palette = file.bytes(at: entry.place + header, count: 4 * colors)
    let start = entry.place + header + 4 * colors
    guard start < file.size else { throw .incomplete }
    let stride = (size.width * depth + 31) / 32 * 4
    let maskStride = (size.width + 31) / 32 * 4
    let pixels = Pixels(black: size)
    var isIncomplete = false
    for y in 0..<size.height {
      let line = file.bytes(at: start + y * stride, count: stride)
      isIncomplete = isIncomplete || line.count < stride
      let row = pixels.row(size.height - 1 - y)
      for x in 0..<min(size.width, line.count * 8 / depth) {
        if depth <= 8 {
          let index = Int(line[x * depth / 8]) >> (8 - depth - x * depth % 8) & (1 << depth - 1)
          let color = palette.dropFirst(4 * index).prefix(3).number(.littleEndian)
          row[x] = Pixels.word(UInt32(color))
        } else {
          let pixel = line[x * depth / 8..<x * depth / 8 + depth / 8]
          let color = Pixels.word(UInt32(pixel.prefix(3).number(.littleEndian)))
          row[x] = depth == 32 ? color & 0xFF_FFFF | UInt32(pixel[pixel.startIndex + 3]) << 24 : color
        }
      }
    }
    // The mask counts unless the pixels have an alpha of their own.
    if depth == 32, pixels.words.contains(where: { $0 >> 24 > 0 && $0 != Pixels.word(0) }) {
      return PlainImage(pixels: pixels, isIncomplete: isIncomplete)
    }
    for y in 0..<size.height {
      let mask = file.bytes(at: start + stride * size.height + y * maskStride, count: maskStride)
      let row = pixels.row(size.height - 1 - y)
      for x in 0..<size.width {
        let isHidden = x / 8 < mask.count && mask[x / 8] >> (7 - x % 8) & 1 == 1
        row[x] = row[x] & 0xFF_FFFF | (isHidden ? 0 : 0xFF00_0000)
      }
    }
    return PlainImage(pixels: pixels, isIncomplete: isIncomplete)
  }
}
