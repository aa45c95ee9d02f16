import Gallery

/// The places in an image's file at which its metadata are, and what the file's structure itself says: the image's size
/// and whether the file is complete.
///
/// The size is read of every format but SVG, the portable maps and Radiance HDR; Exif and XMP of JPEG, TIFF and the
/// raw files, PNG, WebP, HEIF, AVIF, JPEG XL and JPEG 2000; and the tags of videos in QuickTime's boxes and Matroska.
struct Container {
  var exif: ExifMetadata?
  /// The metadata in records of the format's own that a camera writes, which come before XMP.
  var ownMetadata: PhotoMetadata?
  /// The metadata in records of the format's own that people write, which come after XMP.
  var ownTexts: PhotoMetadata?
  /// An XMP packet, or nothing.
  var xmp: ArraySlice<UInt8> = []
  var iptc: IPTCMetadata?
  /// The size of the image as it is stored, in pixels, or zeros if it is not known.
  var size = (width: 0, height: 0)
  /// Whether Exif's orientation applies to the size.
  var isTurnedByExif = true
  /// The orientation that the image has by its own format, which counts if Exif's does not; nil if it is unknown.
  var formatOrientation: ImageOrientation?
  /// Whether the image has several frames, which are shown one after the other.
  var isAnimation = false
  var frames = FrameTimes()
  /// Whether the file ends before the image does.
  var isCutOff = false

  /// The largest XMP packet that is read, in bytes. The rest of a longer one is ignored.
  static let longestPacket = 1 << 20
  /// The most chunks or boxes of a file that are read.
  static let mostParts = 10_000

  init(_ file: ImageFile) {
    switch file.format {
    case .jpeg: readJPEG(file, at: 0)
    case .tiff, .rawTIFF: readTIFF(file)
    case .rawFujifilm: readFujifilm(file)
    case .rawCanon: readCanon(file)
    case .rawCIFF: readCanonHeap(file)
    case .rawMinolta: readMinolta(file)
    case .rawSigma: readSigma(file)
    case .png: readPNG(file)
    case .webp: readWebP(file)
    case .gif: readGIF(file)
    case .psd: readPhotoshop(file)
    case .heif: readHEIF(file)
    case .jxl: readJPEGXL(file)
    case .jpeg2000: readJPEG2000(file)
    case .quickTime: readQuickTime(file)
    case .matroska: readMatroska(file)
    // Of portable maps, SVG and Radiance HDR, only the decoder finds out the size.
    default: size = file.headerSize
    }
    if frames.count > 1 { isAnimation = true }
  }
}

extension Container {
  /// Returns the point that the camera focused on.
  ///
  /// - Parameter size: The size of the upright image in pixels, or zeros if it is unknown.
  func focus(in size: (width: Int, height: Int)) -> FocusPoint? {
    let orientation = isTurnedByExif ? exif.flatMap { ImageOrientation(rawValue: $0.orientation) } : formatOrientation
    return orientation.flatMap { exif?.focus?.upright(from: $0, in: size) }
  }
}

extension ImageFile {
  /// The longer side of the largest image in a raw file in pixels, or 0 if it is unknown.
  public var sensorSide: Int {
    let size = Container(self).size
    return max(size.width, size.height)
  }

  /// Whether the file ends before its image does, as far as the file's structure shows that.
  public var isCutOff: Bool { Container(self).isCutOff }
}
