#if Pictures
  import CVipsPlugin
  import Gallery
  import ImageWire
  import Metadata

  /// An image of libvips, which is decoded when its pixels are read.
  final class VipsImage {
    /// The size of the rotated image.
    let uprightSize: PixelSize
    private let plugin: VipsPlugin
    private let image: OpaquePointer
    private let file: ImageFile
    private let loader: String
    private let frame: Int
    /// The orientation by which the image is shown that libvips has made upright, from 1 to 8.
    private let turn: Int

    /// Reads the header of a file.
    ///
    /// - Parameter loader: The loader of libvips that reads the file's format.
    init(
      of file: ImageFile, _ loader: String, frame: Int, _ rotation: ImageRotation, _ plugin: VipsPlugin
    ) throws(ImageFault) {
      guard let image = Self.withFile(file, loader, frame, { plugin.open(&$0) }) else {
        throw Self.failure(plugin)
      }
      (self.image, self.plugin, self.file, self.loader, self.frame) = (image, plugin, file, loader, frame)
      let size = PixelSize(Int(plugin.width(image)), Int(plugin.height(image)))
      let exif = Int(plugin.orientation(image))
      turn = rotation.orientation(fromUpright: exif)
      uprightSize = (exif >= 5) != (turn >= 5) ? size.transposed : size
    }

    deinit { plugin.close(image) }

    var hasAlpha: Bool { plugin.has_alpha(image) != 0 }
    var frames: Int { Int(plugin.frames(image)) }
    /// Returns how long a frame is shown, in milliseconds, or 0 if the file does not say.
    func delay(frame: Int) -> Int { Int(plugin.delay(image, Int32(clamping: frame))) }

    /// Decodes the pixels of a layout, in sRGB, on an opaque background (0xRRGGBB).
    func pixels(_ layout: Layout, background: UInt32) throws(ImageFault) -> Pixels {
      let target = turn >= 5 ? layout.pixels.transposed : layout.pixels
      var (width, height) = (Int32(target.width), Int32(target.height))
      let part = layout.part.stored(turn, in: uprightSize)
      let words = Self.withFile(file, loader, frame) { file in
        layout.isPart
          ? plugin.part(
            &file, image, Int32(part.x), Int32(part.y), Int32(part.x + part.size.width),
            Int32(part.y + part.size.height), &width, &height, layout.filter == .nearest ? 1 : 0, background)
          : plugin.pixels(&file, image, &width, &height, layout.isCut ? 1 : 0, background)
      }
      guard let words else { throw Self.failure(plugin) }
      return Pixels(words, size: PixelSize(Int(width), Int(height))).upright(turn)
    }

    private static func withFile<Result>(
      _ file: ImageFile, _ loader: String, _ frame: Int, _ body: (inout VipsFile) -> Result
    ) -> Result {
      loader.withCString { loader in
        var file = VipsFile(descriptor: file.descriptor, loader: loader, page: Int32(clamping: frame))
        return body(&file)
      }
    }

    /// Returns the first of the errors that libvips has noted. The others follow from it.
    private static func failure(_ plugin: VipsPlugin) -> ImageFault {
      let errors = plugin.error().map { String(cString: $0) } ?? ""
      // libheif finds the length of a file by seeking beyond its end. libvips notes that although nothing is wrong.
      let first = errors.split(separator: "\n").first { !$0.contains("bad seek to") }
      return .damaged(first.map { .library(reason: String($0)) } ?? .unknown)
    }
  }
#endif
