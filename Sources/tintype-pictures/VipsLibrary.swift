#if Pictures
  import CVipsPlugin
  import Glibc

  /// libvips, which decodes what libjpeg alone does not: loaded when it is first wanted.
  final class VipsLibrary {
    /// nil where it cannot be loaded.
    private(set) lazy var plugin = Self.load()
    private var modules: Set<String> = []

    /// `swift run tintype` alone doesn't build the plug-in.
    static let missing = "libtintype-vips.so cannot be loaded; run swift build, or reinstall Tintype"

    /// Opens an image with its format's own loader, and no other.
    func open(_ file: ImageFile, frame: Int = 0) throws(ImageFailure) -> VipsImage {
      guard let plugin else { throw .damaged(Self.missing) }
      guard let loader = file.format.loader else { throw .unknownFormat }
      loadModule(for: file.format, plugin)
      return try VipsImage(of: file, loader, frame: file.format.isAnimated ? frame : 0, plugin)
    }

    func setConcurrency(_ threads: Int) { plugin?.set_concurrency(Int32(threads)) }

    /// The version, and the formats it reads; nil where it is not there.
    func report() -> (version: String, formats: [ImageFormat])? {
      guard let plugin else { return nil }
      for format in ImageFormat.allCases { loadModule(for: format, plugin) }
      let formats = ImageFormat.allCases.filter { format in format.loader.map { plugin.has_loader($0) != 0 } ?? true }
      return (plugin.version().map { String(cString: $0) } ?? "?", formats)
    }

    /// Loads the part for formats that libvips keeps apart, the first time that it is wanted.
    private func loadModule(for format: ImageFormat, _ plugin: VipsPlugin) {
      guard let module = format.module, modules.insert(module).inserted, let folder = Self.folder else { return }
      plugin.load_module(folder, module)
    }

    private static func load() -> VipsPlugin? {
      guard let executable = realpath("/proc/self/exe", nil) else { return nil }
      defer { free(executable) }
      let path = String(cString: executable).split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
      guard let library = dlopen(path + "/libtintype-vips.so", RTLD_NOW | RTLD_LOCAL),
        let entry = dlsym(library, VIPS_PLUGIN_ENTRY)
      else { return nil }
      let table = unsafeBitCast(entry, to: (@convention(c) () -> UnsafePointer<VipsPlugin>).self)()
      return table.pointee.start() == 0 ? table.pointee : nil
    }

    /// Where libvips was loaded from, as the kernel has it.
    private static let folder: String? = {
      guard let maps = fopen("/proc/self/maps", "re") else { return nil }
      defer { fclose(maps) }
      var buffer: UnsafeMutablePointer<CChar>?
      var capacity = 0
      defer { free(buffer) }
      while getline(&buffer, &capacity, maps) > 0, let line = buffer.map({ String(cString: $0) }) {
        guard line.contains("/libvips.so") else { continue }
        return line.drop { $0 != "/" }.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }
      }
      return nil
    }()
  }

  /// An image of libvips, to be decoded when its pixels are wanted.
  final class VipsImage {
    let uprightSize: PixelSize
    private let plugin: VipsPlugin
    private let image: OpaquePointer
    private let file: ImageFile
    private let loader: String
    private let frame: Int

    fileprivate init(
      of file: ImageFile, _ loader: String, frame: Int, _ plugin: VipsPlugin
    ) throws(ImageFailure) {
      guard let image = Self.withFile(file, loader, frame, { plugin.open(&$0) }) else {
        throw Self.failure(plugin, file)
      }
      (self.image, self.plugin, self.file, self.loader, self.frame) = (image, plugin, file, loader, frame)
      let size = PixelSize(Int(plugin.width(image)), Int(plugin.height(image)))
      uprightSize = plugin.orientation(image) >= 5 ? size.transposed : size
    }

    deinit { plugin.close(image) }

    var hasAlpha: Bool { plugin.has_alpha(image) != 0 }
    var frames: Int { Int(plugin.frames(image)) }
    func delay(frame: Int) -> Int { Int(plugin.delay(image, Int32(clamping: frame))) }

    /// The pixels of the layout, in sRGB, on an opaque background (0xRRGGBB).
    func pixels(_ layout: Layout, background: UInt32) throws(ImageFailure) -> Pixels {
      var (width, height) = (Int32(layout.pixels.width), Int32(layout.pixels.height))
      let part = layout.part
      let words = Self.withFile(file, loader, frame) { file in
        layout.isPart
          ? plugin.part(
            &file, image, Int32(part.x), Int32(part.y), Int32(part.x + part.size.width),
            Int32(part.y + part.size.height), &width, &height, layout.filter == .nearest ? 1 : 0, background)
          : plugin.pixels(&file, image, &width, &height, layout.isCut ? 1 : 0, background)
      }
      guard let words else { throw Self.failure(plugin, file) }
      return Pixels(words, size: PixelSize(Int(width), Int(height)))
    }

    private static func withFile<Result>(
      _ file: ImageFile, _ loader: String, _ frame: Int, _ body: (inout VipsFile) -> Result
    ) -> Result {
      file.openName.withCString { name in
        loader.withCString { loader in
          var file = VipsFile(name: name, loader: loader, page: Int32(clamping: frame))
          return body(&file)
        }
      }
    }

    /// The first of the errors that libvips has noted: what follows comes of it.
    private static func failure(_ plugin: VipsPlugin, _ file: ImageFile) -> ImageFailure {
      let errors = plugin.error().map { String(cString: $0) } ?? ""
      // libheif asks how long a file is by seeking beyond its end, which is noted although nothing is wrong.
      let first = errors.split(separator: "\n").first { !$0.contains("bad seek to") }
      // The name that the file was opened by means nothing to the user.
      return .damaged(first.map(String.init)?.replacing(file.openName, with: "the file") ?? "it cannot be decoded")
    }
  }
#endif
