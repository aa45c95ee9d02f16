/// Windows bitmaps (BITMAPINFOHEADER and its successors), for which libvips has no loader of its own.
enum Bitmap {
  private struct Header {
    let start: Int
    let size: Int
    let width: Int
    let height: Int
    let isTopDown: Bool
    let depth: Int
    let compression: Int
    let colors: Int

    init(_ file: PictureFile) throws(PictureFailure) {
      let bytes = [UInt8](file.bytes(at: 0, count: 54))
      guard bytes.count == 54 else { throw .damaged("its header is cut off") }
      start = bytes.number(at: 10)
      size = bytes.number(at: 14)
      width = Int(Int32(truncatingIfNeeded: bytes.number(at: 18)))
      let signedHeight = Int(Int32(truncatingIfNeeded: bytes.number(at: 22)))
      (height, isTopDown) = (abs(signedHeight), signedHeight < 0)
      depth = bytes.number(at: 28, count: 2)
      compression = bytes.number(at: 30)
      let used = bytes.number(at: 46)
      colors = depth <= 8 ? (used == 0 ? 1 << depth : min(used, 1 << depth)) : 0
      guard size >= 40, width > 0, height > 0 else { throw .damaged("its header makes no sense") }
    }
  }

  /// - Throws: ``PictureFailure`` where it is cut short, compressed, or of an unusual depth.
  static func pixels(of file: PictureFile, atMost mostPixels: Int) throws(PictureFailure) -> Pixels {
    let header = try Header(file)
    guard header.width <= mostPixels / header.height else { throw .tooLarge(header.width, header.height) }
    let masks = try masks(of: file, header)
    let stride = (header.width * header.depth + 31) / 32 * 4
    guard stride * header.height <= file.size else { throw .damaged("its pixels are cut off") }
    let palette = [UInt8](file.bytes(at: 14 + header.size, count: 4 * header.colors))
    let data = [UInt8](file.bytes(at: header.start, count: stride * header.height))
    guard data.count == stride * header.height, palette.count == 4 * header.colors else {
      throw .damaged("its pixels are cut off")
    }
    let pixels = Pixels(PixelSize(header.width, header.height))
    for row in 0..<header.height {
      let line = (header.isTopDown ? row : header.height - 1 - row) * stride
      let target = pixels.row(row)
      for column in 0..<header.width {
        if header.depth <= 8 {
          let shift = 8 - header.depth - column * header.depth % 8
          let index = Int(data[line + column * header.depth / 8]) >> shift & (1 << header.depth - 1)
          // An index beyond the palette is black, as elsewhere.
          target[column] =
            index < header.colors
            ? Pixels.word(UInt32(palette.number(at: index * 4, count: 3))) : Pixels.word(0)
        } else {
          let bytes = header.depth / 8
          let value = data.number(at: line + column * bytes, count: bytes)
          target[column] = Pixels.word(masks.reduce(0) { $0 << 8 | UInt32($1.part(of: value)) })
        }
      }
    }
    return pixels
  }

  /// Where red, green and blue are in a pixel.
  private static func masks(of file: PictureFile, _ header: Header) throws(PictureFailure) -> [Mask] {
    switch (header.depth, header.compression) {
    case (1, 0), (4, 0), (8, 0): return []
    case (16, 0): return [Mask(0x7C00), Mask(0x3E0), Mask(0x1F)]
    case (24, 0), (32, 0): return [Mask(0xFF_0000), Mask(0xFF00), Mask(0xFF)]
    case (16, 3), (32, 3):
      // Behind the first header, or the first fields of a later one.
      let bytes = [UInt8](file.bytes(at: 54, count: 12))
      guard bytes.count == 12 else { throw .damaged("its header is cut off") }
      return [0, 4, 8].map { Mask(bytes.number(at: $0)) }
    default:
      throw .damaged("bitmaps of \(header.depth) bits and compression \(header.compression) are not known here")
    }
  }

  /// The bits of a pixel that make one of its colours.
  private struct Mask {
    let shift: Int
    let most: Int

    init(_ bits: Int) {
      shift = bits == 0 ? 0 : bits.trailingZeroBitCount
      most = bits >> shift
    }

    func part(of value: Int) -> Int { most == 0 ? 0 : (value >> shift & most) * 255 / most }
  }
}

extension [UInt8] {
  /// Little-endian.
  fileprivate func number(at offset: Int, count: Int = 4) -> Int {
    (0..<count).reduce(0) { $0 | Int(self[offset + $1]) << (8 * $1) }
  }
}
