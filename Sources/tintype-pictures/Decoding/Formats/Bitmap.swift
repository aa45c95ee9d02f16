import Gallery
import Metadata

/// Bitmaps of Windows and OS/2.
enum Bitmap: PlainFormat {
  static func image(of file: ImageFile, atMost mostPixels: Int) throws(ImageFault) -> PlainImage {
    guard let header = BitmapHeader(file) else {
      throw file.size < 54 ? .incomplete : .damaged(.header)
    }
    let pixels = Pixels(try file.plainSize(atMost: mostPixels))
    let palette = palette(of: file, header)
    switch (header.depth, header.compression) {
    case (8, 1), (4, 2):
      // A row takes at most two bytes a pixel, and a few more.
      let count = min(file.size - header.start, (2 * header.width + 16) * header.height)
      let data = [UInt8](file.bytes(at: header.start, count: count))
      guard !data.isEmpty else { throw .incomplete }
      pixels.words.update(repeating: palette.first ?? Pixels.word(0))
      var runs = Runs(data, bitsPerPixel: header.depth, header)
      return PlainImage(pixels: pixels, isIncomplete: !runs.draw(on: pixels, palette))
    default:
      return PlainImage(pixels: pixels, isIncomplete: try !readRows(of: file, header, palette, into: pixels))
    }
  }

  /// Returns the colors of the palette as pixels, as far as the file has them.
  private static func palette(of file: ImageFile, _ header: BitmapHeader) -> [UInt32] {
    let bytes = file.bytes(at: header.paletteStart, count: header.colorBytes * header.colors)
    return stride(from: 0, to: bytes.count - header.colorBytes + 1, by: header.colorBytes).map {
      Pixels.word(UInt32(bytes[$0..<$0 + 3].number(.littleEndian)))
    }
  }

  /// Reads rows that are not compressed, and returns whether the file has all of them.
  private static func readRows(
    of file: ImageFile, _ header: BitmapHeader, _ palette: [UInt32], into pixels: Pixels
  ) throws(ImageFault) -> Bool {
    let masks = try masks(of: file, header)
    let stride = (header.width * header.depth + 31) / 32 * 4
    let start = header.start > 0 ? header.start : header.paletteStart + header.colorBytes * header.colors
    guard start < file.size else { throw .incomplete }
    // The padding of the last row may be missing.
    let needed = (header.width * header.depth + 7) / 8
    for row in 0..<header.height {
      let line = file.bytes(at: start + row * stride, count: needed)
      let target = pixels.row(header.isTopDown ? row : header.height - 1 - row)
      target.update(repeating: Pixels.word(0))
      for column in 0..<min(header.width, line.count * 8 / header.depth) {
        if header.depth <= 8 {
          let shift = 8 - header.depth - column * header.depth % 8
          let index = Int(line[column * header.depth / 8]) >> shift & (1 << header.depth - 1)
          // An index beyond the palette is black, as in other programs.
          if index < palette.count { target[column] = palette[index] }
        } else {
          let bytes = header.depth / 8
          let value = line[column * bytes..<(column + 1) * bytes].number(.littleEndian)
          target[column] = Pixels.word(masks.reduce(0) { $0 << 8 | UInt32($1.part(of: value)) })
        }
      }
    }
    return start + (header.height - 1) * stride + needed <= file.size
  }

  /// Returns the bits of red, green, and blue in a pixel.
  private static func masks(of file: ImageFile, _ header: BitmapHeader) throws(ImageFault) -> [Mask] {
    switch (header.depth, header.compression) {
    case (1, 0), (2, 0), (4, 0), (8, 0): return []
    case (16, 0): return [Mask(0x7C00), Mask(0x3E0), Mask(0x1F)]
    case (24, 0), (32, 0): return [Mask(0xFF_0000), Mask(0xFF00), Mask(0xFF)]
    // Compression 6 is compression 3 with a fourth mask, for transparency.
    case (16, 3), (32, 3), (16, 6), (32, 6):
      // The masks follow the header of 40 bytes, or are the next fields of a longer one.
      guard file.size >= 54 + 12 else { throw .incomplete }
      return [0, 4, 8].map { Mask(file.number(at: 54 + $0, count: 4, .littleEndian)) }
    default:
      throw .damaged(.bitmap(depth: header.depth, compression: header.compression))
    }
  }

  /// The bits of a pixel that hold one of its colors.
  private struct Mask {
    let shift: Int
    let most: Int

    init(_ bits: Int) {
      shift = bits == 0 ? 0 : bits.trailingZeroBitCount
      most = bits >> shift
    }

    /// Returns the color in a pixel, from 0 to 255.
    func part(of value: Int) -> Int { most == 0 ? 0 : (value >> shift & most) * 255 / most }
  }

  /// Pixels that are coded as runs of one or two colors, and as literal pixels (BI_RLE8, BI_RLE4).
  private struct Runs {
    private var data: ArraySlice<UInt8>
    private let isNibbles: Bool
    private let isTopDown: Bool

    init(_ data: [UInt8], bitsPerPixel: Int, _ header: BitmapHeader) {
      self.data = data[...]
      isNibbles = bitsPerPixel == 4
      isTopDown = header.isTopDown
    }

    /// Draws all pixels, and returns whether the data are complete.
    mutating func draw(on pixels: Pixels, _ palette: [UInt32]) -> Bool {
      var (x, y) = (0, 0)
      func put(_ index: UInt8) {
        defer { x += 1 }
        guard x < pixels.size.width else { return }
        pixels.row(isTopDown ? y : pixels.size.height - 1 - y)[x] =
          Int(index) < palette.count ? palette[Int(index)] : Pixels.word(0)
      }
      while y < pixels.size.height {
        guard let count = data.popFirst(), let value = data.popFirst() else { return false }
        switch (count, value) {
        case (0, 0):
          x = 0
          y = y + 1
        case (0, 1): return true
        case (0, 2):
          guard let right = data.popFirst(), let down = data.popFirst() else { return false }
          x = x + Int(right)
          y = y + Int(down)
        case (0, _):
          // Literal pixels, padded to an even number of bytes.
          let bytes = isNibbles ? (Int(value) + 1) / 2 : Int(value)
          let literal = Array(data.prefix(bytes))
          data = data.dropFirst(bytes + bytes % 2)
          guard literal.count == bytes else { return false }
          for index in 0..<Int(value) { put(isNibbles ? literal[index / 2].nibble(index) : literal[index]) }
        default: for index in 0..<Int(count) { put(isNibbles ? value.nibble(index) : value) }
        }
      }
      return true
    }
  }
}

extension UInt8 {
  /// Returns the high half for an even index, and the low half for an odd one.
  fileprivate func nibble(_ index: Int) -> UInt8 { index % 2 == 0 ? self >> 4 : self & 15 }
}
