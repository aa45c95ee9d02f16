import Gallery
import Metadata

/// The first image of a DirectDraw surface (DDS): plain pixels, or blocks of 4 by 4 pixels (BC1 to BC5; Direct3D 10, "Block
/// Compression").
enum DirectDraw: PlainFormat {
  private enum Coding {
    case plain(masks: [UInt32], bits: Int)
    case blocks(Blocks)
  }

  /// The kinds of blocks.
  private enum Blocks {
    case bc1, bc2, bc3, bc4, bc5

    var byteCount: Int { self == .bc1 || self == .bc4 ? 8 : 16 }
  }

  static func image(of file: ImageFile, atMost mostPixels: Int) throws(ImageFault) -> PlainImage {
    let size = try file.plainSize(atMost: mostPixels)
    let (coding, start) = try coding(of: file)
    guard start < file.size else { throw .incomplete }
    switch coding {
    case .plain(let masks, let bits): return plain(file, size, start, masks, bits)
    case .blocks(let kind): return try blocks(file, size, start, kind)
    }
  }

  private static func coding(of file: ImageFile) throws(ImageFault) -> (Coding, start: Int) {
    func number(_ place: Int) -> Int { file.number(at: place, count: 4, .littleEndian) }
    let (flags, name, bits) = (number(80), file.bytes(at: 84, count: 4), number(88))
    guard flags & 4 != 0 else {
      guard [8, 16, 24, 32].contains(bits), flags & 0x2_0040 != 0 else { throw .damaged(.coding("\(bits) bits")) }
      var masks = [92, 96, 100, 104].map { UInt32(number($0)) }
      // A shade has one mask for all colors.
      if flags & 0x2_0000 != 0 { masks = [masks[0], masks[0], masks[0], masks[3]] }
      if flags & 1 == 0 { masks[3] = 0 }
      return (.plain(masks: masks, bits: bits), 128)
    }
    switch String(decoding: name, as: UTF8.self) {
    case "DXT1": return (.blocks(.bc1), 128)
    case "DXT2", "DXT3": return (.blocks(.bc2), 128)
    case "DXT4", "DXT5": return (.blocks(.bc3), 128)
    case "ATI1", "BC4U": return (.blocks(.bc4), 128)
    case "ATI2", "BC5U": return (.blocks(.bc5), 128)
    case "DX10": return (try coding(number: number(128)), 148)
    case let name: throw .damaged(.coding(name))
    }
  }

  /// - Parameter number: The number of DXGI_FORMAT.
  private static func coding(number: Int) throws(ImageFault) -> Coding {
    switch number {
    case 27, 28, 29: return .plain(masks: [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000], bits: 32)
    case 87, 90, 91: return .plain(masks: [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000], bits: 32)
    case 88, 92, 93: return .plain(masks: [0xFF_0000, 0xFF00, 0xFF, 0], bits: 32)
    case 70, 71, 72: return .blocks(.bc1)
    case 73, 74, 75: return .blocks(.bc2)
    case 76, 77, 78: return .blocks(.bc3)
    case 79, 80: return .blocks(.bc4)
    case 82, 83: return .blocks(.bc5)
    case 94...96: throw .damaged(.coding("BC6H"))
    case 97...99: throw .damaged(.coding("BC7"))
    default: throw .damaged(.coding("DXGI_FORMAT \(number)"))
    }
  }

  private static func plain(
    _ file: ImageFile, _ size: PixelSize, _ start: Int, _ masks: [UInt32], _ bits: Int
  ) -> PlainImage {
    let bytes = bits / 8
    let pixels = Pixels(black: size)
    var isIncomplete = false
    for y in 0..<size.height {
      let line = file.bytes(at: start + y * size.width * bytes, count: size.width * bytes)
      isIncomplete = isIncomplete || line.count < size.width * bytes
      let row = pixels.row(y)
      for x in 0..<line.count / bytes {
        let value = UInt32(truncatingIfNeeded: line[x * bytes..<(x + 1) * bytes].number(.littleEndian))
        func part(_ mask: UInt32, otherwise: UInt8 = 0) -> UInt8 {
          guard mask != 0 else { return otherwise }
          let most = mask >> mask.trailingZeroBitCount
          return UInt8(UInt64((value & mask) >> mask.trailingZeroBitCount) * 255 / UInt64(most))
        }
        row[x] = Pixels.word(part(masks[0]), part(masks[1]), part(masks[2]), part(masks[3], otherwise: 255))
      }
    }
    return PlainImage(pixels: pixels, isIncomplete: isIncomplete)
  }

  private static func blocks(
    _ file: ImageFile, _ size: PixelSize, _ start: Int, _ kind: Blocks
  ) throws(ImageFault) -> PlainImage {
    let columns = (size.width + 3) / 4
    let count = columns * ((size.height + 3) / 4)
    let data = try file.rest(from: start, atMost: count * kind.byteCount)
    let pixels = Pixels(black: size)
    for index in 0..<min(count, data.count / kind.byteCount) {
      let block = decoded(data[index * kind.byteCount..<(index + 1) * kind.byteCount], kind)
      let (left, top) = (index % columns * 4, index / columns * 4)
      for y in 0..<min(4, size.height - top) {
        for x in 0..<min(4, size.width - left) { pixels.row(top + y)[left + x] = block[4 * y + x] }
      }
    }
    return PlainImage(pixels: pixels, isIncomplete: data.count < count * kind.byteCount)
  }

  /// Returns the 16 pixels of a block.
  private static func decoded(_ block: ArraySlice<UInt8>, _ kind: Blocks) -> [UInt32] {
    switch kind {
    case .bc1: return colors(block, hasAlpha: true)
    case .bc2:
      let bits = block.prefix(8).number(.littleEndian)
      return zip(colors(block.dropFirst(8), hasAlpha: false), 0..<16).map {
        $0 & 0xFF_FFFF | UInt32(bits >> (4 * $1) & 15) * 17 << 24
      }
    case .bc3:
      return zip(colors(block.dropFirst(8), hasAlpha: false), levels(block)).map { $0 & 0xFF_FFFF | UInt32($1) << 24 }
    case .bc4: return levels(block).map { Pixels.word($0, $0, $0) }
    case .bc5: return zip(levels(block), levels(block.dropFirst(8))).map { Pixels.word($0, $1, 0) }
    }
  }

  /// Decodes two colors and those between them, which two bits a pixel name.
  private static func colors(_ block: ArraySlice<UInt8>, hasAlpha: Bool) -> [UInt32] {
    let ends = [0, 2].map { block.dropFirst($0).prefix(2).number(.littleEndian) }
    let bits = block.dropFirst(4).prefix(4).number(.littleEndian)
    let (first, last) = (parts(ends[0]), parts(ends[1]))
    func word(_ color: SIMD3<Int>) -> UInt32 { Pixels.word(UInt8(color.x), UInt8(color.y), UInt8(color.z)) }
    let palette =
      ends[0] > ends[1] || !hasAlpha
      ? [first, last, (first &* 2 &+ last) / 3, (first &+ last &* 2) / 3].map(word)
      : [first, last, (first &+ last) / 2].map(word) + [0]
    return (0..<16).map { palette[bits >> (2 * $0) & 3] }
  }

  /// Returns the parts of a color of 5, 6 and 5 bits, from 0 to 255.
  private static func parts(_ color: Int) -> SIMD3<Int> {
    SIMD3((color >> 11) * 255 / 31, (color >> 5 & 63) * 255 / 63, (color & 31) * 255 / 31)
  }

  /// Decodes two levels and those between them, which three bits a pixel name.
  private static func levels(_ block: ArraySlice<UInt8>) -> [UInt8] {
    let (first, last) = (Int(block[block.startIndex]), Int(block[block.startIndex + 1]))
    let bits = block.dropFirst(2).prefix(6).number(.littleEndian)
    let between =
      first > last
      ? (1...6).map { (first * (7 - $0) + last * $0) / 7 }
      : (1...4).map { (first * (5 - $0) + last * $0) / 5 } + [0, 255]
    let palette = ([first, last] + between).map { UInt8($0) }
    return (0..<16).map { palette[bits >> (3 * $0) & 7] }
  }
}
