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

  /// Returns the hash of an image, of a thumbnail or a preview if there is one.
  ///
  /// - Parameter thumbnails: The thumbnails of the file.
  func hash(of file: ImageFile, _ thumbnails: CachedThumbnails) throws(ImageFault) -> ImageAppraisal {
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

  /// Returns the hash and the sharpness of an image.
  func appraisal(of file: ImageFile) throws(ImageFault) -> ImageAppraisal {
    var side = Self.largestSide
    // The decoder returns at least 1.5 times as many pixels on each side as are asked for.
    if let upright = decoder.uprightSize(of: file), upright.area > Self.mostPixels { side = upright.longerSide / 4 }
    let pixels = try decoder.decode(file, RenditionSpecification(pixelsOf: .file(file.path), side: side)).pixels
    return ImageAppraisal(hash: pixels.perceptualHash(), sharpness: pixels.sharpnessTiles())
  }
}
