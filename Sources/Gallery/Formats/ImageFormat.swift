/// The format of an image or a video, recognized by a file's first bytes.
///
/// The raw value is a format's number in messages.
public enum ImageFormat: UInt8, CaseIterable, Sendable {
  case jpeg, png, gif, webp, tiff, heif, jxl, svg, ppm, pam, bmp, jpeg2000, radiance
  /// A camera's raw data with the structure of a TIFF.
  case rawTIFF
  /// A camera's raw data in Fujifilm's own structure (RAF).
  case rawFujifilm
  /// A camera's raw data in Canon's boxes (CR3).
  case rawCanon
  /// A camera's raw data in Canon's older structure, a heap of tagged records (CIFF, CRW).
  case rawCIFF
  /// A camera's raw data in Minolta's blocks (MRW).
  case rawMinolta
  /// A camera's raw data in Sigma's sections (X3F).
  case rawSigma
  case openEXR, fits, ico, tga, psd, xcf, pcx, qoi, dds, icns, jpegXR
  /// A video in the boxes of QuickTime and MPEG-4 (ISO/IEC 14496-12).
  case quickTime
  case matroska, avi
  /// A transport stream (ISO/IEC 13818-1), also with the time stamps of AVCHD.
  case mpegTS
  /// A program stream (ISO/IEC 11172-1 and 13818-1).
  case mpegPS
  /// Windows Media's container.
  case asf
  case flv, ogg
  case sgi, xbm
  /// A document of pages (ISO 32000). Its files are no photos of a folder, so no suffix says that they are.
  case pdf

  /// The suffixes of file names that say this format, in lowercase and with up to four letters.
  ///
  /// Suffixes that other kinds of files have, too, such as `hdr`, are left out: the files are recognized by their contents.
  public var suffixes: [String] {
    switch self {
    case .jpeg: ["jpg", "jpeg", "jpe", "jfif", "jif", "mpo"]
    case .png: ["png", "apng"]
    case .gif: ["gif"]
    case .webp: ["webp"]
    case .tiff: ["tif", "tiff"]
    case .heif: ["heic", "heif", "hif", "avif"]
    case .jxl: ["jxl"]
    case .svg: ["svg"]
    case .ppm: ["ppm", "pgm", "pbm", "pnm", "pfm"]
    case .pam: ["pam"]
    case .bmp: ["bmp", "dib"]
    case .jpeg2000: ["jp2", "j2k", "j2c", "jpc", "jpx", "jpf"]
    case .radiance: ["rgbe"]
    case .fits: ["fits", "fts"]
    case .rawTIFF:
      [
        "dng", "nef", "nrw", "arw", "sr2", "srf", "cr2", "orf", "rw2", "rwl", "pef", "ptx", "srw", "3fr", "fff", "iiq",
        "erf", "kdc", "dcr", "k25", "kc2", "mef", "mos", "gpr",
      ]
    case .rawFujifilm: ["raf"]
    case .rawCanon: ["cr3"]
    case .rawCIFF: ["crw"]
    case .rawMinolta: ["mrw"]
    case .rawSigma: ["x3f"]
    case .openEXR: ["exr"]
    case .ico: ["ico", "cur"]
    case .tga: ["tga"]
    case .psd: ["psd", "psb"]
    case .xcf: ["xcf"]
    case .pcx: ["pcx"]
    case .qoi: ["qoi"]
    case .dds: ["dds"]
    case .icns: ["icns"]
    case .jpegXR: ["jxr", "wdp", "hdp"]
    case .quickTime: ["mov", "mp4", "m4v", "qt", "3gp", "3g2"]
    case .matroska: ["mkv", "webm"]
    case .avi: ["avi"]
    case .mpegTS: ["mts", "m2ts"]
    case .mpegPS: ["mpg", "mpeg", "vob"]
    case .asf: ["wmv", "asf"]
    case .flv: ["flv"]
    case .ogg: ["ogv"]
    case .sgi: ["sgi"]
    case .xbm: ["xbm"]
    case .pdf: []
    }
  }

  /// The format's name.
  public var name: String {
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
    case .jpeg2000: "JPEG 2000"
    case .radiance: "Radiance HDR"
    case .fits: "FITS"
    case .rawTIFF: "RAW (DNG, NEF, ARW, CR2, ORF, RW2, PEF, SRW, …)"
    case .rawFujifilm: "RAW (RAF)"
    case .rawCanon: "RAW (CR3)"
    case .rawCIFF: "RAW (CRW)"
    case .rawMinolta: "RAW (MRW)"
    case .rawSigma: "RAW (X3F)"
    case .openEXR: "OpenEXR"
    case .ico: "ICO, CUR"
    case .tga: "TGA"
    case .psd: "Photoshop"
    case .xcf: "XCF (GIMP)"
    case .pcx: "PCX"
    case .qoi: "QOI"
    case .dds: "DDS"
    case .icns: "ICNS"
    case .jpegXR: "JPEG XR"
    case .quickTime: "MP4, MOV"
    case .matroska: "Matroska, WebM"
    case .avi: "AVI"
    case .mpegTS: "MPEG-TS"
    case .mpegPS: "MPEG"
    case .asf: "WMV"
    case .flv: "FLV"
    case .ogg: "Ogg"
    case .sgi: "SGI"
    case .xbm: "XBM"
    case .pdf: "PDF"
    }
  }

  /// Whether the file holds a camera's raw data.
  public var isRaw: Bool {
    switch self {
    case .rawTIFF, .rawFujifilm, .rawCanon, .rawCIFF, .rawMinolta, .rawSigma: true
    default: false
    }
  }

  /// Whether the file holds a video.
  public var isVideo: Bool {
    switch self {
    case .quickTime, .matroska, .avi, .mpegTS, .mpegPS, .asf, .flv, .ogg: true
    default: false
    }
  }

  /// Whether the image worker can show images of this format, if the libraries are there that it needs.
  public var isSupported: Bool {
    switch self {
    case .xcf, .icns, .jpegXR: false
    default: true
    }
  }
}
