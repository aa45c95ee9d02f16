/// What the start of a JPEG XL codestream says (ISO/IEC 18181-1, annex D: `SizeHeader`, and of `ImageMetadata` the
/// orientation).
struct JPEGXLHeader {
  /// As it is to be shown, which the codestream says and not Exif.
  let width: Int
  let height: Int

  /// In bytes; the header ends before.
  static let longest = 16

  /// - Parameter bytes: The codestream's first ones; nil if it is none.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.starts(with: [0xFF, 0x0A]) else { return nil }
    var reader = BitReader(bytes: Array(bytes.dropFirst(2)))
    let isSmall = reader.bits(1) == 1
    let height = reader.side(isSmall: isSmall)
    let ratio = Self.ratios[reader.bits(3)]
    let width = ratio.map { height * $0.0 / $0.1 } ?? reader.side(isSmall: isSmall)
    let hasOrientation = reader.bits(1) == 0 && reader.bits(1) == 1
    let isTurned = hasOrientation && reader.bits(3) >= 4
    guard reader.isWithin else { return nil }
    (self.width, self.height) = isTurned ? (height, width) : (width, height)
  }

  /// Of the width to the height, by their numbers; of the first the width is said.
  private static let ratios: [(Int, Int)?] = [nil, (1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
}

/// Bits, of each byte the lowest first.
private struct BitReader {
  let bytes: [UInt8]
  private var place = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isWithin: Bool { place <= 8 * bytes.count }

  /// Zeros where the bytes end before.
  mutating func bits(_ count: Int) -> Int {
    defer { place += count }
    return (0..<count).reduce(0) { value, bit in
      let (byte, shift) = (place + bit).quotientAndRemainder(dividingBy: 8)
      return bytes.indices.contains(byte) ? value | Int(bytes[byte] >> UInt8(shift) & 1) << bit : value
    }
  }

  /// The small ones are multiples of eight.
  mutating func side(isSmall: Bool) -> Int {
    isSmall ? 8 * (bits(5) + 1) : bits([9, 13, 18, 30][bits(2)]) + 1
  }
}
