import Gallery
import ImageWire
import Metadata

/// Appraises images: decodes them as far as that is necessary, and measures their pixels.
struct Appraiser {
  let decoder: ImageDecoder

  /// The most pixels that are decoded to measure sharpness. A larger image is measured at half its size.
  private static let mostPixels = 80_000_000
  /// The side of the box for a hash in pixels, if the file has no preview.
  private static let hashSide = 64
  /// The side of a box that is larger than every image that is decoded in its own size, in pixels.
  private static let largestSide = 1 << 16

  /// Returns the appraisal of an image.
  ///
  /// - Parameter thumbnails: The thumbnails of the file.
  func appraisal(
    of file: ImageFile, _ detail: ImageAppraisal.Detail, _ thumbnails: CachedThumbnails
  ) throws(ImageFault) -> ImageAppraisal {
    switch detail {
    case .hash: try hash(of: file, thumbnails)
    case .cells: try appraisal(of: file, side: cellsSide(of: file), hasSharpness: false)
    case .sharpness: try appraisal(of: file, side: wholeSide(of: file), hasSharpness: true)
    }
  }

  /// Returns the hash of an image, of a thumbnail or a preview if there is one.
  private func hash(of file: ImageFile, _ thumbnails: CachedThumbnails) throws(ImageFault) -> ImageAppraisal {
    let specification = RenditionSpecification(pixelsOf: .file(file.path), side: Self.hashSide)
    if let upright = decoder.uprightSize(of: file),
      let preview = decoder.embeddedPixels(of: file, upright, Layout(upright, specification), .upright, atLeast: 0)
    {
      return ImageAppraisal(hash: preview.perceptualHash())
    }
    for thumbnail in thumbnails.all(of: file) {
      // A thumbnail can be decoded once.
      if let pixels = thumbnail.pixels(background: 0) { return ImageAppraisal(hash: pixels.perceptualHash()) }
    }
    return ImageAppraisal(hash: try decoder.decode(file, specification).pixels.perceptualHash())
  }

  /// Returns the side of the box for the cells of an image in pixels. libjpeg scales down as the cells do, by the mean of codes.
  /// The other decoders do it in light, which would make bright details brighter than in the same picture as a JPEG.
  private func cellsSide(of file: ImageFile) -> Int {
    file.format == .jpeg || file.isRaw ? Self.hashSide : wholeSide(of: file)
  }

  /// Returns the side of the box for the sharpness of an image in pixels.
  private func wholeSide(of file: ImageFile) -> Int {
    guard let upright = decoder.uprightSize(of: file), upright.area > Self.mostPixels else { return Self.largestSide }
    // The decoder returns at least 1.5 times as many pixels on each side as are asked for.
    return upright.longerSide / 4
  }

  private func appraisal(of file: ImageFile, side: Int, hasSharpness: Bool) throws(ImageFault) -> ImageAppraisal {
    let pixels = try decoder.decode(file, RenditionSpecification(pixelsOf: .file(file.path), side: side)).pixels
    return ImageAppraisal(
      hash: pixels.perceptualHash(), sharpness: hasSharpness ? pixels.sharpnessTiles() : [], cells: pixels.cells())
  }
}
