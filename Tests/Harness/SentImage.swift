import CJPEG
import Glibc
import TestPhotos

/// The pixels of an image: 3 bytes each, row by row.
public struct PixelImage: Equatable, Sendable {
  /// The number of pixels in a row.
  public var width: Int
  /// The number of rows.
  public var height: Int
  /// Red, green and blue of each pixel.
  public var rgb: [UInt8]
}

/// An image that a program sent to the terminal.
public struct SentImage: Sendable {
  /// The encoding of an image.
  enum Encoding: Sendable {
    case png, jpeg, sixel
  }

  /// The id that kitty's protocol gives the image; 0 in other formats.
  public var id: UInt32 = 0
  /// The number of bytes that the image took on the line.
  public var byteCount = 0
  let encoding: Encoding
  var data: [UInt8] = []
  /// The pixels, or nil if the image is incomplete.
  public private(set) var pixels: PixelImage?

  init(id: UInt32 = 0, encoding: Encoding, data: [UInt8] = [], byteCount: Int = 0) {
    (self.id, self.encoding, self.data, self.byteCount) = (id, encoding, data, byteCount)
  }

  /// Decodes the data, which is released.
  mutating func decode() {
    switch encoding {
    case .png: pixels = decodedPNG()
    case .jpeg: pixels = decodedJPEG()
    case .sixel: pixels = decodedSixels()
    }
    data = []
  }

  private func decodedPNG() -> PixelImage? {
    PNGReader.pixels(of: data).map { PixelImage(width: $0.width, height: $0.height, rgb: $0.rgb) }
  }

  private func decodedJPEG() -> PixelImage? {
    guard let file = tmpfile() else { return nil }
    defer { fclose(file) }
    fwrite(data, 1, data.count, file)
    fflush(file)
    guard let decoder = cjpeg_open(fileno(file), 0) else { return nil }
    defer { cjpeg_close(decoder) }
    var (width, height): (Int32, Int32) = (0, 0)
    guard cjpeg_start(decoder, 8, &width, &height) == 0 else { return nil }
    var row = [UInt32](repeating: 0, count: Int(width))
    var rgb: [UInt8] = []
    rgb.reserveCapacity(Int(width * height) * 3)
    for _ in 0..<height {
      guard cjpeg_read_row(decoder, &row) == 0 else { return nil }
      for pixel in row { rgb += [UInt8(pixel & 0xFF), UInt8(pixel >> 8 & 0xFF), UInt8(pixel >> 16 & 0xFF)] }
    }
    guard cjpeg_is_incomplete(decoder) == 0 else { return nil }
    return PixelImage(width: Int(width), height: Int(height), rgb: rgb)
  }

  private func decodedSixels() -> PixelImage? {
    var reader = SixelReader(data)
    return reader.read()
  }
}
