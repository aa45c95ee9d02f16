import Gallery
import Metadata

/// The Quite OK Image Format 1.0.
enum QuiteOK: PlainFormat {
  private static let dataStart = 14

  static func image(of file: ImageFile, atMost mostPixels: Int) throws(ImageFault) -> PlainImage {
    let size = try file.plainSize(atMost: mostPixels)
    let data = try file.rest(from: dataStart, atMost: 5 * size.area + 8)
    let pixels = Pixels(black: size)
    var seen = [SIMD4<UInt8>](repeating: SIMD4(), count: 64)
    var color = SIMD4<UInt8>(0, 0, 0, 255)
    var (place, run) = (0, 0)
    for index in 0..<size.area {
      if run > 0 {
        run -= 1
      } else {
        guard place + length(of: data, at: place) <= data.count else {
          return PlainImage(pixels: pixels, isIncomplete: true)
        }
        run = read(data, at: place, &color, seen)
        place += length(of: data, at: place)
        let products = color &* SIMD4<UInt8>(3, 5, 7, 11)
        seen[Int(products.wrappedSum()) % 64] = color
      }
      pixels.words[index] = unsafeBitCast(color, to: UInt32.self)
    }
    return PlainImage(pixels: pixels)
  }

  /// Returns the length of a chunk in bytes.
  private static func length(of data: [UInt8], at place: Int) -> Int {
    guard place < data.count else { return 1 }
    switch data[place] {
    case 0xFE: return 4
    case 0xFF: return 5
    default: return data[place] >> 6 == 2 ? 2 : 1
    }
  }

  /// Decodes a chunk, and returns the number of further pixels that have its color.
  private static func read(
    _ data: [UInt8], at place: Int, _ color: inout SIMD4<UInt8>, _ seen: [SIMD4<UInt8>]
  ) -> Int {
    let head = data[place]
    switch (head, head >> 6) {
    case (0xFE, _): color = SIMD4(data[place + 1], data[place + 2], data[place + 3], color.w)
    case (0xFF, _): color = SIMD4(data[place + 1], data[place + 2], data[place + 3], data[place + 4])
    case (_, 0): color = seen[Int(head)]
    case (_, 1): color = color &+ SIMD4<UInt8>(head >> 4 & 3, head >> 2 & 3, head & 3, 2) &- 2
    case (_, 2):
      let green = (head & 63) &- 32
      let (red, blue) = (data[place + 1] >> 4, data[place + 1] & 15)
      color = color &+ SIMD4<UInt8>(green &+ red &- 8, green, green &+ blue &- 8, 0)
    default: return Int(head & 63)
    }
    return 0
  }
}
