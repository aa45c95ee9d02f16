import Gallery
import Metadata

/// An image as our own code has decoded it.
struct PlainImage {
  /// The pixels, which may be transparent. The colors are not multiplied by alpha.
  let pixels: Pixels
  /// Whether the file ends before its image does. Missing pixels are black.
  var isIncomplete = false
}

/// A format that our own code decodes, since libvips doesn't, or only by a library for hundreds of formats.
protocol PlainFormat {
  /// Decodes the image.
  ///
  /// - Parameter mostPixels: The most pixels of an image that is decoded.
  /// - Throws: ``ImageFault`` if the file has no pixels at all, or if their coding is not supported.
  static func image(of file: ImageFile, atMost mostPixels: Int) throws(ImageFault) -> PlainImage
}

extension ImageFile {
  /// Returns the size by the header, unless it is invalid or has too many pixels.
  func plainSize(atMost mostPixels: Int) throws(ImageFault) -> PixelSize {
    let (width, height) = headerSize
    guard width > 0, height > 0 else { throw .damaged(.header) }
    guard width <= mostPixels / height else { throw .tooLarge(width: width, height: height) }
    return PixelSize(width, height)
  }

  /// Returns the bytes from a place on, but no more than an image can take.
  func rest(from place: Int, atMost count: Int) throws(ImageFault) -> [UInt8] {
    guard place < size else { throw .incomplete }
    return [UInt8](bytes(at: place, count: min(count, size - place)))
  }
}

extension Pixels {
  /// Returns a pixel of red, green, blue and alpha.
  static func word(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8 = 255) -> UInt32 {
    UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24
  }

  /// Allocates pixels that are black.
  convenience init(black size: PixelSize) {
    self.init(size)
    words.update(repeating: Self.word(0))
  }

  /// Blends transparent pixels with a color (0xRRGGBB). Returns whether there were none.
  @discardableResult func flatten(on background: UInt32) -> Bool {
    let ground = unsafeBitCast(Self.word(background), to: SIMD4<UInt8>.self)
    var isOpaque = true
    for index in words.indices where words[index] >> 24 != 255 {
      isOpaque = false
      let pixel = SIMD4<UInt16>(truncatingIfNeeded: unsafeBitCast(words[index], to: SIMD4<UInt8>.self))
      let alpha = pixel.w
      let mixed = (pixel &* alpha &+ SIMD4(truncatingIfNeeded: ground) &* (255 - alpha)) / 255
      words[index] = unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: mixed), to: UInt32.self) | 0xFF00_0000
    }
    return isOpaque
  }
}
