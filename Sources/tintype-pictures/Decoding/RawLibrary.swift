import CRawPlugin
import Gallery
import ImageWire
import Metadata

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// LibRaw, which develops cameras' raw files. It is loaded when it is first used.
final class RawLibrary {
  /// The library's functions, or nil if it cannot be loaded.
  private lazy var plugin = Self.load()
  /// The file that was developed last, of which the user may look at another part.
  private var last: RawImage?

  /// Opens a raw file.
  func open(_ file: ImageFile, _ rotation: ImageRotation = .upright) throws(ImageFault) -> RawImage {
    guard let plugin else { throw .damaged(.noRawLibrary) }
    if let last, last.isOf(file, rotation) { return last }
    last = nil
    let raw = try RawImage(of: file, rotation, plugin)
    last = raw
    return raw
  }

  /// Releases the memory of what was developed before, unless that is the file that is decoded now.
  func forget(unless file: ImageFile) {
    if let last, !last.isOf(file) { self.last = nil }
  }

  /// The version of LibRaw, or nil if the library cannot be loaded.
  var version: String? { plugin.flatMap { $0.version().map { String(cString: $0) } } }

  private static func load() -> RawPlugin? {
    // LibRaw spreads its work over all processors, which other workers need, too.
    setenv("OMP_NUM_THREADS", "1", 1)
    return Plugin.raw.load(RAW_PLUGIN_ENTRY, as: RawPlugin.self)
  }
}
