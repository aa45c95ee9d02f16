import Gallery
import Metadata

/// Truevision TGA 2.0, whose pixels are plain or runs.
enum Targa: PlainFormat {
  static func image(of file: ImageFile, atMost mostPixels: Int) throws(ImageFault) -> PlainImage {
    let size = try file.plainSize(atMost: mostPixels)
    func number(_ place: Int, _ count: Int = 1) -> Int { file.number(at: place, count: count, .littleEndian) }
    let (type, depth, descriptor) = (number(2), number(16), number(17))
    let (firstColor, colors, colorDepth) = (number(3, 2), number(5, 2), number(7))
    let paletteStart = 18 + number(0)
    let start = paletteStart + (number(1) == 1 ? colors * ((colorDepth + 7) / 8) : 0)
    let bytes = (depth + 7) / 8
    let data = try file.rest(from: start, atMost: size.area * (bytes + 1))
    let samples = type >= 8 ? unpacked(data, bytes, size.area * bytes) : data
    let palette =
      number(1) == 1 && type & 7 == 1
      ? words([UInt8](file.bytes(at: paletteStart, count: start - paletteStart)), colorDepth, isGray: false) : nil
    var found = words(samples, depth, isGray: type & 7 == 3, hasAlpha: descriptor & 15 > 0)
    if let palette {
      found = stride(from: 0, to: samples.count - bytes + 1, by: bytes).map {
        let index = (bytes == 2 ? Int(samples[$0 + 1]) << 8 : 0) + Int(samples[$0]) - firstColor
        return palette.indices.contains(index) ? palette[index] : Pixels.word(0)
      }
    }
    let pixels = Pixels(black: size)
    for (index, word) in found.prefix(size.area).enumerated() {
      let (x, y) = (index % size.width, index / size.width)
      let column = descriptor & 0x10 == 0 ? x : size.width - 1 - x
      pixels.row(descriptor & 0x20 == 0 ? size.height - 1 - y : y)[column] = word
    }
    return PlainImage(pixels: pixels, isIncomplete: found.count < size.area)
  }

  /// Decodes packets: of one pixel that is repeated, or of several.
  private static func unpacked(_ data: [UInt8], _ bytes: Int, _ count: Int) -> [UInt8] {
    var samples: [UInt8] = []
    samples.reserveCapacity(count)
    var place = 0
    while samples.count < count, place < data.count {
      let (pixels, isRun) = (Int(data[place] & 0x7F) + 1, data[place] >= 0x80)
      let packet = data[min(data.count, place + 1)..<min(data.count, place + 1 + (isRun ? bytes : pixels * bytes))]
      for _ in 0..<(isRun ? pixels : 1) { samples += packet }
      place += 1 + packet.count
    }
    return samples
  }

  private static func words(_ samples: [UInt8], _ depth: Int, isGray: Bool, hasAlpha: Bool = true) -> [UInt32] {
    let bytes = (depth + 7) / 8
    guard bytes > 0 else { return [] }
    return stride(from: 0, to: samples.count - bytes + 1, by: bytes).map { place in
      let first = samples[place]
      switch (bytes, isGray) {
      case (1, _): return Pixels.word(first, first, first)
      case (2, true): return Pixels.word(first, first, first, hasAlpha ? samples[place + 1] : 255)
      case (2, false):
        let value = Int(samples[place + 1]) << 8 | Int(first)
        func part(_ shift: Int) -> UInt8 { UInt8((value >> shift & 31) * 255 / 31) }
        return Pixels.word(part(10), part(5), part(0))
      default:
        let alpha = bytes == 4 && hasAlpha ? samples[place + 3] : 255
        return Pixels.word(samples[place + 2], samples[place + 1], first, alpha)
      }
    }
  }
}
