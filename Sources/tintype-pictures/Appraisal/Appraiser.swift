#if Pictures
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

    /// Returns the hash of an image, of a thumbnail or a preview if there is one.
    ///
    /// - Parameter thumbnails: The thumbnails of the file.
    func hash(of file: ImageFile, _ thumbnails: CachedThumbnails) throws(ImageFault) -> ImageAppraisal {
      let request = Self.request(side: Self.hashSide)
      if let upright = decoder.uprightSize(of: file),
        let preview = decoder.embeddedPixels(of: file, upright, Layout(upright, request), .upright, atLeast: 0)
      {
        return ImageAppraisal(hash: preview.perceptualHash())
      }
      for thumbnail in thumbnails.all(of: file) {
        // A thumbnail can be decoded once.
        if let pixels = thumbnail.pixels(background: 0) { return ImageAppraisal(hash: pixels.perceptualHash()) }
      }
      return ImageAppraisal(hash: try decoder.decode(file, request).pixels.perceptualHash())
    }

    /// Returns the hash and the sharpness of an image.
    func appraisal(of file: ImageFile) throws(ImageFault) -> ImageAppraisal {
      let upright = decoder.uprightSize(of: file)
      let isLarge = upright.map { $0.area > Self.mostPixels } ?? false
      var request = Self.request(side: 1 << 16)
      // The decoder returns at least 1.5 times as many pixels on each side as are asked for.
      if isLarge, let upright { request = Self.request(side: upright.longerSide / 4) }
      let pixels = try decoder.decode(file, request).pixels
      return ImageAppraisal(hash: pixels.perceptualHash(), sharpness: pixels.sharpnessTiles())
    }

    /// Returns the request for a whole image in a box of a side in pixels.
    private static func request(side: Int) -> RenditionRequest {
      let cells = min(side, 4096)
      return RenditionRequest(
        number: 0, path: "/", columns: cells, rows: cells, cellWidth: (side + cells - 1) / cells,
        cellHeight: (side + cells - 1) / cells, format: .iterm, background: 0, stage: .appraisal)
    }
  }
#endif
