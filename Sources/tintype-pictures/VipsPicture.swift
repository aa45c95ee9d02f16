#if Pictures
  import CVips

  /// A picture of libvips, to be decoded when its pixels are wanted.
  final class VipsPicture {
    let image: UnsafeMutablePointer<VipsImage>

    /// Takes over `image`; nil is nil.
    init?(_ image: UnsafeMutablePointer<VipsImage>?) {
      guard let image else { return nil }
      self.image = image
    }

    deinit { g_object_unref(image) }

    /// As the file has it, or upright.
    var size: PixelSize { PixelSize(Int(vips_image_get_width(image)), Int(vips_image_get_height(image))) }
    var uprightSize: PixelSize { vips_image_get_orientation(image) >= 5 ? size.transposed : size }
    var isUpright: Bool { vips_image_get_orientation(image) == 1 }
    var frames: Int { Int(cvips_frames(image)) }
    func delay(frame: Int) -> Int { Int(cvips_delay(image, Int32(clamping: frame))) }

    /// A text that the file carries; of PNG's, which are numbered, the one with this key.
    func text(_ kind: String, key: String) -> String? {
      for index in 0..<16 {
        if let text = cvips_text(image, "\(kind)-\(index)-\(key)") { return String(cString: text) }
      }
      return nil
    }

    func scaled(to size: PixelSize, isCut: Bool) -> VipsPicture? {
      g_object_ref(image)
      return VipsPicture(cvips_scaled(image, Int32(size.width), Int32(size.height), isCut ? 1 : 0))
    }

    /// In sRGB, on an opaque background.
    func pixels(background: UInt32) -> Pixels? {
      let color = [16, 8, 0].map { Double(background >> $0 & 0xFF) }
      let size = size
      g_object_ref(image)
      return cvips_pixels(image, color).map { Pixels($0, size: size) }
    }

    func png(comments: [(String, String)]) -> [UInt8]? {
      let texts = comments.flatMap { [strdup($0.0), strdup($0.1)] } + [nil]
      defer { for text in texts { free(text) } }
      var count = 0
      let pointers = texts.map { UnsafePointer<CChar>($0) }
      guard let bytes = cvips_png(image, pointers, &count) else { return nil }
      defer { g_free(bytes) }
      return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    func jpeg() -> [UInt8]? {
      var count = 0
      guard let bytes = cvips_jpeg(image, &count) else { return nil }
      defer { g_free(bytes) }
      return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// What libvips last complained of.
    static func takeError() -> String {
      defer { vips_error_clear() }
      let text = String(cString: vips_error_buffer())
      return text.split(separator: "\n").first.map(String.init) ?? "no reason given"
    }
  }

  /// Finished pixels: RGB, 3 bytes each, from the top left.
  final class Pixels {
    let bytes: UnsafeMutableBufferPointer<UInt8>
    let size: PixelSize

    init(_ start: UnsafeMutablePointer<UInt8>, size: PixelSize) {
      bytes = UnsafeMutableBufferPointer(start: start, count: size.width * size.height * 3)
      self.size = size
    }

    deinit { g_free(bytes.baseAddress) }

    /// As RGBA, 4 bytes each as they lie in memory, all opaque: in the middle of a canvas of another colour (0xRRGGBB).
    func rgba(inMiddleOf canvas: PixelSize, background: UInt32) -> [UInt32] {
      let (width, height) = (min(canvas.width, size.width), min(canvas.height, size.height))
      let (left, top) = ((canvas.width - width) / 2, (canvas.height - height) / 2)
      let color = background.bigEndian >> 8 | 0xFF00_0000
      var pixels = [UInt32](repeating: color, count: canvas.width * canvas.height)
      pixels.withUnsafeMutableBufferPointer { target in
        for row in 0..<height {
          var to = (row + top) * canvas.width + left
          var from = row * size.width * 3
          for _ in 0..<width {
            target[to] =
              UInt32(bytes[from]) | UInt32(bytes[from + 1]) << 8 | UInt32(bytes[from + 2]) << 16 | 0xFF00_0000
            to += 1
            from += 3
          }
        }
      }
      return pixels
    }

    /// The same for libvips; valid while this lives.
    var picture: VipsPicture? { VipsPicture(cvips_wrap(bytes.baseAddress, Int32(size.width), Int32(size.height), 3)) }
  }
#endif

/// A size in pixels.
struct PixelSize: Equatable {
  var width: Int
  var height: Int

  init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }

  var transposed: PixelSize { PixelSize(height, width) }
  var longerSide: Int { max(width, height) }
}
