import Metadata

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
    case .pam, .bmp, .rawTIFF, .rawFujifilm, .rawCanon: nil
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

  /// The name of the format in the report of `tintype doctor`.
  var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .gif: "GIF"
    case .webp: "WebP"
    case .tiff: "TIFF"
    case .heif: "HEIC, AVIF"
    case .jxl: "JPEG XL"
    case .svg: "SVG"
    case .ppm: "PBM, PGM, PPM, PFM"
    case .pam: "PAM"
    case .bmp: "BMP"
    case .rawTIFF: "RAW (DNG, NEF, ARW, CR2, ORF, RW2, PEF)"
    case .rawFujifilm: "RAW (RAF)"
    case .rawCanon: "RAW (CR3)"
    }
  }
}
