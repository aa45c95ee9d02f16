import CDeflate

/// A PNG that is being written (PNG, third edition): 8 bits a sample, colors or the numbers of colors.
struct PNGFile {
  private(set) var bytes: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]

  /// - Parameter palette: The colors that the samples number, three bytes each, or nil if each pixel has its own.
  init(_ size: PixelSize, palette: [UInt8]? = nil) {
    var header: [UInt8] = []
    header.putBigEndian(size.width)
    header.putBigEndian(size.height)
    // Colors (2) or their numbers (3), and the only methods there are.
    header += [8, palette == nil ? 2 : 3, 0, 0, 0]
    append("IHDR", header)
    if let palette { append("PLTE", palette) }
  }

  /// Appends a chunk: its length, type, content, and checksum.
  mutating func append(_ type: String, _ content: [UInt8] = []) { Self.append(type, content, to: &bytes) }

  /// Returns a chunk.
  static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    append(type, content, to: &bytes)
    return bytes
  }

  private static func append(_ type: String, _ content: [UInt8], to bytes: inout [UInt8]) {
    bytes.putBigEndian(content.count)
    let start = bytes.count
    bytes += Array(type.utf8)
    bytes += content
    let checksum = bytes.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress! + start, $0.count - start) }
    bytes.putBigEndian(Int(checksum))
  }
}

extension [UInt8] {
  /// Appends the four lowest bytes of a number, the highest one first.
  mutating func putBigEndian(_ value: Int) {
    for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
}
