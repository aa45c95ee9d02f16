import CSystem
import CVipsPlugin
import Gallery
import ImageWire
import Metadata

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// libvips, which decodes the formats that libjpeg does not. It is loaded when it is first used.
final class VipsLibrary {
  /// The library's functions, or nil if it cannot be loaded. `swift run tintype` alone doesn't build the plug-in.
  private(set) lazy var plugin = Self.load()
  private var modules: Set<String> = []

  /// Opens an image with its format's own loader, and no other.
  func open(
    _ file: ImageFile, frame: Int = 0, rotation: ImageRotation = .upright
  ) throws(ImageFault) -> VipsImage {
    guard let plugin else { throw .damaged(.noLibvips) }
    loadModule(for: file.format, plugin)
    guard let loader = file.format.loader, plugin.has_loader(loader) != 0 else { throw .unsupported(file.format) }
    return try VipsImage(of: file, loader, frame: file.format.isAnimated ? frame : file.page, rotation, plugin)
  }

  /// Spreads each image over `threads` threads, or over as many as there are cores if it is 0.
  func setConcurrency(_ threads: Int) { plugin?.set_concurrency(Int32(threads)) }

  /// Encodes pixels with the saver of a format and its options. The file has no metadata.
  ///
  /// - Parameter profile: The ICC profile of the pixels, for a format in which it is a part of the image.
  func save(
    _ pixels: Pixels, _ format: ExportSpecification.Format, _ options: String, profile: [UInt8]? = nil
  ) throws(ImageFault) -> [UInt8] {
    guard let plugin else { throw .notExported(.noEncoder(format)) }
    loadModule(for: format.imageFormat, plugin)
    guard plugin.has_saver(format.saver) != 0 else { throw .notExported(.noEncoder(format)) }
    plugin.set_concurrency(1)
    var count = 0
    let bytes = (profile ?? []).withUnsafeBytes { profile in
      var picture = VipsPicture(
        pixels: pixels.words.baseAddress, width: Int32(pixels.size.width), height: Int32(pixels.size.height),
        is_wide: 0,
        profile: profile.isEmpty ? nil : profile.baseAddress, profile_size: profile.count)
      return plugin.save(&picture, format.saver, options, &count)
    }
    guard let bytes else { throw .notExported(.unwritable(reason: lastError(plugin))) }
    defer { plugin.release(bytes) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Draws a line of text with letters of this height in pixels.
  func draw(_ text: String, height: Int) throws(ImageFault) -> TextMask {
    let markup = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    var (width, lines): (Int32, Int32) = (0, 0)
    // The font has 12 points, of which a pixel is one at 72 dots an inch.
    guard let plugin, let letters = plugin.draw_text(markup, Int32(height * 6), &width, &lines) else {
      throw .notExported(.noFont)
    }
    defer { plugin.release(letters) }
    let values = [UInt8](UnsafeRawBufferPointer(start: letters, count: Int(width) * Int(lines)))
    guard values.contains(where: { $0 > 0 }) else { throw .notExported(.noFont) }
    return TextMask(width: Int(width), height: Int(lines), values: values)
  }

  private func lastError(_ plugin: VipsPlugin) -> String {
    plugin.error().map { String(cString: $0).split(separator: "\n").first.map(String.init) ?? "" } ?? ""
  }

  /// Returns the library's version and the formats that can be read, or nil if the library cannot be loaded.
  func report() -> (version: String, formats: [ImageFormat])? {
    guard let plugin else { return nil }
    for format in ImageFormat.allCases { loadModule(for: format, plugin) }
    let formats = ImageFormat.allCases.filter { format in
      format.isSupported && format.loader.map { plugin.has_loader($0) != 0 } ?? true
    }
    return (plugin.version().map { String(cString: $0) } ?? "?", formats)
  }

  /// Loads the module of a format that libvips itself does not read, before the first file of that format.
  private func loadModule(for format: ImageFormat, _ plugin: VipsPlugin) {
    guard let module = format.module, modules.insert(module).inserted else { return }
    plugin.load_module(module)
  }

  private static func load() -> VipsPlugin? {
    guard let table = Plugin.vips.load(VIPS_PLUGIN_ENTRY, as: VipsPlugin.self), table.start() == 0 else { return nil }
    return table
  }
}
