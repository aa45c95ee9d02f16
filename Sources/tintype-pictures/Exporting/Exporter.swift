import Gallery
import ImageWire
import Metadata
import Workers

/// Makes new files of photos.
struct Exporter {
  private let decoder: ImageDecoder

  init(decoder: ImageDecoder) { self.decoder = decoder }

  /// Writes the new file of a photo to a descriptor, and returns its description.
  func export(_ file: ImageFile, _ request: ExportRequest, to descriptor: Int32) throws(ImageFault) -> ExportedImage {
    let (specification, shown) = (request.specification, request.metadata.metadata)
    let chosen = shown.chosenOrientation.flatMap(ImageOrientation.init(rawValue:))
    let photo = try decoder.exported(file, specification, ImageRotation(quarters: shown.quarters(to: chosen)))
    photo.pixels.sharpen(specification.sharpening)
    try Watermark(specification.watermark)?.draw(on: photo.pixels, decoder.vips)
    let size = photo.pixels.size
    let metadata = NewMetadata(
      specification.metadata, of: file, shown: shown, width: size.width, height: size.height,
      isSRGB: photo.profile == nil)
    let encoder = ExportEncoder(pixels: photo.pixels, profile: photo.profile, metadata: metadata, vips: decoder.vips)
    let (bytes, quality) = try encoder.encode(specification)
    guard bytes.withUnsafeBytes({ RequestChannel.writeAll($0, to: descriptor) }) else { throw .unwritable }
    return ExportedImage(width: size.width, height: size.height, bytes: bytes.count, quality: quality)
  }
}
