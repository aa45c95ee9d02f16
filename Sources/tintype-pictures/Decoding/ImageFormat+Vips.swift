import Gallery

extension ImageFormat {
  /// Whether a file may hold several frames.
  var isAnimated: Bool { self == .gif || self == .webp }

  /// The loader of libvips that reads files of this format, or nil if none does.
  var loader: String? {
    switch self {
    case .jpeg: "jpegload"
    case .png: "pngload"
    case .gif: "gifload"
    case .webp: "webpload"
    case .tiff: "tiffload"
    case .heif: "heifload"
    case .jxl: "jxlload"
    case .svg: "svgload"
    case .ppm: "ppmload"
    case .jpeg2000: "jp2kload"
    case .radiance: "radload"
    default: nil
    }
  }

  /// The module of libvips that has the loader, or nil if the library itself has it.
  var module: String? {
    switch self {
    case .heif: "vips-heif"
    case .jxl: "vips-jxl"
    default: nil
    }
  }
}
