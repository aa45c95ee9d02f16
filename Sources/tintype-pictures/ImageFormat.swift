/// Why a file gives no image.
enum ImageFailure: Error, CustomStringConvertible {
  case missing
  case unreadable(reason: String)
  case notAFile
  case empty
  case unknownFormat
  case tooLarge(Int, Int)
  /// The file ends before anything of its image can be decoded.
  case incomplete
  case damaged(String)
  case noPreview

  var description: String {
    switch self {
    case .missing: "File not found"
    case .unreadable(let reason): "Can't read the file: \(reason)"
    case .notAFile: "Not a regular file"
    case .empty: "Empty file (still being copied?)"
    case .unknownFormat: "Not an image, or an unsupported format"
    case .tooLarge(let width, let height): "Too large: \(width)×\(height) pixels"
    case .noPreview: "No preview in this raw file"
    case .incomplete: "Incomplete file (cut off, or still being copied)"
    case .damaged(let reason): "Damaged image: \(reason)"
    }
  }
}

/// An image format, known by a file's first bytes; whatever the file is called.
enum ImageFormat: CaseIterable {
  case jpeg, png, gif, webp, tiff, heif, jxl, svg, ppm, pam, bmp
  /// A camera's raw data, of which the embedded preview is shown: TIFF within, or Fujifilm's and Canon's own.
  case rawTIFF, rawFujifilm, rawCanon

  /// Recognizes a format by its signature, as its specification gives it.
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
    } else if has([0x49, 0x49, 0x2A, 0]) || has([0x4D, 0x4D, 0, 0x2A]) || has(BigTIFF.littleEndian)
      || has(BigTIFF.bigEndian)
    {
      self = .tiff
    } else if has("ftyp", at: 4), Self.brands(head).contains(where: { Self.heifBrands.contains($0) }) {
      self = .heif
    } else if has([0xFF, 0x0A]) || has([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) {
      self = .jxl
    } else if ["P1", "P2", "P3", "P4", "P5", "P6", "PF", "Pf"].contains(where: { has($0) }),
      let byte = head.dropFirst(2).first, Self.isSpace(byte) || byte == UInt8(ascii: "#")
    {
      self = .ppm
    } else if has("P7\n") {
      self = .pam
    } else if Self.isSVG(head) {
      self = .svg
    } else {
      return nil
    }
  }

  /// The brands of files that libheif reads: of HEVC, of AV1, and of either.
  private static let heifBrands: Set<String> = ["heic", "heix", "heim", "heis", "mif1", "avif", "avis"]

  /// The brands that a file of boxes claims to conform to (ISO/IEC 14496-12, "File Type Box"), as far as they are in its
  /// first bytes.
  private static func brands(_ head: ArraySlice<UInt8>) -> [String] {
    let count = min(head.count, head.prefix(4).reduce(0) { $0 << 8 | Int($1) })
    return stride(from: 8, to: count - 3, by: 4).map { start in
      String(decoding: head.dropFirst(start).prefix(4), as: UTF8.self)
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// Whether the first element of a text is an SVG's: behind white space, comments, and what else XML allows before it.
  private static func isSVG(_ head: ArraySlice<UInt8>) -> Bool {
    var rest = head
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while true {
      rest = rest.drop(while: isSpace)
      let ends = [("<!--", "-->"), ("<?", "?>"), ("<!", ">")]
      guard let (start, end) = ends.first(where: { rest.starts(with: $0.0.utf8) }) else { break }
      guard let found = rest.dropFirst(start.utf8.count).firstRange(of: Array(end.utf8)) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.starts(with: "<svg".utf8)
  }

  /// Whether it may hold several frames.
  var isAnimated: Bool { self == .gif || self == .webp }

  /// The loader of libvips that reads files of this format; nil where none does.
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
    case .ppm: "PBM, PGM, PPM, PFM"
    case .pam: "PAM"
    case .bmp: "BMP"
    case .rawTIFF: "RAW (DNG, NEF, ARW, CR2, ORF, RW2, PEF)"
    case .rawFujifilm: "RAW (RAF)"
    case .rawCanon: "RAW (CR3)"
    }
  }
}
