import CJPEG
import Gallery
import Metadata

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Encodes an image as a new file.
struct ExportEncoder {
  let pixels: Pixels
  /// The ICC profile of the pixels; nil for sRGB.
  let profile: [UInt8]?
  let metadata: NewMetadata
  let vips: VipsLibrary

  /// The qualities among which the best one is chosen for a file of limited size. A search by halves takes seven attempts.
  private static let qualities = 10...95

  /// Returns the file, and the quality with which it was encoded.
  func encode(_ specification: ExportSpecification) throws(ImageFault) -> (bytes: [UInt8], quality: Int) {
    let format = specification.format
    switch specification.quality {
    case .limit(let limit): return try best(format, atMost: limit)
    case .fixed(let quality) where format.usualQuality != nil: return (try encode(format, quality), quality)
    default: return (try encode(format, format.usualQuality ?? 0), format.usualQuality ?? 0)
    }
  }

  /// Returns the file of the best quality that has at most `limit` bytes.
  private func best(_ format: ExportSpecification.Format, atMost limit: Int) throws(ImageFault) -> ([UInt8], Int) {
    var qualities = format.usualQuality == nil ? 0...0 : Self.qualities
    var (best, smallest): (([UInt8], Int)?, Int) = (nil, .max)
    while true {
      let quality = (qualities.lowerBound + qualities.upperBound + 1) / 2
      let bytes = try encode(format, quality)
      smallest = min(smallest, bytes.count)
      if bytes.count <= limit { best = (bytes, quality) }
      let (low, high) =
        bytes.count <= limit ? (quality + 1, qualities.upperBound) : (qualities.lowerBound, quality - 1)
      guard low <= high else { break }
      qualities = low...high
    }
    guard let best else { throw .notExported(.tooLarge(bytes: smallest)) }
    return best
  }

  private func encode(_ format: ExportSpecification.Format, _ quality: Int) throws(ImageFault) -> [UInt8] {
    switch format {
    case .jpeg: JPEGFile(try jpeg(quality)).with(metadata, profile)
    case .png: PNGFile.with(metadata, profile, in: try vips.save(pixels, format, "compression=6,filter=all,strip"))
    case .webp:
      WebPFile(try vips.save(pixels, format, "Q=\(quality),effort=4,smart_subsample=true,strip"))
        .with(metadata, profile, pixels.size)
    case .avif:
      try AVIFFile(try vips.save(pixels, format, "Q=\(quality),compression=av1,effort=3,bitdepth=8,strip"))
        .with(metadata, profile)
    // The profile is a part of the codestream.
    case .jxl: JPEGXLFile(try vips.save(pixels, format, "Q=\(quality),effort=5", profile: profile)).with(metadata)
    }
  }

  private func jpeg(_ quality: Int) throws(ImageFault) -> [UInt8] {
    var count = 0
    let (width, height) = (Int32(pixels.size.width), Int32(pixels.size.height))
    guard let bytes = cjpeg_encode_file(pixels.words.baseAddress, width, height, Int32(quality), &count) else {
      throw .unwritable
    }
    defer { free(bytes) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }
}

extension ExportSpecification.Format {
  /// The saver of libvips that writes the format.
  var saver: String {
    switch self {
    case .jpeg: "jpegsave"
    case .png: "pngsave"
    case .webp: "webpsave"
    case .avif: "heifsave"
    case .jxl: "jxlsave"
    }
  }

  /// The format by which the module of libvips is found.
  var imageFormat: ImageFormat {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .webp: .webp
    case .avif: .heif
    case .jxl: .jxl
    }
  }
}
