import Gallery
import ImageWire
import Metadata

/// Decodes the part of an image that a rendition shows, with the library or the code that reads the image's format.
final class ImageDecoder {
  /// The decoded part of an image.
  struct Decoded {
    let pixels: Pixels
    let layout: Layout
    let info: ImageInfo
    /// Whether a thumbnail of it suits every program: it shows the whole image, and none of our background.
    var isWhole = true
    /// Whether the pixels are those of the preview in the file, which has another size than the image itself.
    var isPreview = false
  }

  let vips = VipsLibrary()
  let videos = VideoLibrary()
  let raws = RawLibrary()
  let archives = ArchiveLibrary()

  /// The most pixels of an image that is decoded.
  let mostPixels: Int

  init(mostPixels: Int = 500_000_000) { self.mostPixels = mostPixels }

  /// - Parameters:
  ///   - isForCommand: Whether a command in the shell waits for this image alone.
  ///   - leavesThumbnails: Whether thumbnails are made of the image, too.
  ///   - onLayout: Called with the layout of the image before the image is decoded.
  ///   - onRows: As in ``JPEGImage/pixels(of:wanted:onRows:)``.
  func decode(
    _ file: ImageFile, _ specification: RenditionSpecification, isForCommand: Bool = false,
    leavesThumbnails: Bool = false, onLayout: (Layout) -> Void = { _ in },
    onRows: (Pixels, Int) -> Void = { _, _ in }
  ) throws(ImageFault) -> Decoded {
    guard file.format.isSupported else { throw .unsupported(file.format) }
    raws.forget(unless: file)
    if file.isRaw { return try decodeRaw(file, specification, leavesThumbnails: leavesThumbnails) }
    let presentation = specification.presentation
    if file.isSequence {
      do throws(ImageFault) {
        return try decodeSequence(file, specification, leavesThumbnails: leavesThumbnails)
      } catch {
        // Without the library, or with a coding of its own, the first frame is an image like others.
        guard presentation.frame == 0 else { throw error }
      }
    }
    // Of a photo with a movie inside of it, the frame 0 is the photo.
    if file.format.isVideo || presentation.frame != 0 && videos.hasMovie(file, presentation.rotation) {
      return try decodeVideo(file, specification, leavesThumbnails: leavesThumbnails)
    }
    do throws(ImageFault) {
      if file.format == .jpeg, let jpeg = jpeg(file, specification.presentation.rotation) {
        return try decode(jpeg, of: file, specification, onLayout: onLayout, onRows: onRows)
      }
      if let format = file.format.plainFormat {
        return whole(try format.image(of: file, atMost: mostPixels / 4), specification)
      }
      return try decodeByVips(
        file, specification, isForCommand: isForCommand, leavesThumbnails: leavesThumbnails)
    } catch .damaged(let damage) {
      // The embedded preview may be intact.
      return try decodePreview(of: file, specification, otherwise: file.isCutOff ? .incomplete : .damaged(damage))
    } catch .incomplete {
      return try decodePreview(of: file, specification, otherwise: .incomplete)
    }
  }

  /// Returns the size of the rotated image, or nil if it is not known without decoding the image.
  func uprightSize(of file: ImageFile, _ rotation: ImageRotation = .upright) -> PixelSize? {
    if file.isRaw { return rawSize(of: file, rotation) }
    if file.format == .jpeg, let jpeg = jpeg(file, rotation) { return jpeg.uprightSize }
    if file.format.isVideo { return try? videos.open(file, rotation).uprightSize }
    if file.format.plainFormat != nil {
      guard let size = try? file.plainSize(atMost: mostPixels / 4) else { return nil }
      return rotation.orientation(for: 1) >= 5 ? size.transposed : size
    }
    return try? vips.open(file, rotation: rotation).uprightSize
  }

  /// Returns the pixels of the preview in a file, or nil if its longer side is below `longerSide`. The preview that is all that is
  /// shown of a raw file is not returned.
  ///
  /// Thumbnails of Exif have a ratio of 4 to 3. If the image is wider, cameras add black bars, which are cut off.
  ///
  /// - Parameter whole: The size of the image itself when it is rotated.
  func embeddedPixels(
    of file: ImageFile, _ whole: PixelSize, _ layout: Layout, _ rotation: ImageRotation, atLeast longerSide: Int
  ) -> Pixels? {
    // Cameras write no profile into thumbnails, whose colors are those of the image.
    let space = file.format == .jpeg ? jpeg(file, .upright)?.space : nil
    guard !file.isRaw || hasSmallPreview(file), let preview = EmbeddedPreview(of: file),
      let jpeg = JPEGImage(
        file, at: preview.offset, orientation: rotation.orientation(for: preview.orientation), space: space ?? .srgb)
    else { return nil }
    let part = PixelRect(inMiddleOf: jpeg.uprightSize, like: whole)
    guard part.size.longerSide >= longerSide else { return nil }
    return try? jpeg.pixels(of: part, wanted: (layout.pixels, layout.pixels))
  }

  private func jpeg(_ file: ImageFile, _ rotation: ImageRotation) -> JPEGImage? {
    JPEGImage(
      file, orientation: rotation.orientation(for: file.jpegOrientation()),
      space: file.jpegIsAdobeRGB ? .adobeRGB : .srgb)
  }

  private func decode(
    _ jpeg: JPEGImage, of file: ImageFile, _ specification: RenditionSpecification, onLayout: (Layout) -> Void,
    onRows: (Pixels, Int) -> Void
  ) throws(ImageFault) -> Decoded {
    let layout = Layout(try checked(jpeg.uprightSize), specification)
    onLayout(layout)
    let pixels = try jpeg.pixels(of: layout.part, wanted: layout.decodedPixels, onRows: onRows)
    // A part is decoded only down to its last row. The file may end below that.
    let isIncomplete = jpeg.isIncomplete || layout.isPart && file.isCutOff
    return Decoded(
      pixels: pixels, layout: layout, info: ImageInfo(jpeg.uprightSize, layout, isIncomplete: isIncomplete),
      isWhole: !isIncomplete)
  }

  private func whole(_ image: PlainImage, _ specification: RenditionSpecification) -> Decoded {
    let isOpaque = image.pixels.flatten(on: specification.screen.background)
    let pixels = image.pixels.upright(specification.presentation.rotation.orientation(for: 1))
    let layout = Layout(pixels.size, specification)
    return Decoded(
      pixels: pixels.part(layout.part), layout: layout,
      info: ImageInfo(pixels.size, layout, isIncomplete: image.isIncomplete), isWhole: isOpaque && !image.isIncomplete)
  }

  private func decodeByVips(
    _ file: ImageFile, _ specification: RenditionSpecification, isForCommand: Bool, leavesThumbnails: Bool
  ) throws(ImageFault) -> Decoded {
    // In the gallery, each worker has a core to itself. In the shell, one image has them all.
    vips.setConcurrency(isForCommand ? 0 : 1)
    let frame = specification.presentation.frame
    let image = try vips.open(file, frame: frame, rotation: specification.presentation.rotation)
    let layout = Layout(try checked(image.uprightSize), specification)
    var info = ImageInfo(image.uprightSize, layout)
    // The pages of other formats, such as TIFF, are no animation.
    if file.format.isAnimated { (info.frames, info.delay) = (image.frames, image.delay(frame: frame)) }
    // Rows are decoded in their own size, so a few more pixels for a thumbnail take no time.
    let box =
      leavesThumbnails && file.format != .svg ? ThumbnailCache.boxes(for: layout, of: image.uprightSize).first : nil
    let pixels = try image.pixels(layout, longerSide: box ?? 0, background: specification.screen.background)
    // libvips does not report that for every format.
    info.isIncomplete = file.isCutOff
    // A page is drawn on white.
    let isOpaque = !image.hasAlpha || file.format == .pdf
    return Decoded(pixels: pixels, layout: layout, info: info, isWhole: isOpaque && !info.isIncomplete)
  }

  /// Decodes a frame of a video: that of a position, or the one that stands for the video.
  private func decodeVideo(
    _ file: ImageFile, _ specification: RenditionSpecification, leavesThumbnails: Bool
  ) throws(ImageFault) -> Decoded {
    let position = specification.presentation.frame
    let video = try videos.open(file, specification.presentation.rotation, isPlaying: position > 0)
    let layout = Layout(try checked(video.uprightSize), specification)
    if position == 0 {
      try video.seekStill()
    } else {
      try video.seek(Double(abs(position)) / 1000, isExact: position > 0)
    }
    let box = leavesThumbnails ? ThumbnailCache.boxes(for: layout, of: video.uprightSize).first : nil
    let pixels = try video.pixels(
      layout, longerSide: box ?? 0, isQuick: position != 0, background: specification.screen.background)
    var info = ImageInfo(video.uprightSize, layout, isIncomplete: video.isCutOff)
    info.duration = video.duration.milliseconds
    info.position = video.time.milliseconds
    info.delay = video.frameInterval.milliseconds
    return Decoded(pixels: pixels, layout: layout, info: info, isWhole: position == 0 && !info.isIncomplete)
  }

  /// Decodes a frame of an animation by its number.
  private func decodeSequence(
    _ file: ImageFile, _ specification: RenditionSpecification, leavesThumbnails: Bool
  ) throws(ImageFault) -> Decoded {
    let video = try videos.open(file, specification.presentation.rotation)
    let layout = Layout(try checked(video.uprightSize), specification)
    try video.seek(frame: specification.presentation.frame)
    let box = leavesThumbnails ? ThumbnailCache.boxes(for: layout, of: video.uprightSize).first : nil
    let pixels = try video.pixels(
      layout, longerSide: box ?? 0, isQuick: false, background: specification.screen.background)
    var info = ImageInfo(video.uprightSize, layout, isIncomplete: video.isCutOff)
    info.frames = max(1, video.frames)
    info.delay = video.delay.milliseconds
    return Decoded(pixels: pixels, layout: layout, info: info, isWhole: !video.hasAlpha && !info.isIncomplete)
  }

  /// Throws an error for a size that is not decoded.
  func checked(_ size: PixelSize) throws(ImageFault) -> PixelSize {
    guard size.width > 0, size.height > 0, size.width <= mostPixels / size.height else {
      throw .tooLarge(width: size.width, height: size.height)
    }
    return size
  }
}

extension ImageFile {
  /// Whether the file holds a camera's raw data.
  var isRaw: Bool { format.isRaw || isRawTIFF }
}

extension Double {
  /// The milliseconds of a number of seconds, which a file may say at will; at least 0, and as many as an answer can have.
  fileprivate var milliseconds: Int {
    let value = (self * 1000).rounded()
    return value > 0 ? Int(min(value, Double(Int32.max))) : 0
  }
}

extension RenditionSpecification {
  /// Creates the specification of a whole image in a square box, whose side is given in pixels.
  init(pixelsOf image: ImageLocation, side: Int, background: UInt32 = 0) {
    // Such a box may have more pixels than a box may have cells.
    let cells = min(side, 4096)
    let cell = (side + cells - 1) / cells
    // Pixels are laid out in the same way in every format that is no characters.
    let screen = RenditionScreen(format: .iterm, cellWidth: cell, cellHeight: cell, background: background)
    self.init(image, columns: cells, rows: cells, on: screen)
  }
}

extension ImageInfo {
  init(_ size: PixelSize, _ layout: Layout, isIncomplete: Bool = false) {
    self.init(width: size.width, height: size.height, scale: layout.scale, isIncomplete: isIncomplete)
  }
}
