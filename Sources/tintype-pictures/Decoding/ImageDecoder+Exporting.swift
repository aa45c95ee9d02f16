import Gallery
import ImageWire
import Metadata

/// The pixels of an exported image.
struct ExportedPixels {
  let pixels: Pixels
  /// The ICC profile of the pixels; nil for sRGB.
  var profile: [UInt8]?
}

extension ImageDecoder {
  /// The color under transparent parts.
  private static let white: UInt32 = 0xFF_FFFF
  /// The factor by which a JPEG that is decoded in a smaller size has more pixels on each side than are wanted.
  private static let margin = 1.4

  /// Decodes the part of an image that a specification exports, in its size.
  ///
  /// A preview is used only in place of raw data, where it is also what is shown. An image that is damaged or not complete is an
  /// error.
  func exported(
    _ file: ImageFile, _ specification: ExportSpecification, _ rotation: ImageRotation
  ) throws(ImageFault) -> ExportedPixels {
    guard file.format.isSupported else { throw .unsupported(file.format) }
    if file.isRaw {
      if let raw = try developable(file, rotation) {
        let layout = ExportLayout(specification, photo: try checked(raw.uprightSize))
        let pixels = try raw.pixels(of: layout.part, wanted: layout.pixels, .sharp)
        guard !raw.isDamaged else { throw .incomplete }
        return ExportedPixels(pixels: pixels.scaled(to: layout.pixels, .sharp))
      }
      guard let preview = EmbeddedPreview(of: file),
        let jpeg = JPEGImage(file, at: preview.offset, orientation: 1, keepsColors: specification.keepsColors)
      else { throw .noPreview }
      return try exported(jpeg, specification, rotation.orientation(for: preview.orientation))
    }
    if file.format == .jpeg,
      let jpeg = JPEGImage(
        file, orientation: 1, space: file.jpegIsAdobeRGB ? .adobeRGB : .srgb, keepsColors: specification.keepsColors)
    {
      return try exported(jpeg, specification, rotation.orientation(for: file.jpegOrientation()))
    }
    if file.format.isVideo {
      let still = RenditionSpecification(pixelsOf: .file(file.path), side: 1 << 16)
      let image = PlainImage(pixels: try decode(file, still).pixels, isIncomplete: file.isCutOff)
      return try exported(image, specification, rotation)
    }
    if let format = file.format.plainFormat {
      let image = try format.image(of: file, atMost: mostPixels / 4)
      image.pixels.flatten(on: Self.white)
      return try exported(image, specification, rotation)
    }
    return try exportedByVips(file, specification, rotation)
  }

  private func exported(
    _ jpeg: JPEGImage, _ specification: ExportSpecification, _ orientation: Int
  ) throws(ImageFault) -> ExportedPixels {
    // The stored image is scaled before it is rotated, since that moves fewer pixels.
    let stored = try checked(jpeg.uprightSize)
    let upright = orientation >= 5 ? stored.transposed : stored
    let layout = ExportLayout(specification, photo: upright)
    let target = orientation >= 5 ? layout.pixels.transposed : layout.pixels
    let wanted = PixelSize(Int(Double(target.width) * Self.margin), Int(Double(target.height) * Self.margin))
    let pixels = try jpeg.pixels(of: layout.part.stored(orientation, in: upright), wanted: (wanted, wanted))
    guard !jpeg.isIncomplete else { throw .incomplete }
    return ExportedPixels(pixels: pixels.scaled(to: target, .sharp).upright(orientation), profile: jpeg.profile)
  }

  private func exported(
    _ image: PlainImage, _ specification: ExportSpecification, _ rotation: ImageRotation
  ) throws(ImageFault) -> ExportedPixels {
    guard !image.isIncomplete else { throw .incomplete }
    let pixels = image.pixels.upright(rotation.orientation(for: 1))
    let layout = ExportLayout(specification, photo: pixels.size)
    return ExportedPixels(pixels: pixels.part(layout.part).scaled(to: layout.pixels, .sharp))
  }

  private func exportedByVips(
    _ file: ImageFile, _ specification: ExportSpecification, _ rotation: ImageRotation
  ) throws(ImageFault) -> ExportedPixels {
    // Each worker has a core to itself.
    vips.setConcurrency(1)
    let image = try vips.open(file, rotation: rotation)
    guard !file.isCutOff else { throw .incomplete }
    let layout = ExportLayout(specification, photo: try checked(image.uprightSize))
    let (pixels, profile) = try image.exportedPixels(
      layout, background: Self.white, keepsColors: specification.keepsColors)
    return ExportedPixels(pixels: pixels.scaled(to: layout.pixels, .sharp), profile: profile)
  }
}

extension ExportLayout {
  init(_ specification: ExportSpecification, photo: PixelSize) {
    self.init(specification, photoWidth: photo.width, photoHeight: photo.height)
  }

  /// The part of the upright photo.
  var part: PixelRect { PixelRect(x: x, y: y, size: PixelSize(partWidth, partHeight)) }
  /// The size of the new image.
  var pixels: PixelSize { PixelSize(width, height) }
}
