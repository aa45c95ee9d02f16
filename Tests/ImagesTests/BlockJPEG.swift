import TestPhotos

/// A JPEG of blocks of 8x8 pixels, each with one color (ISO/IEC 10918-1, baseline). Only the first coefficient of a block is
/// coded, so that the blocks keep their colors and their edges.
struct BlockJPEG {
  typealias Color = (red: Int, green: Int, blue: Int)

  /// The colors of the blocks, row by row, as they are stored.
  private let rows: [[Color]]
  private var bits: [UInt8] = []

  init(_ rows: [[Color]]) { self.rows = rows }

  /// Returns the file.
  ///
  /// - Parameter orientation: The orientation by Exif, from 1 to 8, or nil for a file without Exif.
  func bytes(orientation: Int?) -> [UInt8] {
    var tiff = TIFF(isBigEndian: true)
    if let orientation { tiff.add([.short(0x0112, orientation)]) }
    let (width, height) = (rows[0].count * 8, rows.count * 8)
    let frame = [8] + number(height) + number(width) + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
    // The sizes from 0 to 11 bits have codes of four bits. The other coefficients have one code, which ends the block.
    let first = [UInt8(0x00), 0, 0, 0, 12] + Array(repeating: 0, count: 12) + (0...11)
    let others = [UInt8(0x10), 1] + Array(repeating: 0, count: 15) + [0]
    return [0xFF, 0xD8] + (orientation == nil ? [] : SamplePhoto.exif(tiff))
      + segment(0xDB, [0] + Array(repeating: 1, count: 64)) + segment(0xC0, frame)
      + segment(0xC4, first) + segment(0xC4, others)
      + segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]) + scan() + [0xFF, 0xD9]
  }

  private func scan() -> [UInt8] {
    var bits: [Bool] = []
    func put(_ value: Int, _ count: Int) {
      for place in (0..<count).reversed() { bits.append(value >> place & 1 == 1) }
    }
    var before = [0, 0, 0]
    for color in rows.joined() {
      for (component, level) in Self.levels(color).enumerated() {
        // The first coefficient is eight times the mean minus 128.
        let value = (level - 128) * 8
        let difference = value - before[component]
        before[component] = value
        let size = Int.bitWidth - abs(difference).leadingZeroBitCount
        put(size, 4)
        put(difference < 0 ? difference + 1 << size - 1 : difference, size)
        put(0, 1)
      }
    }
    while bits.count % 8 != 0 { bits.append(true) }
    let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    // A zero byte behind 0xFF distinguishes it from a marker.
    return bytes.flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }
  }

  /// Returns the luminance and both chrominances of a color (JFIF 1.02).
  private static func levels(_ color: Color) -> [Int] {
    let (red, green, blue) = (Double(color.red), Double(color.green), Double(color.blue))
    let luminance = 0.299 * red + 0.587 * green + 0.114 * blue
    return [luminance, 128 + (blue - luminance) / 1.772, 128 + (red - luminance) / 1.402].map {
      min(255, max(0, Int($0.rounded())))
    }
  }

  private func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] { [0xFF, marker] + number(data.count + 2) + data }

  private func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
}

extension BlockJPEG {
  /// Stores an image so that an orientation of Exif shows it upright (TIFF 6.0, "Orientation").
  ///
  /// - Parameter upright: The colors of the upright image, row by row.
  init(_ upright: [[Color]], storedFor orientation: Int) {
    let (width, height) = (upright[0].count, upright.count)
    func flipped(_ rows: [[Color]]) -> [[Color]] { rows.map { $0.reversed() } }
    func transposed(_ rows: [[Color]]) -> [[Color]] {
      (0..<width).map { column in (0..<height).map { rows[$0][column] } }
    }
    let stored: [[Color]] =
      switch orientation {
      // With 2, row 0 of the stored image is the top, and column 0 is the right side. The specification lists the others.
      case 2: flipped(upright)
      case 3: flipped(upright.reversed())
      case 4: upright.reversed()
      case 5: transposed(upright)
      case 6: transposed(upright).reversed()
      case 7: flipped(transposed(upright)).reversed()
      case 8: flipped(transposed(upright))
      default: upright
      }
    self.init(stored)
  }
}
