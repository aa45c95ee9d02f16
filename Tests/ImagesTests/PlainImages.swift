import Foundation

/// Images of few pixels in the formats that our own code decodes, built by the formats' specifications.
enum PlainImages {
  static let (black, white, red, green, blue) = (0x000000, 0xFFFFFF, 0xFF0000, 0x00FF00, 0x0000FF)

  /// The name of an image, its file, and its rows.
  typealias Sample = (name: String, bytes: [UInt8], rows: [[Int]])

  static let all: [Sample] = targas + photoshops + paintbrushes + silicons + icons + others + surfaces

  private static func join(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }
  private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: max(0, count)) }
  private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
  private static func big(_ value: Int, _ count: Int) -> [UInt8] { SampleImage.big(value, count) }
  private static func little(_ value: Int, _ count: Int) -> [UInt8] { SampleImage.little(value, count) }

  /// Red and green over blue and white.
  private static let four = [[red, green], [blue, white]]
  private static let fourBGR: [[UInt8]] = [[0, 0, 255], [0, 255, 0], [255, 0, 0], [255, 255, 255]]

  // MARK: - TGA

  private static func targa(
    type: UInt8, depth: UInt8, descriptor: UInt8 = 0, palette: [UInt8] = [], name: String = "", data: [UInt8]
  ) -> [UInt8] {
    let hasPalette: UInt8 = palette.isEmpty ? 0 : 1
    return join(
      [UInt8(name.utf8.count), hasPalette, type], little(0, 2), little(palette.count / 3, 2), [hasPalette * 24],
      little(0, 4), little(2, 2), little(2, 2), [depth, descriptor], ascii(name), palette, data)
  }

  private static let targas: [Sample] = {
    let bottomUp: [UInt8] = join(fourBGR[2], fourBGR[3], fourBGR[0], fourBGR[1])
    let topDown: [UInt8] = join(fourBGR[0], fourBGR[1], fourBGR[2], fourBGR[3])
    let fiveBits: [UInt8] = join(little(0x7C00, 2), little(0x03E0, 2), little(0x001F, 2), little(0x7FFF, 2))
    let alpha: [UInt8] = join(fourBGR[0], [0], fourBGR[1], [255], fourBGR[2], [255], fourBGR[3], [255])
    let mirrored = four.map { Array($0.reversed()) }
    let checks = [[black, white], [white, black]]
    return [
      ("TGA, from the bottom", targa(type: 2, depth: 24, name: "note", data: bottomUp), four),
      ("TGA, from the top", targa(type: 2, depth: 24, descriptor: 0x20, data: topDown), four),
      ("TGA, from the right", targa(type: 2, depth: 24, descriptor: 0x30, data: topDown), mirrored),
      ("TGA of 16 bits", targa(type: 2, depth: 16, descriptor: 0x20, data: fiveBits), four),
      (
        "TGA with runs", targa(type: 10, depth: 24, descriptor: 0x20, data: [0x82, 0, 0, 255, 0, 255, 0, 0]),
        [[red, red], [red, blue]]
      ),
      ("TGA, gray", targa(type: 3, depth: 8, descriptor: 0x20, data: [0, 255, 255, 0]), checks),
      (
        "TGA with a palette", targa(type: 1, depth: 8, descriptor: 0x20, palette: topDown, data: [3, 0, 2, 1]),
        [[white, red], [blue, green]]
      ),
      // The background of the tests is black.
      ("TGA with alpha", targa(type: 2, depth: 32, descriptor: 0x28, data: alpha), [[black, green], [blue, white]]),
    ]
  }()

  // MARK: - Photoshop

  private static func photoshop(
    channels: Int, depth: Int, mode: Int, isLarge: Bool = false, palette: [UInt8] = [], layers: [UInt8] = [],
    data: [UInt8]
  ) -> [UInt8] {
    join(
      ascii("8BPS"), big(isLarge ? 2 : 1, 2), zeros(6), big(channels, 2), big(2, 4), big(2, 4), big(depth, 2),
      big(mode, 2), big(palette.count, 4), palette, big(0, 4), big(layers.count, isLarge ? 8 : 4), layers, data)
  }

  private static let photoshops: [Sample] = {
    let planes: [UInt8] = [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255]
    let plain: [UInt8] = join([0, 0], planes)
    var (packed, wide, light, palette): ([UInt8], [UInt8], [UInt8], [UInt8]) = ([], [0, 0], [0, 0], [])
    for row in 0..<6 { packed += [1, planes[2 * row], planes[2 * row + 1]] }
    for value in planes {
      wide += [value, value]
      light += big(Int(Float(value / 255).bitPattern), 4)
    }
    for part in 0..<3 {
      palette += join(
        [planes[4 * part], planes[4 * part + 1]], [planes[4 * part + 2], planes[4 * part + 3]], zeros(252))
    }
    func lengths(_ size: Int) -> [UInt8] { Array((0..<6).map { _ in big(3, size) }.joined()) }
    // Layers whose number is negative.
    let layers: [UInt8] = join(big(2, 4), big(0xFFFF, 2))
    let hidden: [UInt8] = join(plain, [0, 255, 255, 255])
    let short: [UInt8] = join([0, 1], lengths(2), packed)
    let long: [UInt8] = join([0, 1], lengths(4), packed)
    return [
      ("PSD", photoshop(channels: 3, depth: 8, mode: 3, data: plain), four),
      ("PSD with runs", photoshop(channels: 3, depth: 8, mode: 3, data: short), four),
      ("PSB with runs", photoshop(channels: 3, depth: 8, mode: 3, isLarge: true, data: long), four),
      ("PSD of 16 bits", photoshop(channels: 3, depth: 16, mode: 3, data: wide), four),
      ("PSD of light", photoshop(channels: 3, depth: 32, mode: 3, data: light), four),
      (
        "PSD with a palette", photoshop(channels: 1, depth: 8, mode: 2, palette: palette, data: [0, 0, 0, 1, 2, 3]),
        four
      ),
      (
        "PSD, bitmap", photoshop(channels: 1, depth: 1, mode: 0, data: [0, 0, 0x40, 0x80]),
        [[white, black], [black, white]]
      ),
      ("PSD, CMYK", photoshop(channels: 4, depth: 8, mode: 4, data: join(plain, [255, 255, 255, 255])), four),
      (
        "PSD with transparency", photoshop(channels: 4, depth: 8, mode: 3, layers: layers, data: hidden),
        [[black, green], [blue, white]]
      ),
      ("PSD with a selection", photoshop(channels: 4, depth: 8, mode: 3, data: hidden), four),
    ]
  }()

  // MARK: - PCX

  private static func paintbrush(
    bits: UInt8, planes: UInt8, colors: [UInt8] = [], data: [UInt8], palette: [UInt8] = []
  ) -> [UInt8] {
    let start = join([10, 5, 1, bits], little(0, 4), little(1, 2), little(1, 2), little(0, 4), colors)
    let head = join(start, zeros(65 - start.count), [planes], little(2, 2), little(1, 2))
    return join(head, zeros(128 - head.count), data, palette.isEmpty ? [] : [12], palette)
  }

  private static let paintbrushes: [Sample] = {
    let colors: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]
    let palette: [UInt8] = join(colors, zeros(768 - colors.count))
    let short: [UInt8] = join(colors, zeros(48 - colors.count))
    // A byte with its two highest bits is a run, even of one.
    let planes: [UInt8] = [0xC1, 255, 0, 0, 0xC1, 255, 0, 0, 0, 0xC1, 255, 0, 0xC1, 255, 0xC2, 255]
    // The two bits of a number are in two planes.
    let bits: [UInt8] = [0x40, 0, 0, 0, 0x40, 0, 0xC1, 0xC0, 0]
    let checks = [[white, black], [black, white]]
    return [
      ("PCX of 24 bits", paintbrush(bits: 8, planes: 3, data: planes), four),
      ("PCX of 8 bits", paintbrush(bits: 8, planes: 1, data: [0, 1, 2, 3], palette: palette), four),
      ("PCX of 2 planes", paintbrush(bits: 1, planes: 2, colors: short, data: bits), four),
      ("PCX of 4 bits", paintbrush(bits: 4, planes: 1, colors: short, data: [0x01, 0, 0x23, 0]), four),
      ("PCX of 1 bit", paintbrush(bits: 1, planes: 1, data: [0x80, 0, 0x40, 0]), checks),
    ]
  }()

  // MARK: - SGI

  private static func silicon(
    isPacked: Bool, bytes: UInt8 = 1, dimensions: Int = 3, planes: Int, data: [UInt8]
  ) -> [UInt8] {
    let coding: [UInt8] = [isPacked ? 1 : 0, bytes]
    let head = join(big(0x01DA, 2), coding, big(dimensions, 2), big(2, 2), big(2, 2), big(planes, 2))
    return join(head, zeros(512 - head.count), data)
  }

  private static let silicons: [Sample] = {
    // Each plane begins with the lower row.
    let rows: [[UInt8]] = [[0, 255], [255, 0], [0, 255], [0, 255], [255, 255], [0, 0]]
    var (plain, wide, packed, starts, lengths): ([UInt8], [UInt8], [UInt8], [UInt8], [UInt8]) = ([], [], [], [], [])
    for (index, row) in rows.enumerated() {
      plain += row
      wide += [row[0], 7, row[1], 7]
      packed += [0x82, row[0], row[1], 0]
      starts += big(512 + 48 + 4 * index, 4)
      lengths += big(4, 4)
    }
    return [
      ("SGI", silicon(isPacked: false, planes: 3, data: plain), four),
      ("SGI of 16 bits", silicon(isPacked: false, bytes: 2, planes: 3, data: wide), four),
      ("SGI with runs", silicon(isPacked: true, planes: 3, data: join(starts, lengths, packed)), four),
      (
        "SGI, gray", silicon(isPacked: false, dimensions: 2, planes: 1, data: [0, 255, 255, 0]),
        [[white, black], [black, white]]
      ),
    ]
  }()

  // MARK: - Icons

  private static func icon(_ image: [UInt8], kind: UInt8 = 1) -> [UInt8] {
    join([0, 0, kind, 0, 1, 0, 2, 2, 0, 0, 1, 0, 32, 0], little(image.count, 4), little(22, 4), image)
  }

  private static let icons: [Sample] = {
    func header(_ depth: Int, colors: Int = 0) -> [UInt8] {
      SampleImage.bmpHeader(2, 4, depth: depth, compression: 0, colors: colors)
    }
    func pixels(alpha: [UInt8]) -> [UInt8] {
      join(fourBGR[2], [alpha[0]], fourBGR[3], [alpha[1]], fourBGR[0], [alpha[2]], fourBGR[1], [alpha[3]])
    }
    // The mask hides the pixel at the top left.
    let mask: [UInt8] = [0, 0, 0, 0, 0x80, 0, 0, 0]
    let palette: [UInt8] = join(fourBGR[0], [0], fourBGR[1], [0], fourBGR[2], [0], fourBGR[3], [0])
    let deep: [UInt8] = join(header(32), pixels(alpha: [255, 255, 0, 255]), zeros(8))
    let opaque: [UInt8] = join(header(32), pixels(alpha: [0, 0, 0, 0]), mask)
    let flat: [UInt8] = join(header(8, colors: 4), palette, [2, 3, 0, 0, 0, 1, 0, 0], mask)
    let rows = [[black, green], [blue, white]]
    return [
      ("ICO of 32 bits", icon(deep), rows), ("ICO without alpha", icon(opaque), rows),
      ("CUR of 8 bits", icon(flat, kind: 2), rows),
    ]
  }()

  // MARK: - QOI, XBM, FITS

  private static func fits(_ cards: [String], _ data: [UInt8]) -> [UInt8] {
    var head: [UInt8] = []
    for card in ["SIMPLE  =                    T"] + cards + ["END"] {
      head += ascii(card)
      head += Array(repeating: 0x20, count: 80 - card.utf8.count)
    }
    head += Array(repeating: 0x20, count: 2880 - head.count)
    return join(head, data, zeros(2880 - data.count))
  }

  private static let others: [Sample] = {
    // A color in full; a small difference; a larger one; a color from the list; and a run.
    let chunks: [UInt8] = [0xFE, 255, 0, 0, 0x5A, 0xA1, 0x88, 0x32, 0xC1, 0, 0, 0, 0, 0, 0, 0, 1]
    let text = "/* X */\n#define a_width 3\n#define a_height 2\nstatic unsigned char a_bits[] = {\n 0x05, 0xfa };\n"
    let sides = ["NAXIS   = 2", "NAXIS1  = 2", "NAXIS2  = 2"]
    var (shorts, floats): ([UInt8], [UInt8]) = ([], [])
    for value in [300, -200, -200, 300] { shorts += big(value, 2) }
    for value: Float in [0.5, 0.25, 0.25, 0.5] { floats += big(Int(value.bitPattern), 4) }
    return [
      (
        "QOI", join(ascii("qoif"), big(2, 4), big(3, 4), [3, 0], chunks),
        [[red, 0xFE0000], [0xFF0101, red], [red, red]]
      ),
      ("XBM", ascii(text), [[black, white, black], [white, black, white]]),
      ("FITS", fits(["BITPIX  = 16"] + sides, shorts), [[black, white], [white, black]]),
      (
        "FITS of light", fits(["BITPIX  = -32"] + sides + ["BSCALE  = -1"], floats), [[white, black], [black, white]]
      ),
    ]
  }()

  // MARK: - DDS

  static func surface(
    _ name: String, number: Int = 0, bits: Int = 0, masks: [Int] = [], width: Int = 4, data: [UInt8]
  ) -> [UInt8] {
    let height = bits > 0 ? 1 : 4
    let start = join(ascii("DDS "), little(124, 4), little(0x1007, 4), little(height, 4), little(width, 4))
    var head = join(start, zeros(76 - start.count), little(32, 4), little(name.isEmpty ? 0x41 : 4, 4))
    head = join(head, name.isEmpty ? zeros(4) : ascii(name), little(bits, 4))
    for mask in masks { head += little(mask, 4) }
    let more = name == "DX10" ? join(little(number, 4), zeros(16)) : []
    return join(head, zeros(128 - head.count), more, data)
  }

  private static let surfaces: [Sample] = {
    func block(_ color: Int) -> [[Int]] { Array(repeating: Array(repeating: color, count: 4), count: 4) }
    // Two colors of 5, 6 and 5 bits, and two bits for each pixel: rows of the first and of the second one.
    let colors: [UInt8] = [0x00, 0xF8, 0x1F, 0x00, 0x00, 0x55, 0x00, 0x55]
    let rows = [red, blue, red, blue].map { Array(repeating: $0, count: 4) }
    // Levels from 255 to 0; all pixels have the first one.
    let level: [UInt8] = [255, 0, 0, 0, 0, 0, 0, 0]
    let masks = [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000]
    return [
      ("DDS, BC1", surface("DXT1", data: colors), rows),
      ("DDS, BC2", surface("DXT3", data: join(Array(repeating: 255, count: 8), colors)), rows),
      ("DDS, BC3", surface("DXT5", data: join(level, colors)), rows),
      ("DDS, BC4", surface("ATI1", data: level), block(white)),
      ("DDS, BC5", surface("DX10", number: 83, data: join(level, level)), block(0xFFFF00)),
      (
        "DDS, plain", surface("", bits: 32, masks: masks, width: 2, data: [0, 0, 255, 255, 255, 0, 0, 255]),
        [[red, blue]]
      ),
    ]
  }()

  // MARK: - OpenEXR

  /// Returns an OpenEXR of uncompressed rows, whose pixels have the same light in all colors (OpenEXR, "File Layout").
  static func openEXR(_ width: Int, _ height: Int, light: [Float]) -> [UInt8] {
    func attribute(_ name: String, _ type: String, _ data: [UInt8]) -> [UInt8] {
      join(ascii("\(name)\0\(type)\0"), little(data.count, 4), data)
    }
    func channel(_ name: String) -> [UInt8] {
      join(ascii("\(name)\0"), little(1, 4), zeros(4), little(1, 4), little(1, 4))
    }
    let window = join(zeros(8), little(width - 1, 4), little(height - 1, 4))
    let one = little(Int(Float(1).bitPattern), 4)
    let head = join(
      [0x76, 0x2F, 0x31, 0x01], little(2, 4),
      attribute("channels", "chlist", join(channel("B"), channel("G"), channel("R"), [0])),
      attribute("compression", "compression", [0]), attribute("dataWindow", "box2i", window),
      attribute("displayWindow", "box2i", window), attribute("lineOrder", "lineOrder", [0]),
      attribute("pixelAspectRatio", "float", one), attribute("screenWindowCenter", "v2f", zeros(8)),
      attribute("screenWindowWidth", "float", one), [0])
    var (places, rows): ([UInt8], [UInt8]) = ([], [])
    for y in 0..<height {
      places += little(head.count + 8 * height + rows.count, 8)
      var row: [UInt8] = []
      for x in 0..<width { row += little(Int(Float16(light[y * width + x]).bitPattern), 2) }
      rows += join(little(y, 4), little(6 * width, 4), row, row, row)
    }
    return join(head, places, rows)
  }
}
