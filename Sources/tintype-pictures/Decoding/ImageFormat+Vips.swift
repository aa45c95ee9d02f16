import Gallery

extension ImageFormat {
  /// Whether a file may hold several frames.
  var isAnimated: Bool { self == .gif || self == .webp }

  /// Whether the image has no pixels of its own, so that it can be decoded in any size.
  var isDrawing: Bool { self == .svg || self == .pdf }

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
    case .openEXR: "openexrload"
    case .pdf: "pdfload"
    default: nil
    }
  }

  /// The module of libvips that has the loader, or nil if the library itself has it.
  var module: String? {
    switch self {
    case .heif: "vips-heif"
    case .jxl: "vips-jxl"
    case .pdf: "vips-poppler"
    default: nil
    }
  }
}
