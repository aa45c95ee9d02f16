/// Why a file gives no picture.
enum PictureFailure: Error, CustomStringConvertible {
  case missing
  case unreadable(reason: String)
  case notAFile
  case empty
  case unknownFormat
  case tooLarge(Int, Int)
  case damaged(String)
  case noPreview

  var description: String {
    switch self {
    case .missing: "The picture's file is not there"
    case .unreadable(let reason): "The picture's file cannot be read: \(reason)"
    case .notAFile: "This is not a regular file"
    case .empty: "The picture's file is empty; it may still be on its way here"
    case .unknownFormat: "This is no picture, or of a format not known here"
    case .tooLarge(let width, let height): "The picture claims \(width)×\(height) pixels, which is too large"
    case .noPreview: "This raw file has no preview inside"
    case .damaged(let reason): "The picture is damaged: \(reason)"
    }
  }
}

/// A picture format, known by a file's first bytes; whatever the file is called.
enum PictureFormat: CaseIterable {
  case jpeg, png, gif, webp, tiff, heif, jxl, svg, ppm, bmp
  /// A camera's raw data, of which the embedded preview is shown: TIFF within, or Fujifilm's and Canon's own.
  case rawTIFF, rawFujifilm, rawCanon

  /// Recognises a format by its signature, as its specification gives it.
  init?(head: ArraySlice<UInt8>) {
    func has(_ signature: [UInt8], at offset: Int = 0) -> Bool {
      head.dropFirst(offset).starts(with: signature)
    }
    func has(_ signature: String, at offset: Int = 0) -> Bool { has(Array(signature.utf8), at: offset) }

    if has([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if has("GIF87a") || has("GIF89a") {
      self = .gif
    } else if has("RIFF"), has("WEBP", at: 8) {
      self = .webp
    } else if has([0x49, 0x49, 0x2A, 0]) && has("CR", at: 8) || has("IIRO") || has("MMOR") || has("IIRS")
      || has([0x49, 0x49, 0x55, 0])
    {
      self = .rawTIFF
    } else if has("FUJIFILMCCD-RAW") {
      self = .rawFujifilm
    } else if has("ftypcrx ", at: 4) {
      self = .rawCanon
    } else if has("BM"), head.count >= 26 {
      self = .bmp
    } else if has([0x49, 0x49, 0x2A, 0]) || has([0x4D, 0x4D, 0, 0x2A]) {
      self = .tiff
    } else if has("ftyp", at: 4), ["heic", "heix", "mif1", "avif", "avis"].contains(where: { has($0, at: 8) }) {
      self = .heif
    } else if has([0xFF, 0x0A]) || has([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) {
      self = .jxl
    } else if has("P5") || has("P6") || has("P4") {
      self = .ppm
    } else if has("<svg") || (has("<?xml") && head.firstRange(of: Array("<svg".utf8)) != nil) {
      self = .svg
    } else {
      return nil
    }
  }

  /// Whether it may hold several frames.
  var isAnimated: Bool { self == .gif || self == .webp }

  /// libvips' loader for files of this format; nil where none of its own is used.
  var loader: String? {
    switch self {
    case .jpeg: "VipsForeignLoadJpeg"
    case .png: "VipsForeignLoadPng"
    case .gif: "VipsForeignLoadNsgif"
    case .webp: "VipsForeignLoadWebp"
    case .tiff: "VipsForeignLoadTiff"
    case .heif: "VipsForeignLoadHeif"
    case .jxl: "VipsForeignLoadJxl"
    case .svg: "VipsForeignLoadSvg"
    case .ppm: "VipsForeignLoadPpm"
    case .bmp, .rawTIFF, .rawFujifilm, .rawCanon: nil
    }
  }

  /// The module of libvips that its loader comes with; nil where that is part of the library.
  var module: String? {
    switch self {
    case .heif: "vips-heif"
    case .jxl: "vips-jxl"
    default: nil
    }
  }

  /// As `tintype doctor` names it.
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
    case .ppm: "PPM"
    case .bmp: "BMP"
    case .rawTIFF: "RAW (DNG, NEF, ARW, CR2, ORF, RW2, PEF)"
    case .rawFujifilm: "RAW (RAF)"
    case .rawCanon: "RAW (CR3)"
    }
  }
}
