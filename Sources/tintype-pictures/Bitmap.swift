/// Bitmaps of Windows and OS/2 (BITMAPCOREHEADER, BITMAPINFOHEADER and its successors), for which libvips has no loader of
/// its own.
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

    /// OS/2's first header, the only one with sides of two bytes and colors of three.
    var isCore: Bool { size == 12 }
    var colorBytes: Int { isCore ? 3 : 4 }
    /// Where the palette is: behind the header, and behind the masks that a header of 40 bytes has no room for.
    var paletteStart: Int { 14 + size + (size == 40 && compression == 3 ? 12 : 0) }

    /// - Returns: nil where the file ends within the header, or that is none.
    init?(_ file: ImageFile) {
      var bytes = [UInt8](file.bytes(at: 0, count: 54))
      guard bytes.count >= 26 else { return nil }
      size = bytes.number(at: 14)
      guard size == 12 || (size >= 16 && bytes.count >= min(54, 14 + size)) else { return nil }
      // OS/2's second header may end before its last fields, which are 0 then.
      bytes = Array(bytes.prefix(14 + size)) + [UInt8](repeating: 0, count: 54)
      if size == 12 {
        (width, height, isTopDown) = (bytes.number(at: 18, count: 2), bytes.number(at: 20, count: 2), false)
      } else {
        width = Int(Int32(truncatingIfNeeded: bytes.number(at: 18)))
        let signedHeight = Int(Int32(truncatingIfNeeded: bytes.number(at: 22)))
        (height, isTopDown) = (abs(signedHeight), signedHeight < 0)
      }
      depth = bytes.number(at: size == 12 ? 24 : 28, count: 2)
      compression = size == 12 ? 0 : bytes.number(at: 30)
      let used = size == 12 ? 0 : bytes.number(at: 46)
      colors = depth <= 8 ? (used == 0 ? 1 << depth : min(used, 1 << depth)) : 0
      start = bytes.number(at: 10)
      guard width > 0, height > 0 else { return nil }
    }
  }

  /// The size that the header gives; nil where that makes no sense.
  static func size(of file: ImageFile) -> (width: Int, height: Int)? {
    Header(file).map { ($0.width, $0.height) }
  }

  /// The image, and whether the file ends before it does; what is missing is black.
  ///
  /// - Throws: ``ImageFailure`` where nothing of it is there, or it is of an unusual kind.
  static func pixels(
    of file: ImageFile, atMost mostPixels: Int
  ) throws(ImageFailure) -> (pixels: Pixels, isIncomplete: Bool) {
    guard let header = Header(file) else {
      throw file.size < 54 ? .incomplete : .damaged("its header makes no sense")
    }
    guard header.width <= mostPixels / header.height else { throw .tooLarge(header.width, header.height) }
    let palette = palette(of: file, header)
    let pixels = Pixels(PixelSize(header.width, header.height))
    switch (header.depth, header.compression) {
    case (8, 1), (4, 2):
      // Written row by row, of which each takes two bytes a pixel at most.
      let count = min(file.size - header.start, (2 * header.width + 16) * header.height)
      let data = [UInt8](file.bytes(at: header.start, count: count))
      guard !data.isEmpty else { throw .incomplete }
      pixels.words.update(repeating: palette.first ?? Pixels.word(0))
      var runs = Runs(data, bitsPerPixel: header.depth, header)
      return (pixels, !runs.draw(on: pixels, palette))
    default: return (pixels, try !readRows(of: file, header, palette, into: pixels))
    }
  }

  /// Colors as pixels; those that the file has no room for are black.
  private static func palette(of file: ImageFile, _ header: Header) -> [UInt32] {
    let bytes = [UInt8](file.bytes(at: header.paletteStart, count: header.colorBytes * header.colors))
    return stride(from: 0, to: bytes.count - header.colorBytes + 1, by: header.colorBytes).map {
      Pixels.word(UInt32(bytes.number(at: $0, count: 3)))
    }
  }

  /// Reads rows that are not compressed.
  ///
  /// - Returns: Whether all of them are there.
  private static func readRows(
    of file: ImageFile, _ header: Header, _ palette: [UInt32], into pixels: Pixels
  ) throws(ImageFailure) -> Bool {
    let masks = try masks(of: file, header)
    let stride = (header.width * header.depth + 31) / 32 * 4
    let start = header.start > 0 ? header.start : header.paletteStart + header.colorBytes * header.colors
    guard start < file.size else { throw .incomplete }
    // The last row's padding may be missing.
    let needed = (header.width * header.depth + 7) / 8
    for row in 0..<header.height {
      let line = [UInt8](file.bytes(at: start + row * stride, count: needed))
      let target = pixels.row(header.isTopDown ? row : header.height - 1 - row)
      target.update(repeating: Pixels.word(0))
      for column in 0..<min(header.width, line.count * 8 / header.depth) {
        if header.depth <= 8 {
          let shift = 8 - header.depth - column * header.depth % 8
          let index = Int(line[column * header.depth / 8]) >> shift & (1 << header.depth - 1)
          // An index beyond the palette is black, as elsewhere.
          if index < palette.count { target[column] = palette[index] }
        } else {
          let bytes = header.depth / 8
          let value = line.number(at: column * bytes, count: bytes)
          target[column] = Pixels.word(masks.reduce(0) { $0 << 8 | UInt32($1.part(of: value)) })
        }
      }
    }
    return start + (header.height - 1) * stride + needed <= file.size
  }

  /// Where red, green and blue are in a pixel.
  private static func masks(of file: ImageFile, _ header: Header) throws(ImageFailure) -> [Mask] {
    switch (header.depth, header.compression) {
    case (1, 0), (2, 0), (4, 0), (8, 0): return []
    case (16, 0): return [Mask(0x7C00), Mask(0x3E0), Mask(0x1F)]
    case (24, 0), (32, 0): return [Mask(0xFF_0000), Mask(0xFF00), Mask(0xFF)]
    // 6 is 3 with a fourth mask, for transparency.
    case (16, 3), (32, 3), (16, 6), (32, 6):
      // Behind the first header, or the first fields of a later one.
      let bytes = [UInt8](file.bytes(at: 54, count: 12))
      guard bytes.count == 12 else { throw .incomplete }
      return [0, 4, 8].map { Mask(bytes.number(at: $0)) }
    default:
      throw .damaged("bitmaps of \(header.depth) bits and compression \(header.compression) are not supported")
    }
  }

  /// The bits of a pixel that make one of its colors.
  private struct Mask {
    let shift: Int
    let most: Int

    init(_ bits: Int) {
      shift = bits == 0 ? 0 : bits.trailingZeroBitCount
      most = bits >> shift
    }

    func part(of value: Int) -> Int { most == 0 ? 0 : (value >> shift & most) * 255 / most }
  }

  /// Pixels coded as runs of one color or two, and as literal ones (BI_RLE8, BI_RLE4).
  private struct Runs {
    private var data: ArraySlice<UInt8>
    private let isNibbles: Bool
    private let isTopDown: Bool

    init(_ data: [UInt8], bitsPerPixel: Int, _ header: Header) {
      self.data = data[...]
      isNibbles = bitsPerPixel == 4
      isTopDown = header.isTopDown
    }

    /// Draws all there are.
    ///
    /// - Returns: Whether the data says where it ends.
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
        case (0, 0): (x, y) = (0, y + 1)
        case (0, 1): return true
        case (0, 2):
          guard let right = data.popFirst(), let down = data.popFirst() else { return false }
          (x, y) = (x + Int(right), y + Int(down))
        case (0, _):
          // Literal ones, padded to an even number of bytes.
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
  /// The high half of an even index, the low half of an odd one.
  fileprivate func nibble(_ index: Int) -> UInt8 { index % 2 == 0 ? self >> 4 : self & 15 }
}

extension [UInt8] {
  /// Little-endian.
  fileprivate func number(at offset: Int, count: Int = 4) -> Int {
    (0..<count).reduce(0) { $0 | Int(self[offset + $1]) << (8 * $1) }
  }
}
