#if Pictures
  import CJPEG
  import Glibc

  /// A JPEG in a file, or in a part of one: decoded by libjpeg itself, which is ready at once where libvips takes 20 ms.
  final class JPEGImage {
    /// As it is to be looked at.
    let uprightSize: PixelSize
    /// As Exif has it, 1 to 8.
    private let orientation: Int
    private let decoder: OpaquePointer
    private let file: ImageFile

    /// More faults than this, and what is decoded has little to do with the image.
    private static let mostWarnings = 100

    /// - Parameter offset: Where it starts.
    /// - Returns: nil where it is none, or one of colors that libvips must convert (CMYK, a profile other than sRGB).
    init?(_ file: ImageFile, at offset: Int = 0, orientation: Int) {
      guard let decoder = cjpeg_open(file.descriptor, off_t(offset)) else { return nil }
      guard Self.isSRGB(decoder) else {
        cjpeg_close(decoder)
        return nil
      }
      self.decoder = decoder
      self.file = file
      self.orientation = orientation
      let size = PixelSize(Int(cjpeg_width(decoder)), Int(cjpeg_height(decoder)))
      uprightSize = orientation >= 5 ? size.transposed : size
    }

    deinit { cjpeg_close(decoder) }

    /// Whether the file ended before the image did, as far as it has been decoded.
    var isIncomplete: Bool { cjpeg_is_incomplete(decoder) != 0 || isBroken }
    /// Whether decoding ended with an error after some rows.
    private var isBroken = false

    /// The pixels of a part, upright, in a size that is at least `wanted` where the image has as many. Where the file ends
    /// before the image does, what is missing is gray.
    ///
    /// - Parameter onRows: Called again and again with what there is so far, and the number of its finished rows; not
    ///   where the image must be turned.
    func pixels(
      of part: PixelRect, wanted: PixelSize, onRows: (Pixels, Int) -> Void = { _, _ in }
    ) throws(ImageFailure) -> Pixels {
      let stored = part.stored(orientation, in: uprightSize)
      let target = orientation >= 5 ? wanted.transposed : wanted
      let eighths = Int32(Self.eighths(stored.size, target))
      var (width, height): (Int32, Int32) = (0, 0)
      guard cjpeg_start(decoder, eighths, &width, &height) == 0 else { throw failure }
      let region = stored.scaled(eighths: Int(eighths), in: PixelSize(Int(width), Int(height)))
      let pixels = Pixels(region.size)
      let row = Pixels(PixelSize(Int(width), 1))
      for y in 0..<region.y + region.size.height {
        if !isBroken, cjpeg_read_row(decoder, row.words.baseAddress) != 0 {
          guard y > 0 else { throw failure }
          isBroken = true
          row.words.update(repeating: Pixels.word(0x808080))
        }
        guard y >= region.y else { continue }
        _ = pixels.row(y - region.y).update(fromContentsOf: row.words[region.x..<region.x + region.size.width])
        if orientation == 1 { onRows(pixels, y - region.y + 1) }
      }
      guard cjpeg_is_blank(decoder) == 0 else { throw .incomplete }
      guard cjpeg_warnings(decoder) <= Self.mostWarnings else { throw .damaged("too much of it makes no sense") }
      return pixels.upright(orientation)
    }

    private var failure: ImageFailure { .damaged(String(cString: cjpeg_error(decoder))) }

    /// The smallest scaling that the decoder does for next to nothing and that leaves as many pixels as are wanted.
    private static func eighths(_ size: PixelSize, _ wanted: PixelSize) -> Int {
      [1, 2, 4].first { size.width * $0 >= wanted.width * 8 && size.height * $0 >= wanted.height * 8 } ?? 8
    }

    /// Whether its colors are sRGB: by its profile's description (ICC.1, "desc"; in ASCII or UTF-16), or for want of one.
    private static func isSRGB(_ decoder: OpaquePointer) -> Bool {
      var count = 0
      guard let profile = cjpeg_copy_profile(decoder, &count) else { return true }
      defer { free(profile) }
      let head = UnsafeRawBufferPointer(start: profile, count: min(count, 8192))
      return ["sRGB IEC61966", "sRGB built-in"].contains { head.firstRange(of: Array($0.utf8)) != nil }
        || head.firstRange(of: Array("s\0R\0G\0B".utf8)) != nil
    }
  }

  extension PixelRect {
    /// The same part where the image lies as its file has it.
    fileprivate func stored(_ orientation: Int, in upright: PixelSize) -> PixelRect {
      let (right, bottom) = (upright.width - x - size.width, upright.height - y - size.height)
      return switch orientation {
      case 2: PixelRect(x: right, y: y, size: size)
      case 3: PixelRect(x: right, y: bottom, size: size)
      case 4: PixelRect(x: x, y: bottom, size: size)
      case 5: PixelRect(x: y, y: x, size: size.transposed)
      case 6: PixelRect(x: y, y: right, size: size.transposed)
      case 7: PixelRect(x: bottom, y: right, size: size.transposed)
      case 8: PixelRect(x: bottom, y: x, size: size.transposed)
      default: self
      }
    }

    /// The same part of the image when it is shrunk.
    fileprivate func scaled(eighths: Int, in shrunk: PixelSize) -> PixelRect {
      let (left, top) = (min(x * eighths / 8, shrunk.width - 1), min(y * eighths / 8, shrunk.height - 1))
      let right = min(((x + size.width) * eighths + 7) / 8, shrunk.width)
      let bottom = min(((y + size.height) * eighths + 7) / 8, shrunk.height)
      return PixelRect(x: left, y: top, size: PixelSize(max(1, right - left), max(1, bottom - top)))
    }
  }
#endif
