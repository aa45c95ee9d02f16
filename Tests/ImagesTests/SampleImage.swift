import CZlib
import Foundation

/// Small images in many formats, built by the formats' specifications.
enum SampleImage {
  static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

  // MARK: - BMP

  /// Returns a bitmap.
  ///
  /// - Parameters:
  ///   - header: The header, beginning with its size.
  ///   - colors: The palette as it is stored.
  static func bmp(header: [UInt8], colors: [UInt8] = [], data: [UInt8]) -> [UInt8] {
    let start = 14 + header.count + colors.count
    let head = Array("BM".utf8) + little(start + data.count, 4) + little(0, 4)
    return head + little(start, 4) + header + colors + data
  }

  /// Returns a header of 40 bytes.
  static func bmpHeader(_ width: Int, _ height: Int, depth: Int, compression: Int, colors: Int = 0) -> [UInt8] {
    [(40, 4), (width, 4), (height, 4), (1, 2), (depth, 2), (compression, 4), (0, 12), (colors, 4), (0, 4)]
      .flatMap { little($0.0, $0.1) }
  }

  /// Returns OS/2's header of 12 bytes.
  static func coreHeader(_ width: Int, _ height: Int, depth: Int) -> [UInt8] {
    [(12, 4), (width, 2), (height, 2), (1, 2), (depth, 2)].flatMap { little($0.0, $0.1) }
  }

  // MARK: - TIFF

  enum Sample: Sendable {
    case bytes, shorts, longs, signedShorts, signedLongs, floats

    var bits: Int { [.bytes: 8, .shorts: 16, .signedShorts: 16][self] ?? 32 }
    /// The number of the format in the tag SampleFormat (TIFF 6.0).
    var format: Int { [.signedShorts: 2, .signedLongs: 2, .floats: 3][self] ?? 1 }

    func stored(_ value: Double) -> [UInt8] {
      self == .floats ? little(Int(Float(value).bitPattern), 4) : little(Int(value), bits / 8)
    }
  }

  /// Returns a TIFF or a BigTIFF with one strip of gray, gray and another band, RGB, or CIELAB.
  static func tiff(
    _ width: Int, _ height: Int, _ sample: Sample, bands: Int = 1, values: [Double], orientation: Int = 1,
    isLab: Bool = false, profile: [UInt8] = [], isBig: Bool = false, isBigEndian: Bool = false
  ) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] { isBigEndian ? big(value, count) : little(value, count) }
    let data = values.flatMap { isBigEndian ? sample.stored($0).reversed() : sample.stored($0) }
    let place = isBig ? 16 : 8
    // In a TIFF, three values don't fit into the entry itself. In a BigTIFF, the entry has room for them.
    let bits = Array(repeating: sample.bits, count: bands).flatMap { number($0, 2) }
    let bitsPlace = place + data.count
    let room = isBig ? 8 : 4
    var entries: [UInt8] = []
    func add(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) {
      entries += number(tag, 2) + number(type, 2)
      entries += number(count, room) + value
      entries += Array(repeating: 0, count: room - value.count)
    }
    add(256, 3, 1, number(width, 2))
    add(257, 3, 1, number(height, 2))
    add(258, 3, bands, bands < 3 || isBig ? bits : number(bitsPlace, 4))
    add(259, 3, 1, number(1, 2))
    add(262, 3, 1, number(isLab ? 8 : bands < 3 ? 1 : 2, 2))
    add(273, 4, 1, number(place, 4))
    add(274, 3, 1, number(orientation, 2))
    add(277, 3, 1, number(bands, 2))
    add(278, 3, 1, number(height, 2))
    add(279, 4, 1, number(data.count, 4))
    add(339, 3, 1, number(sample.format, 2))
    let profilePlace = bitsPlace + bits.count
    if !profile.isEmpty { add(34675, 7, profile.count, number(profilePlace, room)) }
    let directory = profilePlace + profile.count
    let order = Array((isBigEndian ? "MM" : "II").utf8)
    var bytes = order + number(isBig ? 43 : 42, 2)
    if isBig { bytes += number(8, 2) + number(0, 2) }
    bytes += number(directory, room) + data
    bytes += bits + profile + number(profile.isEmpty ? 11 : 12, isBig ? 8 : 2)
    return bytes + entries + number(0, room)
  }

  // MARK: - PNG

  /// Returns a PNG of 8-bit RGB, or of RGBA.
  ///
  /// - Parameter chunks: Further chunks before the pixels, each with its type.
  static func png(
    _ width: Int, _ height: Int, rgb: [UInt8], hasAlpha: Bool = false, profile: [UInt8]? = nil,
    chunks: [(type: String, data: [UInt8])] = []
  ) -> [UInt8] {
    func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
      let body = Array(type.utf8) + data
      return big(data.count, 4) + body + big(Int(crc32(0, body, UInt32(body.count))), 4)
    }
    var lines: [UInt8] = []
    let stride = width * (hasAlpha ? 4 : 3)
    for y in 0..<height { lines += [0] + rgb[y * stride..<(y + 1) * stride] }
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += chunk("IHDR", big(width, 4) + big(height, 4) + [8, hasAlpha ? 6 : 2, 0, 0, 0])
    for (type, data) in chunks { bytes += chunk(type, data) }
    if let profile { bytes += chunk("iCCP", Array("profile\0\0".utf8) + packed(profile)) }
    return bytes + chunk("IDAT", packed(lines)) + chunk("IEND", [])
  }

  private static func packed(_ bytes: [UInt8]) -> [UInt8] {
    var count = compressBound(UInt(bytes.count))
    var packed = [UInt8](repeating: 0, count: Int(count))
    compress(&packed, &count, bytes, UInt(bytes.count))
    return Array(packed.prefix(Int(count)))
  }

  // MARK: - ICC

  /// Returns a profile that is linear in light (ICC.1:2001-04). A value of 128 is half of the light, which is 188 in sRGB.
  ///
  /// - Parameters:
  ///   - name: The bytes of the description.
  ///   - hasTable: Whether a table says what the colors are, and not curves.
  ///   - codes: The primaries and the transfer characteristics of a tag that counts before the others.
  static func linearProfile(isGray: Bool, name: String = "Linear", hasTable: Bool = false, codes: [UInt8]? = nil)
    -> [UInt8]
  {
    func fixed(_ value: Double) -> [UInt8] { big(Int((value * 65536).rounded()), 4) }
    func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
      Array("XYZ ".utf8) + big(0, 4) + fixed(x) + fixed(y) + fixed(z)
    }
    let text = Array("\(name)\0".utf8)
    var description = Array("desc".utf8) + big(0, 4) + big(text.count, 4)
    description += text + Array(repeating: 0, count: 4 + 4 + 2 + 1 + 67)
    // A curve without points is linear.
    let curve = Array("curv".utf8) + big(0, 8)
    let white = xyz(0.9642, 1, 0.8249)
    let primaries = [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]]
    var colors: [(String, [UInt8])] = [("kTRC", curve)]
    if hasTable {
      colors = [("A2B0", table(primaries))]
    } else if !isGray {
      colors = zip(["rXYZ", "gXYZ", "bXYZ"], primaries).map { ($0, xyz($1[0], $1[1], $1[2])) }
      for name in ["rTRC", "gTRC", "bTRC"] { colors.append((name, curve)) }
    }
    let tag = codes.map { Array("cicp".utf8) + big(0, 4) + $0 + [0, 1] as [UInt8] }
    if let tag { colors.append(("cicp", tag)) }
    let tags: [(String, [UInt8])] =
      [("desc", description), ("cprt", Array("text".utf8) + big(0, 4) + [0]), ("wtpt", white)] + colors
    var (table, data) = (big(tags.count, 4), [UInt8]())
    let start = 128 + 4 + 12 * tags.count
    for (name, value) in tags {
      table += Array(name.utf8) + big(start + data.count, 4) + big(value.count, 4)
      data += value + Array(repeating: 0, count: (4 - value.count % 4) % 4)
    }
    var head = big(start + data.count, 4) + big(0, 4) + [2, 0x10, 0, 0] + Array("mntr".utf8)
    head += Array((isGray ? "GRAY" : "RGB ").utf8) + Array("XYZ ".utf8)
    head += Array(repeating: 0, count: 12) + Array("acsp".utf8)
    head += Array(repeating: 0, count: 28) + fixed(0.9642) + fixed(1) + fixed(0.8249)
    return head + Array(repeating: 0, count: 128 - head.count) + table + data
  }

  /// Returns a table of the XYZ of black, the primaries, and all their sums (lut16Type).
  private static func table(_ primaries: [[Double]]) -> [UInt8] {
    var identity: [UInt8] = []
    for index in 0..<9 { identity += big(index % 4 == 0 ? 65536 : 0, 4) }
    let line: [UInt8] = [0, 0, 255, 255]
    let straight = line + line + line
    var corners: [UInt8] = []
    for corner in 0..<8 {
      for axis in 0..<3 {
        // The last color changes fastest.
        let parts = (0..<3).filter { corner >> (2 - $0) & 1 == 1 }
        let sum: Double = parts.reduce(0) { $0 + primaries[$1][axis] }
        corners += big(Int(sum * 32768), 2)
      }
    }
    let head: [UInt8] = Array("mft2".utf8) + [0, 0, 0, 0, 3, 3, 2, 0]
    return head + identity + [0, 2, 0, 2] + straight + corners + straight
  }
}

/// Gray JPEGs of squares of 8x8 pixels, each with one shade (ISO/IEC 10918-1). A square is coded as one coefficient and an
/// end.
struct SquareJPEG {
  /// The number of squares in a row.
  let columns: Int
  /// The number of rows of squares.
  let rows: Int
  /// The shades row by row, from 0 to 255.
  let shades: [UInt8]

  /// Returns a baseline JPEG.
  ///
  /// - Parameters:
  ///   - segments: Complete marker segments that come first, such as that of Exif.
  ///   - restarts: Whether there is a restart marker after each row of squares.
  func baseline(segments: [[UInt8]] = [], restarts: Bool = false) -> [UInt8] {
    var bits = BitWriter()
    var last = 0
    for (index, shade) in shades.enumerated() {
      if restarts, index > 0, index % columns == 0 {
        bits.marker(UInt8(0xD0 + (index / columns - 1) % 8))
        last = 0
      }
      bits.difference(Int(shade) - 128 - last)
      bits.put(0, count: 1)
      last = Int(shade) - 128
    }
    let interval = restarts ? segment(0xDD, SampleImage.big(columns, 2)) : []
    return head(0xC0, segments) + interval + segment(0xDA, [1, 1, 0, 0, 63, 0]) + bits.bytes + [0xFF, 0xD9]
  }

  /// Returns a progressive JPEG with two scans: all but the last bit of each shade, and then that bit.
  func progressive() -> [UInt8] {
    var (first, second) = (BitWriter(), BitWriter())
    var last = 0
    for shade in shades {
      let value = (Int(shade) - 128) >> 1
      first.difference(value - last)
      last = value
      second.put((Int(shade) - 128) & 1, count: 1)
    }
    return head(0xC2, []) + segment(0xDA, [1, 1, 0, 0, 0, 0x01]) + first.bytes
      + segment(0xDA, [1, 1, 0, 0, 0, 0x10]) + second.bytes + [0xFF, 0xD9]
  }

  private func head(_ frame: UInt8, _ segments: [[UInt8]]) -> [UInt8] {
    // A coefficient of 8 is one shade. Differences have twelve codes of four bits, and the end has a code of one bit.
    let quantization = segment(0xDB, [0] + Array(repeating: 8, count: 64))
    let differences = segment(0xC4, [0, 0, 0, 0, 12] + Array(repeating: 0, count: 12) + Array(0..<12))
    let ends = segment(0xC4, [0x10, 1] + Array(repeating: 0, count: 15) + [0])
    let size = SampleImage.big(rows * 8, 2) + SampleImage.big(columns * 8, 2)
    let start = [0xFF, 0xD8] + Array(segments.joined()) + quantization
    return start + segment(frame, [8] + size + [1, 1, 0x11, 0]) + differences + ends
  }

  private func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] { Self.segment(marker, data) }

  static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0xFF, marker] + SampleImage.big(data.count + 2, 2) + data
  }

  /// Returns a segment of Exif with an orientation and a thumbnail (Exif 2.32).
  static func exif(thumbnail: [UInt8]) -> [UInt8] {
    // The first directory has the orientation, and the second one has the place of the thumbnail.
    let first = SampleImage.big(1, 2) + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0] + SampleImage.big(26, 4)
    let place = 26 + 2 + 24 + 4
    var second = SampleImage.big(2, 2)
    second += [0x02, 0x01, 0, 4, 0, 0, 0, 1] + SampleImage.big(place, 4)
    second += [0x02, 0x02, 0, 4, 0, 0, 0, 1] + SampleImage.big(thumbnail.count, 4) + SampleImage.big(0, 4)
    let tiff = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8] + first + second + thumbnail
    return segment(0xE1, Array("Exif\0\0".utf8) + tiff)
  }

  /// Returns a segment with an ICC profile.
  static func profile(_ profile: [UInt8]) -> [UInt8] { segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile) }

  private struct BitWriter {
    private var whole: [UInt8] = []
    private var rest = 0
    private var count = 0

    mutating func put(_ value: Int, count more: Int) {
      for bit in (0..<more).reversed() {
        rest = rest << 1 | value >> bit & 1
        count += 1
        if count == 8 { flush() }
      }
    }

    /// Writes a difference of shades: the number of its bits, and the bits.
    mutating func difference(_ value: Int) {
      let length = Int.bitWidth - value.magnitude.leadingZeroBitCount
      put(length, count: 4)
      put(value < 0 ? value + (1 << length) - 1 : value, count: length)
    }

    mutating func marker(_ marker: UInt8) {
      whole = bytes + [0xFF, marker]
      (rest, count) = (0, 0)
    }

    private mutating func flush() {
      whole += rest == 0xFF ? [0xFF, 0] : [UInt8(rest)]
      (rest, count) = (0, 0)
    }

    /// The bytes, the last of which is filled up with ones.
    var bytes: [UInt8] {
      guard count > 0 else { return whole }
      var copy = self
      copy.put(0xFF, count: 8 - count)
      return copy.whole
    }
  }
}
