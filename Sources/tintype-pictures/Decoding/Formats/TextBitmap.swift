import Gallery
import Metadata

/// An X bitmap: a text in C with a bit for each pixel, of which the lowest one comes first. A set bit is black.
enum TextBitmap: PlainFormat {
  static func image(of file: ImageFile, atMost mostPixels: Int) throws(ImageFault) -> PlainImage {
    let size = try file.plainSize(atMost: mostPixels)
    guard let header = BitmapText(file) else { throw .damaged(.header) }
    let rowBytes = (size.width + 7) / 8
    // A number takes a few letters: "0x00, ".
    let text = try file.rest(from: header.start, atMost: rowBytes * size.height * 16)
    let bytes = String(decoding: text.prefix { $0 != UInt8(ascii: "}") }, as: UTF8.self)
      .split { $0 == "," || $0.isWhitespace }.map { UInt8($0.dropFirst(2), radix: 16) ?? 0 }
    let pixels = Pixels(black: size)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = y * rowBytes + x / 8
        guard place < bytes.count else { return PlainImage(pixels: pixels, isIncomplete: true) }
        pixels.row(y)[x] = bytes[place] >> (x % 8) & 1 == 1 ? Pixels.word(0) : Pixels.word(0xFF_FFFF)
      }
    }
    return PlainImage(pixels: pixels)
  }
}
