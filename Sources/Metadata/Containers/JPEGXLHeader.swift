import Gallery

/// The start of a JPEG XL codestream (ISO/IEC 18181-1, annex D: `SizeHeader`, and the orientation in `ImageMetadata`).
struct JPEGXLHeader {
  /// The width in pixels, upright by the codestream's own orientation.
  let width: Int
  /// The height in pixels, upright by the codestream's own orientation.
  let height: Int

  /// The codestream's own orientation, whose numbers are those of Exif.
  let orientation: ImageOrientation

  /// Whether the codestream has several frames, which are shown one after the other. A header with a preview does not say that
  /// cheaply.
  let isAnimation: Bool

  /// A number of bytes that holds any header.
  static let longest = 32

  /// Reads the header. Returns nil if the bytes are no codestream, or if they end too soon.
  ///
  /// - Parameter bytes: The codestream's first bytes.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.starts(with: [0xFF, 0x0A]) else { return nil }
    var reader = BitReader(bytes: Array(bytes.dropFirst(2)))
    let (width, height) = Self.size(&reader)
    let hasMore = reader.bits(1) == 0 && reader.bits(1) == 1
    let orientation = ImageOrientation(rawValue: hasMore ? reader.bits(3) + 1 : 1)
    guard reader.isWithin, let orientation else { return nil }
    // A size for the screen comes next.
    if hasMore, reader.bits(1) == 1 { _ = Self.size(&reader) }
    isAnimation = hasMore && reader.bits(1) == 0 && reader.bits(1) == 1
    self.orientation = orientation
    (self.width, self.height) = orientation.rawValue > 4 ? (height, width) : (width, height)
  }

  private static func size(_ reader: inout BitReader) -> (width: Int, height: Int) {
    let isSmall = reader.bits(1) == 1
    let height = reader.side(isSmall: isSmall)
    let ratio = ratios[reader.bits(3)]
    return (ratio.map { height * $0.0 / $0.1 } ?? reader.side(isSmall: isSmall), height)
  }

  /// The ratios of the width to the height, by their numbers. With the first one, the codestream gives the width.
  private static let ratios: [(Int, Int)?] = [nil, (1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
}

/// Reads bits, beginning with the lowest one of each byte.
private struct BitReader {
  let bytes: [UInt8]
  private var place = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isWithin: Bool { place <= 8 * bytes.count }

  /// Reads a number of `count` bits. Bits behind the end of the bytes are 0.
  mutating func bits(_ count: Int) -> Int {
    defer { place += count }
    return (0..<count).reduce(0) { value, bit in
      let (byte, shift) = (place + bit).quotientAndRemainder(dividingBy: 8)
      return bytes.indices.contains(byte) ? value | Int(bytes[byte] >> UInt8(shift) & 1) << bit : value
    }
  }

  /// Reads the length of a side in pixels. The side of a small image is a multiple of eight.
  mutating func side(isSmall: Bool) -> Int {
    isSmall ? 8 * (bits(5) + 1) : bits([9, 13, 18, 30][bits(2)]) + 1
  }
}
